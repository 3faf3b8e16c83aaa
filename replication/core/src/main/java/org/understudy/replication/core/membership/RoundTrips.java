package org.understudy.replication.core.membership;

import java.util.Map;
import java.util.TreeMap;
import org.understudy.replication.api.ReplicaId;

/** How long heartbeats of this primary and their acknowledgements take. They overtake what waits, so this is mostly the link. */
final class RoundTrips {
  private static final int FORGETTING = 8;

  /**
   * Of one replica, in nanoseconds.
   *
   * @param longest of the last ones: an eighth of it is forgotten each time
   */
  private record Measured(long shortest, long longest) {
    private Measured and(long nanos) {
      return new Measured(Math.min(shortest, nanos), Math.max(nanos, longest - longest / FORGETTING));
    }
  }

  private final Map<ReplicaId, Measured> byReplica = new TreeMap<>();

  void clear() {
    byReplica.clear();
  }

  void measured(ReplicaId replica, long nanos) {
    Measured before = byReplica.get(replica);
    byReplica.put(replica, before == null ? new Measured(nanos, nanos) : before.and(nanos));
  }

  /** The longest round trip lately; 0 before the first. */
  long longest(ReplicaId replica) {
    Measured measured = byReplica.get(replica);
    return measured == null ? 0 : measured.longest();
  }

  /** Within this time as many replicas have answered lately; 0 if so many have not. */
  long ofOthers(int count) {
    long[] longest = byReplica.values().stream().mapToLong(Measured::longest).sorted().toArray();
    return count > 0 && longest.length >= count ? longest[count - 1] : 0;
  }

  /** The shortest round trip in this view; 0 before the first. */
  long shortest(ReplicaId replica) {
    Measured measured = byReplica.get(replica);
    return measured == null ? 0 : measured.shortest();
  }
}
