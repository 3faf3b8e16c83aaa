package org.understudy.replication.core.membership;

import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.View;
import org.understudy.replication.core.Effects;
import org.understudy.replication.core.Message;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.Role;
import org.understudy.replication.core.Rule;

/** What this replica has promised and accepted, and what it is by that. */
final class MembershipState {
  private final ReplicaSetup setup;
  private final ReplicaId self;
  private MembershipRecord record;
  /** How often a record was stored in this life: the token of the last time. */
  private long stores;
  private Role role = Role.JOINING;
  private View view = View.NONE;
  private int wire;
  private long highestSeen;
  private long leaseGrantedUntil;
  private long nextBeat;
  private long lastNotified;

  MembershipState(ReplicaSetup setup) {
    this.setup = setup;
    this.self = setup.self();
    this.record = MembershipRecord.of(setup.recovered());
    this.highestSeen = record.promisedEpoch();
    // This life does not know which leases the last one granted.
    this.leaseGrantedUntil = setup.timing().leaseNanos();
  }

  ReplicaSetup setup() {
    return setup;
  }

  MembershipRecord record() {
    return record;
  }

  Role role() {
    return role;
  }

  /** The view this life takes part in as a member, or NONE. */
  View view() {
    return view;
  }

  /** The view this replica knows best: the one it is in, else the one it last accepted. */
  View latestView() {
    return view.epoch() >= record.accepted().epoch() ? view : record.accepted();
  }

  /** In which version the view is written, or the last one that this life was a member of; 0 before the first. */
  int wire() {
    return wire;
  }

  /** The highest epoch that any replica has been heard to know. */
  long highestSeen() {
    return highestSeen;
  }

  void saw(long epoch) {
    highestSeen = Math.max(highestSeen, epoch);
  }

  boolean isPrimary() {
    return role == Role.PRIMARY;
  }

  /** Whether the view that this replica is in, begun or not, is its own. */
  boolean leads() {
    return self.equals(view.primary());
  }

  /** Whether a message of this epoch comes from the past. */
  boolean fenced(long epoch) {
    return epoch < record.promisedEpoch() && setup.enforces(Rule.FENCE_BY_EPOCH);
  }

  /** Whether messages of the epoch belong to the view that this replica is in and has not given up. */
  boolean inView(long epoch) {
    return view.epoch() == epoch
        && epoch > 0
        && (record.promisedEpoch() == epoch || !setup.enforces(Rule.FENCE_BY_EPOCH));
  }

  /** Whether a lease that this replica granted still runs. */
  boolean isBound(long now) {
    return now < leaseGrantedUntil && setup.enforces(Rule.LEASE_HOLDS_PROMISES);
  }

  /** Until when the lease runs that this replica granted last. */
  long leaseGrantedUntil() {
    return leaseGrantedUntil;
  }

  void grantLease(long now) {
    leaseGrantedUntil = Math.max(leaseGrantedUntil, now + setup.timing().leaseNanos());
  }

  // ---- changes

  void promise(long epoch, ReplicaId candidate, boolean first, Effects out) {
    record = new MembershipRecord(epoch, candidate, record.accepted(), record.base(), record.admitted() || first);
    saw(epoch);
    if (setup.enforces(Rule.PERSIST_PROMISE)) {
      out.store(++stores, record);
    }
  }

  /** @param forgotten the base of the replica that readmits this one: what it was in before counts no more; or null */
  void readmit(long epoch, ReplicaId by, View forgotten, Effects out) {
    View accepted = forgotten != null ? forgotten : record.accepted();
    View base = forgotten != null ? forgotten : record.base();
    record = new MembershipRecord(epoch, by, accepted, base, true);
    saw(epoch);
    out.store(++stores, record);
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
    out.store(++stores, record);
  }

  void enter(View next, int version) {
    view = next;
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

  /** Whether what this replica sends at each heartbeat's time is due, be it a heartbeat or a request to join. */
  boolean isBeatDue(long now) {
    return now >= nextBeat;
  }

  /** It was sent, or is not to be sent before the next time. */
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
