package org.understudy.test.channel;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Every group of this process by its name. */
public final class MemoryGroups {
  private static final Map<String, MemoryGroup> GROUPS = new ConcurrentHashMap<>();

  private MemoryGroups() {}

  /** The group of this name; there is one for every name. */
  public static MemoryGroup of(String name) {
    return GROUPS.computeIfAbsent(name, any -> new MemoryGroup());
  }
}
