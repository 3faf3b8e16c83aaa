package org.understudy.replication.core;

import org.understudy.replication.api.View;

/**
 * A replica's status in one line.
 *
 * @param received the last update that it holds
 * @param stable the last update that it knows to be stable
 * @param writable whether it would execute an update now
 * @param sessions open sessions
 * @param wire the wire version of its view or state; 0 before the first
 * @param replayed duplicates answered from the reply table since this replica started
 */
public record ReplicaStatus(
    Role role, View view, long received, long stable, boolean writable, int sessions, int wire, long replayed) {
  /** For operators. Programs use routing and duties. */
  public String roleName() {
    return role.toString();
  }
}
