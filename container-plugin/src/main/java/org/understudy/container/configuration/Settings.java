package org.understudy.container.configuration;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.understudy.soap.xml.NameSuggestion;

/**
 * The values of the keys as text. System properties override environment variables, and these override the file. A value for one group
 * overrides that for all groups, whatever their sources. Immutable.
 */
final class Settings {
  static final int MAX_GROUPS = 8;
  private static final Pattern GROUP_NAME = Pattern.compile("[a-z][a-z0-9]{0,31}");

  private final Properties file;
  private final UnaryOperator<String> system;
  private final UnaryOperator<String> environment;
  private final List<String> groups;

  /**
   * @param places where a key of the file stands, for sentences
   * @throws ConfigurationException when a key is unknown, or the list of groups is invalid
   */
  Settings(Properties file, UnaryOperator<String> places, UnaryOperator<String> system, UnaryOperator<String> environment)
      throws ConfigurationException {
    this.file = file;
    this.system = system;
    this.environment = environment;
    this.groups = groups(value(Key.GROUPS.property()));
    checkKeys(places);
  }

  /** Returns the names of the groups; empty for one group without a name. */
  List<String> groups() {
    return groups;
  }

  /** Returns the value of a key for all groups, else its default; null for none. */
  String value(Key key) {
    String value = value(key.property());
    return value != null ? value : key.defaultValue();
  }

  /** Returns the value that a key has for one group only; null for none. */
  String own(String group, Key key) {
    return key.isCommon() ? null : value(key.property(group));
  }

  private String value(String property) {
    String value = system.apply(property);
    value = value != null ? value : environment.apply(Key.variable(property));
    value = value != null ? value : file.getProperty(property);
    return value == null ? null : value.strip();
  }

  /** Parses the list of groups. */
  static List<String> groups(String list) throws ConfigurationException {
    List<String> names = new ArrayList<>();
    if (list == null || list.isBlank()) {
      return names;
    }
    for (String entry : list.split(",", -1)) {
      String name = entry.strip();
      if (!GROUP_NAME.matcher(name).matches()) {
        throw new ConfigurationException(
            Key.GROUPS.property() + " holds \"" + name + "\"; a name begins with a lower-case letter and has at most 32 lower-case "
                + "letters and digits.");
      }
      if (names.contains(name)) {
        throw new ConfigurationException(Key.GROUPS.property() + " lists the group " + name + " twice.");
      }
      names.add(name);
    }
    if (names.size() > MAX_GROUPS) {
      throw new ConfigurationException(
          Key.GROUPS.property() + " lists " + names.size() + " groups; one web application can hold " + MAX_GROUPS + ".");
    }
    return List.copyOf(names);
  }

  private void checkKeys(UnaryOperator<String> places) throws ConfigurationException {
    Set<String> known = new TreeSet<>();
    Arrays.stream(Key.values()).map(Key::property).forEach(known::add);
    for (String name : file.stringPropertyNames()) {
      if (name.startsWith(Key.GROUP_PREFIX)) {
        checkGroupKey(name, places.apply(name), known);
      } else if (!known.contains(name)) {
        throw new ConfigurationException(
            "The key " + name + " is unknown" + places.apply(name) + suggestion(Key.PREFIX, name, known));
      }
    }
  }

  /** What may have been meant, as the end of a sentence. The common prefix of all keys makes none of them similar. */
  private static String suggestion(String prefix, String name, Set<String> keys) {
    String rest = name.startsWith(prefix) ? name.substring(prefix.length()) : name;
    return NameSuggestion.nearest(rest, keys.stream().map(key -> key.substring(Key.PREFIX.length())).toList())
        .map(near -> "; did you mean " + prefix + near + "?")
        .orElse(". docs/configuration.md lists the keys.");
  }

  private void checkGroupKey(String name, String place, Set<String> known) throws ConfigurationException {
    String rest = name.substring(Key.GROUP_PREFIX.length());
    int dot = rest.indexOf('.');
    String group = dot < 0 ? rest : rest.substring(0, dot);
    if (!groups.contains(group)) {
      throw new ConfigurationException(
          "The key " + name + " is unknown" + place + ": " + Key.GROUPS.property()
              + (groups.isEmpty() ? " is not set." : " lists " + String.join(", ", groups) + " but not " + group + "."));
    }
    Key key = Arrays.stream(Key.values()).filter(one -> one.property(group).equals(name)).findFirst().orElse(null);
    if (key == null) {
      throw new ConfigurationException(
          "The key " + name + " is unknown" + place + suggestion(Key.GROUP_PREFIX + group + ".", name, known));
    }
    if (key.isCommon()) {
      throw new ConfigurationException(
          "The key " + name + " is invalid" + place + ": all groups of the web application share this setting. Set " + key.property()
              + ".");
    }
  }
}
