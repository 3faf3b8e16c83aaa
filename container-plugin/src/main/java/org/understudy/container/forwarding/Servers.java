package org.understudy.container.forwarding;

import java.util.List;
import org.understudy.replication.api.ReplicaId;

/** The replicas that serve a request, as the forwarding replica knows them. Thread-safe. */
public interface Servers {
  /** The preferred one first; empty if none. May contain the forwarding replica. */
  List<ReplicaId> known();

  /**
   * Nanoseconds since anything arrived from a replica, or from another one that watches it in the view, whichever request it concerned:
   * heartbeats too. 0 for the forwarding replica itself.
   */
  long silentNanos(ReplicaId server);

  /** Whether a view goes on without the forwarding replica, and does not reach it: no view change is to be waited for. */
  boolean isOutOfReach(ReplicaId server);
}
