package org.understudy.replication.core.membership;

import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.View;
import org.understudy.replication.core.Effects;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.Rule;

/**
 * The primary's record of replicas that it left out of its views and of joiners that it invited without success: each waits
 * longer before its next invitation. Meanwhile it votes and receives the state. A new primary begins with an empty record.
 */
final class Quarantine {
  static final long MAX_NANOS = 60_000_000_000L;
  /** A shorter wait is not reported. */
  private static final long REPORTED_NANOS = 1_000_000_000L;

  private static final class Entry {
    private int times;
    private long until;
    private boolean reported;
    /** {@link #NO_MEMBER} while the replica is not a member. */
    private long memberSince = NO_MEMBER;
  }

  private static final long NO_MEMBER = Long.MAX_VALUE;

  private final ReplicaSetup setup;
  private final Map<ReplicaId, Entry> entries = new TreeMap<>();
  private View led = View.NONE;
  /** The joiners to include in the next view. */
  private final Set<ReplicaId> invited = new TreeSet<>();

  Quarantine(ReplicaSetup setup) {
    this.setup = setup;
  }

  /** Clears the record, because another replica leads. */
  void clear() {
    entries.clear();
    invited.clear();
    led = View.NONE;
  }

  /** Records that these joiners are asked for a promise; those in quarantine are not expected to join the view. */
  void invite(Collection<ReplicaId> joiners, long now) {
    invited.addAll(joiners);
    invited.removeAll(replicas(now));
  }

  /** Called when a view that this replica leads has begun. */
  void begun(View view, long now) {
    Set<ReplicaId> absent = new TreeSet<>(led.members());
    if (setup.enforces(Rule.QUARANTINE_ABSENT_JOINERS)) {
      absent.addAll(invited);
    }
    absent.removeAll(view.members());
    for (ReplicaId replica : absent) {
      leftOut(entries.computeIfAbsent(replica, r -> new Entry()), now);
    }
    invited.clear();
    for (ReplicaId member : view.members()) {
      Entry entry = entries.get(member);
      if (entry != null && !led.contains(member)) {
        entry.memberSince = now;
      }
    }
    led = view;
  }

  /** The first exclusion has no delay, so that a restarted replica is a member again at once. */
  private void leftOut(Entry entry, long now) {
    boolean reformed = entry.memberSince != NO_MEMBER && now - entry.memberSince > MAX_NANOS;
    entry.times = reformed ? 1 : entry.times + 1;
    long delay = 0;
    if (entry.times > 1) {
      int doublings = Math.min(entry.times - 2, 20);
      delay = Math.min(MAX_NANOS, setup.timing().suspectNanos() << doublings);
    }
    entry.until = now + delay;
    entry.reported = false;
    entry.memberSince = NO_MEMBER;
  }

  /** The replicas that are still in quarantine. */
  Set<ReplicaId> replicas(long now) {
    Set<ReplicaId> waiting = new TreeSet<>();
    if (setup.enforces(Rule.QUARANTINE_FLAPPING)) {
      entries.forEach((replica, entry) -> {
        if (now < entry.until) {
          waiting.add(replica);
        }
      });
    }
    return waiting;
  }

  /** The milliseconds that each replica in quarantine still waits. */
  Map<ReplicaId, Long> waits(long now) {
    if (entries.isEmpty()) {
      return Map.of();
    }
    Map<ReplicaId, Long> waits = new TreeMap<>();
    replicas(now).forEach(replica -> waits.put(replica, (entries.get(replica).until - now) / 1_000_000));
    return waits;
  }

  /**
   * Reports once for each wait that a replica is not a member, though it could be one.
   *
   * @param ready joiners that are up to date
   */
  void report(Collection<ReplicaId> ready, long now, Effects out) {
    for (ReplicaId replica : replicas(now)) {
      Entry entry = entries.get(replica);
      long left = entry.until - now;
      if (ready.contains(replica) && !entry.reported && left >= REPORTED_NANOS) {
        entry.reported = true;
        out.warn(
            "Replica " + replica + " is up to date and waits until it is a member, for " + (left + 500_000_000L) / 1_000_000_000L
                + " s at most: it was left out of " + entry.times + " views and never a member for " + MAX_NANOS / 1_000_000_000L
                + " s in between, so each wait is longer. Find out in its log and at its machine why it restarts or falls silent.");
      }
    }
  }
}
