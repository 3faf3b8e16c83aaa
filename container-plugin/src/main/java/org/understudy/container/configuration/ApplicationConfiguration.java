package org.understudy.container.configuration;

import java.io.IOException;
import java.io.Reader;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * The settings of one web application: those of one replica, or of one replica in each of several groups ({@code understudy.groups}).
 * System properties override environment variables, these override the file, and the file overrides defaults. Checked when created.
 * Immutable.
 */
public final class ApplicationConfiguration {
  private final List<Configuration> groups;

  private ApplicationConfiguration(Settings settings) throws ConfigurationException {
    List<Configuration> all = new ArrayList<>();
    List<Configuration> siblings = Collections.unmodifiableList(all);
    if (settings.groups().isEmpty()) {
      all.add(new Configuration(settings, "", siblings));
    } else if (settings.value(Key.ENDPOINTS) != null) {
      throw new ConfigurationException(
          Key.ENDPOINTS.property() + " names no group, and " + Key.GROUPS.property() + " lists several. Set "
              + Key.ENDPOINTS.property(settings.groups().get(0)) + " and the like.");
    }
    for (String group : settings.groups()) {
      try {
        all.add(new Configuration(settings, group, siblings));
      } catch (ConfigurationException e) {
        throw new ConfigurationException("Group " + group + ": " + e.getMessage());
      }
    }
    this.groups = siblings;
    checkApart();
  }

  /**
   * Reads the file and what overrides it.
   *
   * @param file null for none
   * @param application the settings of the application itself; the file overrides them
   * @throws ConfigurationException with one line: the key or file, its fault, and the valid values
   */
  public static ApplicationConfiguration load(Path file, Properties application) throws ConfigurationException {
    Properties properties = new Properties();
    if (file != null) {
      if (!Files.isRegularFile(file)) {
        throw new ConfigurationException(
            "The configuration " + file.toAbsolutePath() + (Files.exists(file) ? " is not a file" : " does not exist")
                + ". Create it, or name another file by understudy.config.");
      }
      try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
        properties.load(reader);
      } catch (IOException | IllegalArgumentException e) {
        throw new ConfigurationException("The configuration " + file + " cannot be read: " + e + ".");
      }
    }
    String inFile = file == null ? "" : " in " + file.toAbsolutePath();
    Set<String> ofFile = properties.stringPropertyNames();
    application.forEach(properties::putIfAbsent);
    return new ApplicationConfiguration(
        new Settings(
            properties, key -> ofFile.contains(key) ? inFile : " in the context parameters", System::getProperty, System::getenv));
  }

  /** Reads only properties, neither system properties nor environment variables; for tests and embedding. */
  public static ApplicationConfiguration of(Properties properties) throws ConfigurationException {
    return new ApplicationConfiguration(new Settings(properties, key -> "", name -> null, name -> null));
  }

  /**
   * Returns the settings that a source holds which cannot list its keys.
   *
   * @param source returns the value of a key, or null
   * @throws ConfigurationException when its list of groups is invalid
   */
  public static Properties properties(UnaryOperator<String> source) throws ConfigurationException {
    Properties properties = new Properties();
    List<String> groups = Settings.groups(source.apply(Key.GROUPS.property()));
    for (Key key : Key.values()) {
      List<String> names = new ArrayList<>(List.of(key.property()));
      groups.forEach(group -> names.add(key.property(group)));
      for (String name : names) {
        String value = source.apply(name);
        if (value != null) {
          properties.setProperty(name, value);
        }
      }
    }
    return properties;
  }

  /** Returns the settings of the replica in each group, in the order of {@code understudy.groups}; never empty. */
  public List<Configuration> groups() {
    return groups;
  }

  /** Returns settings that all groups share. */
  public Configuration common() {
    return groups.get(0);
  }

  /** Whether {@code understudy.groups} is set. */
  public boolean hasNamedGroups() {
    return !common().localGroup().isEmpty();
  }

  /**
   * Returns the settings of the only replica.
   *
   * @throws ConfigurationException when {@code understudy.groups} is set
   */
  public Configuration only() throws ConfigurationException {
    if (hasNamedGroups()) {
      throw new ConfigurationException(
          Key.GROUPS.property() + " is set, but what the plugin publishes itself has one group. Remove it, or let the web application "
              + "publish its endpoints.");
    }
    return common();
  }

  /** Checks that no two groups share what belongs to one. */
  private void checkApart() throws ConfigurationException {
    Map<String, Configuration> names = new HashMap<>();
    Map<Path, Configuration> directories = new HashMap<>();
    Map<InetSocketAddress, Configuration> addresses = new HashMap<>();
    for (Configuration group : groups) {
      differ(Key.GROUP, group.group(), group, names.put(group.group(), group));
      if (group.keepsRecords()) {
        Path directory = group.directory().toAbsolutePath().normalize();
        differ(Key.DIRECTORY, directory, group, directories.put(directory, group));
      }
      for (InetSocketAddress address : group.peers().values()) {
        differ(Key.PEERS, address.getHostString() + ":" + address.getPort(), group, addresses.put(address, group));
      }
      for (InetSocketAddress address : group.channelAddresses().values()) {
        differ(
            Key.CHANNEL_JGROUPS_ADDRESSES, address.getHostString() + ":" + address.getPort(), group, addresses.put(address, group));
      }
    }
  }

  private static void differ(Key key, Object value, Configuration group, Configuration other) throws ConfigurationException {
    if (other != null && other != group) {
      throw new ConfigurationException(
          "The groups " + other.localGroup() + " and " + group.localGroup() + " have the same " + key.property() + ", " + value
              + ". Give each its own, by " + key.property(other.localGroup()) + " and " + key.property(group.localGroup()) + ".");
    }
  }
}
