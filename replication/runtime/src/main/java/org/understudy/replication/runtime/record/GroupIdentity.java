package org.understudy.replication.runtime.record;

import java.util.List;
import java.util.stream.Stream;
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

  /** How a journal names the group; {@link #of} reads it. */
  String text() {
    return name + "\n" + strategy + "\n" + replicas;
  }

  /** The group with this {@link #text}; null when it is no such text. */
  static GroupIdentity of(String text) {
    int replicasAt = text.lastIndexOf('\n') + 1;
    int strategyAt = text.lastIndexOf('\n', replicasAt - 2) + 1;
    if (strategyAt < 1 || replicasAt <= strategyAt) {
      return null;
    }
    try {
      List<ReplicaId> replicas =
          Stream.of(text.substring(replicasAt).replaceAll("[\\[\\] ]", "").split(",")).map(Integer::valueOf).map(ReplicaId::new).toList();
      GroupIdentity group = new GroupIdentity(text.substring(0, strategyAt - 1), text.substring(strategyAt, replicasAt - 1), replicas);
      return group.text().equals(text) ? group : null;
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  @Override
  public String toString() {
    return "group \"" + name + "\" of the replicas " + replicas;
  }
}
