package org.understudy.replication.core;

import org.understudy.replication.api.View;

/**
 * A replica in one line.
 *
 * @param received the highest index it has
 * @param stable the highest index it knows to be stable
 * @param writable whether it would execute an update at the time of the question
 * @param sessions open sessions
 * @param replayed duplicates answered from the reply table in this life
 */
public record ReplicaStatus(
    Role role, View view, long received, long stable, boolean writable, int sessions, long replayed) {
  /** For operators. Programs use routing and duties. */
  public String roleName() {
    return role.toString();
  }
}
