package org.understudy.replication.runtime.record;

import java.util.List;
import org.understudy.replication.api.ReplicaId;

/**
 * The group that a record belongs to, with the strategy under which it was stored: a promise made under one strategy means
 * nothing to another.
 *
 * @param name as configured
 * @param strategy its name
 * @param replicas the configured replicas, ascending
 */
public record GroupIdentity(String name, String strategy, List<ReplicaId> replicas) {
  private static final int MAX_NAME = 500;
  private static final int MAX_STRATEGY = 40;

  public GroupIdentity {
    if (name.length() > MAX_NAME) {
      throw new IllegalArgumentException(
          "The group's name has " + name.length() + " characters; " + MAX_NAME + " are allowed. Shorten understudy.group.");
    }
    if (strategy.length() > MAX_STRATEGY) {
      throw new IllegalArgumentException(
          "The strategy's name has " + strategy.length() + " characters; " + MAX_STRATEGY + " are allowed.");
    }
    replicas = replicas.stream().sorted().toList();
  }

  /** Whether both have the same name and the same replicas. */
  boolean hasMembersOf(GroupIdentity other) {
    return name.equals(other.name) && replicas.equals(other.replicas);
  }

  @Override
  public String toString() {
    return "group \"" + name + "\" of the replicas " + replicas;
  }
}
