package org.understudy.replication.core.membership;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.Effects;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.time.ClockReading;
import org.understudy.replication.core.time.GroupTime;

/**
 * The two clocks of a group as one replica knows them. One counts: whoever leads adds what its monotonic clock shows, and its heartbeats
 * tell it to the others, so that a new primary goes on from there. The other is the wall clock of a majority of all replicas whose clocks
 * agree, as early as one of them shows. A clock that was set, or whose machine was suspended, is not counted among them before it agrees
 * with the others again, or has gone steadily for {@link #SETTLING_NANOS}. While no such majority is known, the monotonic clock adds to
 * what was agreed last.
 *
 * <p>The sender's clocks are read when a message is sent and compared when it arrives, so both clocks can be late by its way, and are
 * never early by it.
 */
final class GroupClock {
  /** A clock that was set counts again after this time, although it does not agree with a majority. */
  static final long SETTLING_NANOS = 600_000_000_000L;
  /** Unless a clock is set, it gains or loses at most one part in so many of the time that passes, also while NTP corrects it. */
  private static final int STEADY = 20;
  /** Suspicion times for which the clock of a replica counts that has not answered since. */
  private static final int SILENT_SUSPICIONS = 3;

  private static final long SECOND = 1_000_000_000L;

  private final ReplicaSetup setup;
  private final ReplicaId self;
  private final Map<ReplicaId, Sample> samples = new TreeMap<>();

  /** The clocks of this step, and whether there was one before. */
  private long now;
  private long own;
  private boolean begun;
  /** By how much the own wall clock is ahead of the monotonic one while nobody sets it. */
  private long usual;
  /** Whether it was set and has not settled since, and when. */
  private boolean set;
  private long setAt;
  private boolean disagrees;

  /** By how much the clocks of the group are ahead of the monotonic one of this replica. */
  private long counted;
  private boolean counts;
  private long wall;
  private boolean agreed;
  /** The view whose primary told the counted time last, and when. */
  private long toldIn;
  private long toldAt;

  /** By how much the wall clock of another replica is ahead of the monotonic one of this replica, when its message arrived. */
  private record Sample(long ahead, long at) {}

  GroupClock(ReplicaSetup setup) {
    this.setup = setup;
    this.self = setup.self();
  }

  /** Called first at each step, with the clocks of this replica. */
  void step(long monotonic, long ownWall, Effects out) {
    long ahead = ownWall - monotonic;
    if (begun) {
      long steady = Math.max(0, monotonic - now) / STEADY;
      usual += Math.max(-steady, Math.min(ahead - usual, steady));
    } else {
      usual = ahead;
    }
    begun = true;
    now = monotonic;
    own = ahead;
    if (Math.abs(ahead - usual) > ClockReading.AGREEMENT_NANOS) {
      usual = ahead;
      set = true;
      setAt = now;
    }
    if (set && (agreed && agrees() || now - setAt > SETTLING_NANOS)) {
      set = false;
    }
    report(out);
  }

  private boolean agrees() {
    return Math.abs(own - wall) <= ClockReading.AGREEMENT_NANOS;
  }

  private void report(Effects out) {
    boolean before = disagrees;
    disagrees = agreed && !agrees();
    if (disagrees && !before) {
      long seconds = (Math.abs(own - wall) + SECOND / 2) / SECOND;
      out.warn(
          "The wall clock of replica " + self + " is " + seconds + " s " + (own > wall ? "ahead of" : "behind")
              + " the clocks of a majority of the replicas. It decides about no lifetime until it agrees with them. Have it set by NTP.");
    } else if (before && !disagrees) {
      out.inform("The wall clock of replica " + self + " agrees with those of a majority of the replicas again.");
    }
  }

  /** What this replica tells about its own wall clock: {@link GroupTime#UNKNOWN} while it does not count. */
  long told() {
    return set && setup.enforces(Rule.SET_CLOCK_DOES_NOT_COUNT) ? GroupTime.UNKNOWN : now + own;
  }

  // ---- at the primary

  /** Another replica has told its wall clock. */
  void answered(ReplicaId from, long itsWall) {
    if (itsWall == GroupTime.UNKNOWN) {
      samples.remove(from);
    } else {
      samples.put(from, new Sample(itsWall - now, now));
    }
  }

  /** The clocks of the group, for the next heartbeat of the primary. */
  GroupTime lead(Effects out) {
    long oldest = now - SILENT_SUSPICIONS * setup.timing().suspectNanos();
    samples.values().removeIf(sample -> sample.at() < oldest);
    compare();
    if (!counts && agreed) {
      counts = true;
      counted = wall;
    }
    publish(out);
    return new GroupTime(counts ? now + counted : GroupTime.UNKNOWN, agreed ? now + wall : GroupTime.UNKNOWN);
  }

  /** What a majority of clocks show that agree; as long as there is none, what such a majority has shown goes on. */
  private void compare() {
    long told = told();
    if (!setup.enforces(Rule.MAJORITY_OF_CLOCKS)) {
      agree(own);
      return;
    }
    LongStream others = samples.values().stream().mapToLong(Sample::ahead);
    long[] ahead = (told == GroupTime.UNKNOWN ? others : LongStream.concat(others, LongStream.of(own))).sorted().toArray();
    int majority = setup.majority();
    for (int last = ahead.length - 1; last >= majority - 1; last--) {
      long first = ahead[last - majority + 1];
      if (ahead[last] - first <= ClockReading.AGREEMENT_NANOS) {
        agree(first);
        return;
      }
    }
    if (!agreed && ahead.length == setup.configured().size()) {
      agree(ahead[ahead.length - majority]);
    }
  }

  private void agree(long ahead) {
    wall = ahead;
    agreed = true;
  }

  // ---- at the others

  /** The primary of this view has told the clocks of the group. */
  void heard(long epoch, GroupTime time, Effects out) {
    if (time.counted() != GroupTime.UNKNOWN && setup.enforces(Rule.COUNTED_TIME_GOES_ON)) {
      long ahead = time.counted() - now;
      // A heartbeat that was late shows an earlier time than the one before.
      counted = counts && epoch == toldIn ? Math.max(ahead, counted - (now - toldAt) / STEADY) : ahead;
      counts = true;
      toldIn = epoch;
      toldAt = now;
    }
    if (time.wall() != GroupTime.UNKNOWN) {
      agree(time.wall() - now);
    }
    publish(out);
  }

  private void publish(Effects out) {
    long shown = agreed ? wall : own;
    out.time(new ClockReading(counts ? counted : shown, shown));
  }
}
