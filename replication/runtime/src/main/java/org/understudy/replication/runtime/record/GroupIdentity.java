package org.understudy.replication.runtime.record;

import java.util.List;
import org.understudy.replication.api.ReplicaId;

/**
 * The group that a membership record belongs to.
 *
 * @param name as configured
 * @param replicas the configured replicas, ascending
 */
public record GroupIdentity(String name, List<ReplicaId> replicas) {
  private static final int MAX_NAME = 500;

  public GroupIdentity {
    if (name.length() > MAX_NAME) {
      throw new IllegalArgumentException(
          "The group's name has " + name.length() + " characters; " + MAX_NAME + " are allowed. Shorten understudy.group.");
    }
    replicas = replicas.stream().sorted().toList();
  }

  @Override
  public String toString() {
    return "group \"" + name + "\" of the replicas " + replicas;
  }
}
