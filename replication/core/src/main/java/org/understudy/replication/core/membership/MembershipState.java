package org.understudy.replication.core.membership;

import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.View;
import org.understudy.replication.core.Effects;
import org.understudy.replication.core.Message;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.Role;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.Timing;

/** What this replica has promised and accepted, and the status that follows from it. */
final class MembershipState {
  private static final long MILLISECOND = 1_000_000;

  private final ReplicaSetup setup;
  private final ReplicaId self;
  private final Loads loads;
  private final GroupClock clock;
  private final DatabaseReach database;
  private MembershipRecord record;
  /** The token of the last record. */
  private long stores;
  private Role role = Role.JOINING;
  private View view = View.NONE;
  private int wire;
  private long highestSeen;
  private long leaseGrantedUntil;
  /** When this incarnation promised last. */
  private long promisedAt;
  private long nextBeat;
  private long lastNotified;

  MembershipState(ReplicaSetup setup) {
    this.setup = setup;
    this.self = setup.self();
    this.loads = new Loads(self);
    this.clock = new GroupClock(setup);
    this.database = new DatabaseReach(setup);
    this.record = MembershipRecord.of(setup.recovered());
    this.highestSeen = record.promisedEpoch();
    // After a restart, the leases that the last incarnation granted are unknown.
    boolean granted = record.accepted().epoch() > 0 && setup.enforces(Rule.RESTART_AWAITS_LONGEST_LEASE);
    this.leaseGrantedUntil = granted ? setup.timing().longestLeaseNanos() : setup.timing().leaseNanos();
  }

  ReplicaSetup setup() {
    return setup;
  }

  /** The load indexes of the members. */
  Loads loads() {
    return loads;
  }

  /** The clocks of the group. */
  GroupClock clock() {
    return clock;
  }

  /** Which replicas reach the database. */
  DatabaseReach database() {
    return database;
  }

  MembershipRecord record() {
    return record;
  }

  Role role() {
    return role;
  }

  /** The view in which this incarnation is a member, or NONE. */
  View view() {
    return view;
  }

  /** The view this replica knows best: its current one, otherwise the one it last accepted. */
  View latestView() {
    return view.epoch() >= record.accepted().epoch() ? view : record.accepted();
  }

  /**
   * The wire version of the current view, of the last one in which this incarnation was a member, or of the state that it
   * received since; 0 before that.
   */
  int wire() {
    return wire;
  }

  /** The highest epoch that any replica has reported. */
  long highestSeen() {
    return highestSeen;
  }

  void saw(long epoch) {
    highestSeen = Math.max(highestSeen, epoch);
  }

  boolean isPrimary() {
    return role == Role.PRIMARY;
  }

  /** Whether this replica is the primary of its current view, begun or not. */
  boolean leads() {
    return self.equals(view.primary());
  }

  /** Whether a message of this epoch is stale. */
  boolean fenced(long epoch) {
    return epoch < record.promisedEpoch() && setup.enforces(Rule.FENCE_BY_EPOCH);
  }

  /** Whether messages of the epoch belong to this replica's current view. */
  boolean inView(long epoch) {
    return view.epoch() == epoch
        && epoch > 0
        && (record.promisedEpoch() == epoch || !setup.enforces(Rule.FENCE_BY_EPOCH));
  }

  /** Whether a lease that this replica granted is still valid. */
  boolean isBound(long now) {
    return now < leaseGrantedUntil && setup.enforces(Rule.LEASE_HOLDS_PROMISES);
  }

  /** The end of the lease that this replica granted last. */
  long leaseGrantedUntil() {
    return leaseGrantedUntil;
  }

  /** When this incarnation promised last; 0, its first step, if it has only repeated a promise. */
  long promisedAt() {
    return promisedAt;
  }

  /**
   * Promises no other candidate for a while.
   *
   * @param wantedMillis by the primary, because acknowledgements take long; 0 for the usual lease
   * @return for how long; 0 for the usual lease
   */
  int grantLease(long now, int wantedMillis) {
    Timing timing = setup.timing();
    long millis = Math.min(wantedMillis, timing.longestLeaseNanos() / MILLISECOND);
    boolean longer = millis * MILLISECOND > timing.leaseNanos();
    leaseGrantedUntil = Math.max(leaseGrantedUntil, now + (longer ? millis * MILLISECOND : timing.leaseNanos()));
    return longer ? (int) millis : 0;
  }

  // ---- changes

  void promise(long now, long epoch, ReplicaId candidate, boolean first, Effects out) {
    promisedAt = now;
    record = new MembershipRecord(epoch, candidate, record.accepted(), record.base(), record.admitted() || first);
    saw(epoch);
    if (setup.enforces(Rule.PERSIST_PROMISE)) {
      out.store(nextToken(), record);
    }
  }

  /** The token of the last record that was requested. */
  long lastToken() {
    return stores;
  }

  /** A token for a record: higher than all before. */
  long nextToken() {
    return ++stores;
  }

  /** @param lostBase the base of the replica that readmits this one, whose earlier views no longer count; or null */
  void readmit(long epoch, ReplicaId by, View lostBase, Effects out) {
    View accepted = lostBase != null ? lostBase : record.accepted();
    View base = lostBase != null ? lostBase : record.base();
    record = new MembershipRecord(epoch, by, accepted, base, true);
    saw(epoch);
    out.store(nextToken(), record);
  }

  void accept(View next, View base, boolean member, Effects out) {
    View before = record.base();
    record =
        new MembershipRecord(
            next.epoch(),
            record.promisedEpoch() == next.epoch() ? record.promisedTo() : next.primary(),
            next,
            base.epoch() > before.epoch() ? base : before,
            record.admitted() || member);
    saw(next.epoch());
    out.store(nextToken(), record);
  }

  void enter(View next, int version) {
    view = next;
    wire = version;
  }

  /** This joiner now holds a state that is written in this wire version. */
  void received(int version) {
    wire = version;
  }

  void leave() {
    view = View.NONE;
  }

  void become(Role next, Effects out) {
    if (role != next || lastNotified != latestView().epoch()) {
      role = next;
      lastNotified = latestView().epoch();
      out.changed(role, latestView());
    }
  }

  // ---- messages

  /** Whether the periodic message is due: a heartbeat or a request to join. */
  boolean isBeatDue(long now) {
    return now >= nextBeat;
  }

  /** Records that it was sent, or is to be skipped once. */
  void beat(long now) {
    nextBeat = now + setup.timing().heartbeatNanos();
  }

  void sendToOthers(Message message, Effects out) {
    for (ReplicaId replica : setup.configured()) {
      if (!replica.equals(self)) {
        out.send(replica, message);
      }
    }
  }
}
