package org.understudy.replication.core;

import java.util.Map;
import java.util.Set;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.View;

/**
 * A replica's status in one line.
 *
 * @param received the last update that it holds
 * @param stable the last update that it knows to be stable
 * @param writable whether it would execute an update now. Of a primary also that no other replica leads a view at the same moment: it may
 *     execute updates a little longer than that is certain
 * @param sessions open sessions
 * @param wire the wire version of its view or state; 0 before the first
 * @param replayed duplicates answered from the reply table since this replica started
 * @param waiting the replicas that this primary makes members only later, because they have left its views repeatedly, with the
 *     milliseconds until then
 * @param refusal why the view does not admit this replica, for operators; null if it may
 * @param minority whether it has had no majority for longer than a view change takes
 * @param arrived the bytes that a joiner has got of the state that it is being sent; 0 while it is sent none
 * @param awaited the replicas for which the first view of the group waits
 */
public record ReplicaStatus(
    Role role, View view, long received, long stable, boolean writable, int sessions, int wire, long replayed,
    Map<ReplicaId, Long> waiting, String refusal, boolean minority, long arrived, Set<ReplicaId> awaited) {
  /** Of a replica that has a majority, makes none wait, that the view may admit, that is sent no state, and awaits no first view. */
  public ReplicaStatus(
      Role role, View view, long received, long stable, boolean writable, int sessions, int wire, long replayed) {
    this(role, view, received, stable, writable, sessions, wire, replayed, Map.of(), null, false, 0, Set.of());
  }

  /** For operators. Programs use routing and duties. */
  public String roleName() {
    return role.toString();
  }
}
