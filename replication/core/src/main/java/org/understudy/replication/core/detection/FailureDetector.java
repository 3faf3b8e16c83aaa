package org.understudy.replication.core.detection;

import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.Rule;

/**
 * Decides which replicas have failed. A replica is alive when it makes progress: a member when its acknowledged index or
 * its acknowledged heartbeat advances, a primary when it sends heartbeats with authority. Other messages prove only that
 * one direction of a link works. What shows life counts from its arrival. The authority of a primary counts from when it sent what was
 * acknowledged, because a connection delivers old acknowledgements also when the voters have promised another view.
 *
 * <p>Times are nanoseconds of this replica's monotonic clock. Wrong suspicion costs availability, never correctness.
 */
public final class FailureDetector {
  private static final long NEVER = Long.MIN_VALUE / 2;
  /** How many times late ticks of this replica restart the timer of a silent replica. */
  private static final int MAX_RESTARTS = 3;

  /** What one member of the primary's view has acknowledged, and the time of its last progress. */
  private static final class MemberProgress {
    private long index = -1;
    private long indexSince;
    /** When it last acknowledged more of what this primary has sent itself. */
    private long heardSince;
    private boolean outstanding = true;
    private long heartbeat = NEVER;
    private long heartbeatSince;
    /** Restarts by late ticks and disks since the member's last progress. */
    private int restarts;

    MemberProgress(long now) {
      indexSince = now;
      heardSince = now;
      heartbeatSince = now;
    }
  }

  private final ReplicaSetup setup;
  private final long suspectNanos;
  private final Map<ReplicaId, Long> received = new TreeMap<>();
  private final Set<ReplicaId> hinted = new TreeSet<>();
  private final Map<ReplicaId, MemberProgress> members = new TreeMap<>();
  /** Members of the current view that have lost their state since it began. */
  private final Set<ReplicaId> withoutState = new TreeSet<>();
  /** Members that had acknowledged nothing outstanding at the last query. */
  private final Set<ReplicaId> stuck = new TreeSet<>();
  /** When this primary has sent the last message of its epoch that each voter has acknowledged, as far as it knows. */
  private final Map<ReplicaId, Long> acknowledged = new TreeMap<>();
  /** When each voter last answered the proposal of the view that this replica leads. */
  private final Map<ReplicaId, Long> answered = new TreeMap<>();
  private final PrimaryContact contact = new PrimaryContact();
  private long authorityAt = NEVER;
  /** Restarts by late ticks and disks since the primary last showed authority. */
  private int authorityRestarts;
  private long lastTick = NEVER;
  private final StorageProgress storage;

  public FailureDetector(ReplicaSetup setup) {
    this.setup = setup;
    this.suspectNanos = setup.timing().suspectNanos();
    this.storage = new StorageProgress(setup);
  }

  /**
   * Restarts the timers when this replica itself was late, because silence during that time proves nothing. The number of
   * consecutive restarts is limited, because a replica that is late at every tick would never suspect a silent one.
   *
   * @param requested the token of the last record that this replica has requested to store
   */
  public void tick(long now, long requested) {
    storage.observe(requested, now);
    boolean late = lastTick != NEVER && now - lastTick > suspectNanos / 2;
    lastTick = now;
    if (late && setup.enforces(Rule.LATE_TICK_RESTARTS_TIMERS)) {
      if (mayRestart(storage.restarts())) {
        storage.restart(now);
      }
      restart(now);
    }
  }

  /** Counts silence from this time on, if it began before. */
  private void restart(long since) {
    if (mayRestart(authorityRestarts)) {
      authorityRestarts++;
      authorityAt = Math.max(authorityAt, since);
    }
    for (MemberProgress member : members.values()) {
      if (mayRestart(member.restarts)) {
        member.restarts++;
        member.indexSince = Math.max(member.indexSince, since);
        member.heardSince = Math.max(member.heardSince, since);
        member.heartbeatSince = Math.max(member.heartbeatSince, since);
      }
    }
  }

  private boolean mayRestart(int restarts) {
    return restarts < MAX_RESTARTS || !setup.enforces(Rule.LATE_TICKS_ARE_BOUNDED);
  }

  // ------------------------------------------------------------------------------------------------ any replica

