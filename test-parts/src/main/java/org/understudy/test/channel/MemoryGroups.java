package org.understudy.test.channel;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.understudy.replication.core.channel.GroupChannel;
import org.understudy.replication.core.channel.GroupChannelProvider;
import org.understudy.replication.core.channel.GroupChannelSettings;

/**
 * Every group of this process by its name. A test that deploys replicas names this class in
 * {@code META-INF/services/org.understudy.replication.core.channel.GroupChannelProvider} of its own resources.
 */
public final class MemoryGroups implements GroupChannelProvider {
  private static final Map<String, MemoryGroup> GROUPS = new ConcurrentHashMap<>();

  /** The group of this name; there is one for every name. */
  public static MemoryGroup of(String name) {
    return GROUPS.computeIfAbsent(name, any -> new MemoryGroup());
  }

  @Override
  public String name() {
    return "memory";
  }

  @Override
  public GroupChannel open(GroupChannelSettings settings) {
    return of(settings.group()).channel(settings.self());
  }
}
