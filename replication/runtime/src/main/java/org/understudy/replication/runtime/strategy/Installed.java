package org.understudy.replication.runtime.strategy;

import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.understudy.replication.core.Capability;
import org.understudy.replication.core.ReplicationStrategy;
import org.understudy.replication.runtime.channel.GroupChannelProvider;

/** The strategies and channels that a class loader's jars install by {@code META-INF/services}. */
public final class Installed {
  /** The value of {@code understudy.channel} for no group channel: the strategy orders by messages between peers. */
  public static final String LOG = "log";

  private static final Set<String> KNOWN = Set.of("jgroups", "spread");

  private final Map<String, ReplicationStrategy> strategies;
  private final Map<String, GroupChannelProvider> groupChannels;

  private Installed(Map<String, ReplicationStrategy> strategies, Map<String, GroupChannelProvider> groupChannels) {
    this.strategies = strategies;
    this.groupChannels = groupChannels;
  }

  /**
   * Loads all of them.
   *
   * @throws UnavailableException when a jar names a class that cannot be loaded, or two have one name
   */
  public static Installed in(ClassLoader loader) throws UnavailableException {
    return of(
        load(ServiceLoader.load(ReplicationStrategy.class, loader)),
        load(ServiceLoader.load(GroupChannelProvider.class, loader)));
  }

  static Installed of(List<ReplicationStrategy> strategies, List<GroupChannelProvider> groupChannels)
      throws UnavailableException {
    return new Installed(
        byName("strategies", strategies, ReplicationStrategy::name),
        byName("group channels", groupChannels, GroupChannelProvider::name));
  }

  private static <T> List<T> load(ServiceLoader<T> loader) throws UnavailableException {
    try {
      return loader.stream().map(ServiceLoader.Provider::get).toList();
    } catch (ServiceConfigurationError e) {
      throw new UnavailableException(
          "A strategy or a group channel that a jar installs cannot be loaded: " + e.getMessage()
              + ". Remove the jar from WEB-INF/lib, or add what it needs.");
    }
  }

  private static <T> Map<String, T> byName(String subject, List<T> all, Function<T, String> name)
      throws UnavailableException {
    Map<String, T> byName = new TreeMap<>();
    for (T one : all) {
      T other = byName.put(name.apply(one), one);
      if (other != null) {
        throw new UnavailableException(
            "Two " + subject + " have the name " + name.apply(one) + ": " + other.getClass().getName() + " and "
                + one.getClass().getName() + ". Remove the jar of one of them.");
      }
    }
    return byName;
  }

  /**
   * The strategy with this name.
   *
   * @throws UnavailableException when there is none
   */
  public ReplicationStrategy strategy(String name) throws UnavailableException {
    ReplicationStrategy strategy = strategies.get(name);
    if (strategy == null) {
      throw new UnavailableException(
          "understudy.strategy is " + name + ", and no such strategy is installed; installed are "
              + strategies.values().stream().filter(one -> !one.isOfMeasurements()).map(ReplicationStrategy::name)
                  .collect(Collectors.joining(", ")) + ". Name one of these, or add the jar of " + name
              + " to WEB-INF/lib.");
    }
    return strategy;
  }

  /**
   * The group channel for a strategy; null for none.
   *
   * @param name the value of {@code understudy.channel}; {@link #LOG} for no channel, unless the strategy requires one: then the
   *     one that is installed
   * @throws UnavailableException when the strategy takes no channel, the named one is not installed, or several are and none is
   *     named
   */
  public GroupChannelProvider groupChannel(ReplicationStrategy strategy, String name) throws UnavailableException {
    boolean required = strategy.requires().contains(Capability.GROUP_CHANNEL);
    if (name.equals(LOG)) {
      return required ? onlyGroupChannel() : null;
    }
    if (!required && !strategy.uses().contains(Capability.GROUP_CHANNEL)) {
      throw new UnavailableException(
          "understudy.channel is " + name + ", and the strategy " + strategy.name()
              + " takes no group channel. Remove understudy.channel, or set understudy.strategy=group.");
    }
    GroupChannelProvider provider = groupChannels.get(name);
    if (provider == null) {
      throw new UnavailableException(
          "understudy.channel is " + name + ", and no such group channel is installed; installed are "
              + (groupChannels.isEmpty() ? "none" : String.join(", ", groupChannels.keySet()))
              + (KNOWN.contains(name)
                  ? ". Add understudy-channel-" + name + " and its dependencies to WEB-INF/lib, or set understudy.channel=log."
                  : ". Name one of these, or log, jgroups, or spread."));
    }
    return provider;
  }

  private GroupChannelProvider onlyGroupChannel() throws UnavailableException {
    if (groupChannels.size() > 1) {
      throw new UnavailableException(
          "Several group channels are installed: " + String.join(", ", groupChannels.keySet())
              + ". Name one of them in understudy.channel.");
    }
    Iterator<GroupChannelProvider> any = groupChannels.values().iterator();
    return any.hasNext() ? any.next() : null;
  }
}