  /**
   * Records that this replica's records up to this token are durable. When it has waited long for them, the others get half of the
   * suspicion time: disks that hang together do not answer in the same moment. As for late ticks, consecutive restarts are limited.
   */
  public void stored(long token, long now) {
    if (isStorageLate(now)) {
      restart(now - suspectNanos / 2);
    }
    storage.stored(token, now);
  }

  /** Whether this replica's disk has made nothing durable for the suspicion time, although records wait. */
  public boolean isStorageStuck(long now) {
    return storage.isStuck(now) && setup.enforces(Rule.STUCK_DISK_HAS_NO_AUTHORITY);
  }

  /** Whether this replica should neither start nor support an election, because it could not store its promise soon. */
  public boolean isStorageLate(long now) {
    return storage.isLate(now) && setup.enforces(Rule.WAITING_DISK_MOVES_NO_VIEW);
  }

  public void received(ReplicaId replica, long now) {
    received.put(replica, now);
    hinted.remove(replica);
  }

  /** Takes a hint that the process is gone; the next message of the replica cancels it. */
  public void hint(ReplicaId replica) {
    hinted.add(replica);
  }

  /** Whether the replica is unlikely to answer soon. */
  public boolean isUnresponsive(ReplicaId replica, long now) {
    return withoutState.contains(replica) || stuck.contains(replica) || isSilent(replica, now);
  }

  private boolean isSilent(ReplicaId replica, long now) {
    return hinted.contains(replica) || now - received.getOrDefault(replica, NEVER) > suspectNanos;
  }

  /**
   * Records that a member of the current view has lost its state since the view began. It is no longer a member, whatever
   * it sends.
   */
  public void lostState(ReplicaId member) {
    withoutState.add(member);
  }

  /** Whether the replica sent a message within the suspicion time. */
  public boolean hears(ReplicaId replica, long now) {
    return now - received.getOrDefault(replica, NEVER) <= suspectNanos;
  }

  /** Whether a majority of the configured replicas, this one among them, sent messages within the suspicion time. */
  public boolean hearsMajority(long now) {
    return isMajority(received, now);
  }

  // ------------------------------------------------------------------------------------------------ backup

  /** Resets what was recorded about members when this replica accepts a new view. */
  public void accepted(ReplicaId primary, long now) {
    withoutState.clear();
    stuck.clear();
    members.clear();
    acknowledged.clear();
    answered.clear();
    received(primary, now);
    primaryAlive(primary, now);
    contact.accepted(now);
  }

  /** Records that the primary of the accepted view showed authority, or that the view is new. */
  public void primaryAlive(ReplicaId primary, long now) {
    authorityAt = now;
    authorityRestarts = 0;
    hinted.remove(primary);
  }

  /**
   * Records a heartbeat with authority.
   *
   * @param sentAt when the primary of the accepted view sent it, on its clock
   */
  public void heartbeat(ReplicaId primary, long sentAt, long now) {
    primaryAlive(primary, now);
    contact.heard(sentAt, now);
  }

  /**
   * Whether the primary sent a heartbeat within the suspicion time. Unlike suspicion, this gives no time to a replica that was late itself:
   * the others may have gone on without it.
   */
  public boolean hearsPrimary(long now) {
    return now - contact.sentAt() <= suspectNanos || !setup.enforces(Rule.MEMBER_WRITABLE_WHILE_HEARD);
  }

  public boolean isPrimarySuspect(ReplicaId primary, long now) {
    return now > primarySuspectAt(primary);
  }

  /** The time at which the primary becomes suspect; in the past when its process is known to be gone. */
  public long primarySuspectAt(ReplicaId primary) {
    if (hinted.contains(primary) || withoutState.contains(primary)) {
      return NEVER;
    }
    long last = setup.enforces(Rule.LIFE_IS_PROGRESS) ? authorityAt : received.getOrDefault(primary, authorityAt);
    return last + suspectNanos;
  }

  // ------------------------------------------------------------------------------------------------ primary

  /**
   * Starts the timers of the members of a view that this replica leads.
   *
   * @param asked when this replica asked its voters for what they have answered: for their promises, or to accept the view
   */
  public void lead(long now, long asked, Collection<ReplicaId> view, Collection<ReplicaId> voters) {
    members.clear();
    acknowledged.clear();
    answered.clear();
    hinted.clear();
    for (ReplicaId member : view) {
      if (!member.equals(setup.self())) {
        members.put(member, new MemberProgress(now));
        received.put(member, now);
      }
    }
    for (ReplicaId voter : voters) {
      acknowledged(voter, asked, now);
      answered(voter, now);
    }
  }

