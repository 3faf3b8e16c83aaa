package org.understudy.replication.runtime;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.View;

/** When the last message of each peer arrived, on any channel. Thread-safe; never blocks. */
final class HeardPeers {
  /** The silence of a peer that has sent nothing. */
  static final long NEVER = Long.MAX_VALUE;

  private final LongSupplier clock;
  private final Map<ReplicaId, Long> last = new ConcurrentHashMap<>();

  /** @param clock monotonic, in nanoseconds */
  HeardPeers(LongSupplier clock) {
    this.clock = clock;
  }

  void heard(ReplicaId peer) {
    last.put(peer, clock.getAsLong());
  }

  /** Nanoseconds since the last message of the peer; {@link #NEVER} for a peer that has sent none. */
  long silentNanos(ReplicaId peer) {
    Long at = last.get(peer);
    return at == null ? NEVER : Math.max(0, clock.getAsLong() - at);
  }

  /**
   * The same within a view. Only its first member exchanges heartbeats with others. Between two others, what comes from the first member
   * counts too: it notices a member that is gone, and the next view lacks that one.
   */
  long silentNanos(ReplicaId self, ReplicaId peer, View view) {
    ReplicaId first = view.primary();
    boolean watched = view.contains(self) && view.contains(peer) && !self.equals(first);
    return watched ? Math.min(silentNanos(peer), silentNanos(first)) : silentNanos(peer);
  }
}
