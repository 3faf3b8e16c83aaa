package org.understudy.replication.core.membership;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.membership.MembershipMessage.ReadRound;

/**
 * The primary's numbered read rounds. A round that a majority acknowledged proves that no newer view had formed when it was
 * sent. One round is in flight at a time; reads that arrive meanwhile share the next.
 */
final class ReadRounds {
  private final ReplicaSetup setup;
  private final Map<ReplicaId, Long> acknowledged = new TreeMap<>();
  private long latest;
  private long confirmed;
  private boolean next;
  private long sentAt;

  ReadRounds(ReplicaSetup setup) {
    this.setup = setup;
  }

  /** A new view: acknowledgements of older ones prove nothing. */
  void clear() {
    acknowledged.clear();
    confirmed = latest;
    next = false;
  }

  /** The round that a read arriving now waits for. Send {@link #due} afterwards. */
  long join() {
    if (!setup.enforces(Rule.ROUND_AFTER_ARRIVAL)) {
      return confirmed;
    }
    next = true;
    return latest + 1;
  }

  /**
   * The round to send now, or null: the next one when the last is confirmed, otherwise the last again after a heartbeat
   * interval.
   */
  ReadRound due(long now, long epoch) {
    if (setup.majority() == 1) {
      latest += next ? 1 : 0;
      confirmed = latest;
      next = false;
      return null;
    }
    if (next && confirmed == latest) {
      latest++;
      next = false;
    } else if (confirmed == latest || now - sentAt < setup.timing().heartbeatNanos()) {
      return null;
    }
    sentAt = now;
    return new ReadRound(epoch, latest);
  }

  void acknowledged(ReplicaId voter, long round) {
    acknowledged.merge(voter, Math.min(round, latest), Math::max);
    int others = setup.majority() - 1;
    if (acknowledged.size() >= others) {
      long[] rounds = acknowledged.values().stream().mapToLong(Long::longValue).toArray();
      Arrays.sort(rounds);
      confirmed = Math.max(confirmed, rounds[rounds.length - others]);
    }
  }

  boolean confirmed(long round) {
    return round <= confirmed;
  }
}