  /**
   * Records that a voter acknowledged a message of this epoch.
   *
   * @param sentAt when this replica sent the message, or an earlier time
   */
  public void acknowledged(ReplicaId voter, long sentAt, long now) {
    acknowledged.merge(voter, setup.enforces(Rule.AUTHORITY_FROM_SENDING) ? sentAt : now, Math::max);
  }

  /** Records that a voter answered the proposal of the view, or acknowledged an update with which the view is to begin. */
  public void answered(ReplicaId voter, long now) {
    answered.put(voter, now);
  }

  /** Whether a majority answers the proposal of the view that this replica leads: then it goes on proposing it. */
  public boolean isAnswered(long now) {
    return isMajority(answered, now) && !isStorageStuck(now);
  }

  /** Records that a replica acknowledged the heartbeat sent at this time. */
  public void acknowledgedHeartbeat(ReplicaId replica, long sentAt, long now) {
    MemberProgress member = members.get(replica);
    if (member != null && sentAt > member.heartbeat) {
      member.heartbeat = sentAt;
      member.heartbeatSince = now;
      if (!member.outstanding) {
        member.restarts = 0;
      }
    }
  }

  /**
   * Records what a member has acknowledged of the updates up to {@code end}. Called at each tick.
   *
   * @param own whether this replica sends the updates itself; otherwise an acknowledgement does not show that the member hears it
   */
  public void acknowledgedIndex(ReplicaId replica, long index, long end, boolean own, long now) {
    MemberProgress member = members.get(replica);
    if (member == null) {
      return;
    }
    boolean outstanding = index < end;
    boolean advanced = index > member.index;
    if ((outstanding && !member.outstanding) || (advanced && (!outstanding || setup.enforces(Rule.SLOW_MEMBER_STAYS)))) {
      member.indexSince = now;
      member.heardSince = own ? now : member.heardSince;
      member.restarts = 0;
    }
    member.index = Math.max(member.index, index);
    member.outstanding = outstanding;
  }

  /**
   * Whether a member has not shown for half of the suspicion time that it hears this primary, neither by acknowledging a heartbeat nor an
   * update that this replica has sent.
   */
  public boolean isSomeUnheard(long now) {
    return members.values().stream().anyMatch(member -> now - Math.max(member.heardSince, member.heartbeatSince) > suspectNanos / 2);
  }

  /** Whether updates are outstanding at this member and it acknowledges none of them. */
  public boolean isStuck(ReplicaId replica, long now) {
    MemberProgress member = members.get(replica);
    return member != null && member.outstanding && now - member.indexSince > suspectNanos;
  }

  /**
   * Records which of these members are stuck. They count as unresponsive until a view is accepted or this is called again.
   */
  public void noteStuck(Collection<ReplicaId> some, long now) {
    stuck.clear();
    for (ReplicaId member : some) {
      if (isStuck(member, now)) {
        stuck.add(member);
      }
    }
  }

  /** The members that were last recorded as stuck. */
  public Set<ReplicaId> stuck() {
    return stuck;
  }

  /** Whether this member has lost its state, or has made no progress for the suspicion time. */
  public boolean isFailed(ReplicaId replica, long now) {
    if (withoutState.contains(replica)) {
      return true;
    }
    MemberProgress member = members.get(replica);
    if (hinted.contains(replica) || member == null || !setup.enforces(Rule.LIFE_IS_PROGRESS)) {
      return isSilent(replica, now);
    }
    boolean stuck = member.outstanding && now - member.indexSince > suspectNanos;
    return stuck || now - Math.max(member.heardSince, member.heartbeatSince) > suspectNanos;
  }

  /**
   * Whether a majority of the configured replicas, this one among them, acknowledged what this one sent within the suspicion time, and its
   * own disk is not stuck.
   */
  public boolean hasAuthority(long now) {
    return isMajority(acknowledged, now) && !isStorageStuck(now);
  }

  private boolean isMajority(Map<ReplicaId, Long> times, long now) {
    int count = 1;
    for (Map.Entry<ReplicaId, Long> entry : times.entrySet()) {
      if (!entry.getKey().equals(setup.self()) && now - entry.getValue() <= suspectNanos) {
        count++;
      }
    }
    return count >= setup.majority();
  }
}
