package org.understudy.replication.core.membership;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.View;
import org.understudy.replication.core.Effects;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.Role;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.detection.FailureDetector;
import org.understudy.replication.core.membership.MembershipMessage.Accepted;
import org.understudy.replication.core.membership.MembershipMessage.Heartbeat;
import org.understudy.replication.core.membership.MembershipMessage.HeartbeatAck;
import org.understudy.replication.core.membership.MembershipMessage.NewView;
import org.understudy.replication.core.membership.MembershipMessage.ReadRound;
import org.understudy.replication.core.membership.MembershipMessage.ReadRoundAck;

/**
 * The primary's side of a view: begins it when all members and a majority have accepted it, maintains its authority by
 * heartbeats, and decides when to form another.
 */
final class Leadership {
  private final ReplicaSetup setup;
  private final ReplicaId self;
  private final MembershipState state;
  private final Campaign campaign;
  private final FailureDetector detector;
  private final ReplicatedLog log;
  private final ViewAcceptance acceptance;
  private final Lease lease;
  private final ReadRounds rounds;
  private final UpdateSendTimes updates;
  private final LeaseWatch leases;
  private final Quarantine quarantine;
  private final RoundTrips roundTrips = new RoundTrips();
  /** When this replica began to propose the view that it leads. */
  private long proposedAt;

  Leadership(MembershipState state, Campaign campaign, FailureDetector detector, ReplicatedLog log) {
    this.setup = state.setup();
    this.self = setup.self();
    this.state = state;
    this.campaign = campaign;
    this.detector = detector;
    this.log = log;
    this.acceptance = new ViewAcceptance(setup);
    this.lease = new Lease(setup);
    this.rounds = new ReadRounds(setup);
    this.updates = new UpdateSendTimes(setup.timing());
    this.leases = new LeaseWatch(setup);
    this.quarantine = new Quarantine(setup);
  }

  // ------------------------------------------------------------------------------------------------ authority

  boolean hasAuthority(long now) {
    return state.isPrimary() && detector.hasAuthority(now) && !givesWay(now);
  }

  /** Whether this primary leaves the next view to the others. */
  boolean givesWay(long now) {
    return state.isPrimary() && state.database().givesWay(now);
  }

  /** Whether this primary may execute updates: enough members, and enough acknowledgements of what it sent lately. */
  boolean mayExecute(long now) {
    return hasAuthority(now) && !setup.lacksQuorum(state.view());
  }

  /**
   * Whether this primary is the only one that may execute updates. Without a lease, backups that have found its port closed may have formed
   * another view: what it executes then becomes stable only if they have not.
   */
  boolean isWritable(long now) {
    return mayExecute(now) && (lease.isHeld(now) || !setup.enforces(Rule.WRITABLE_UNDER_LEASE));
  }

  Lease lease() {
    return lease;
  }

  long joinRound(long now, Effects out) {
    long round = rounds.join();
    sendRound(now, out);
    return round;
  }

  boolean isConfirmed(long round) {
    return rounds.confirmed(round);
  }

  private void sendRound(long now, Effects out) {
    ReadRound due = rounds.due(now, state.view().epoch());
    if (due != null) {
      state.sendToOthers(due, out);
    }
  }

  private void heartbeat(long now, Effects out) {
    state.beat(now);
    boolean majority = hasAuthority(now);
    if (!majority) {
      state.loads().forget(out);
    }
    if (log.sendsUpdates()) {
      updates.mark(log.received(), now);
    }
    boolean authority = majority || !setup.enforces(Rule.HEARTBEAT_SHOWS_AUTHORITY);
    Heartbeat beat =
        new Heartbeat(
            state.view(), state.record().base(), lease.sendTime(now), log.received(), log.stable(), authority,
            state.wire(), state.loads().ofView(state.view(), out), state.clock().lead(out),
            lease.wantedMillis(roundTrips.ofOthers(setup.majority() - 1)));
    state.sendToOthers(beat, out);
  }

  void onHeartbeatAck(long now, ReplicaId from, HeartbeatAck ack) {
    if (!state.isPrimary() || ack.epoch() != state.view().epoch()) {
      return;
    }
    detector.acknowledgedHeartbeat(from, ack.sentAt(), now);
    roundTrips.measured(from, now - ack.sentAt());
    if (state.view().contains(from)) {
      state.loads().reported(ack.epoch(), from, ack.load());
    }
    state.clock().answered(from, ack.wall());
    state.database().told(now, from, ack.database());
    if (ack.voter()) {
      detector.acknowledged(from, ack.sentAt(), now);
      if (ack.lease()) {
        lease.acknowledged(from, ack.sentAt(), ack.leaseMillis());
      }
    }
  }

  RoundTrips roundTrips() {
    return roundTrips;
  }

  /** A member has acknowledged the updates up to this one. This grants no lease. */
  void onUpdateAcknowledged(long now, ReplicaId member, long index) {
    if (setup.enforces(Rule.UPDATES_SHOW_AUTHORITY)) {
      detector.answered(member, now);
      detector.acknowledged(member, updates.before(index), now);
    }
  }

  void onReadRoundAck(long now, ReplicaId from, ReadRoundAck ack, Effects out) {
    if (state.isPrimary() && ack.epoch() == state.view().epoch()) {
      rounds.acknowledged(from, ack.round());
      sendRound(now, out);
    }
  }

  // ------------------------------------------------------------------------------------------------ a view begins

  /** Called when this replica has accepted another view, as a member or not. */
  void accepted(View next) {
    acceptance.clear();
    if (!self.equals(next.primary())) {
      quarantine.clear();
      state.database().clear();
    }
  }

  /** Called when this replica is a member of the proposed view. */
  void propose(long now, NewView proposal) {
    acceptance.propose(proposal);
    if (state.leads()) {
      proposedAt = now;
      detector.lead(now, state.promisedAt(), state.view().members(), proposal.voters());
    }
  }

  /** Whether the view includes this incarnation of its member, as far as this replica knows. */
  boolean names(ReplicaId member, long incarnation) {
    return acceptance.names(state.view(), member, incarnation);
  }

  void onAccepted(long now, ReplicaId from, Accepted message, Effects out) {
    if (!state.inView(message.epoch()) || !state.leads() || state.role() != Role.CHANGING) {
      return;
    }
    acceptance.add(from);
    if (acceptance.voters().contains(from)) {
      detector.answered(from, now);
    }
    if (message.member() && state.view().contains(from)) {
      acceptance.addMember(from);
      if (!from.equals(self)) {
        log.synchronise(now, from, message.received(), out);
      }
    }
    progress(now, out);
  }

  /** Begins the view if its conditions are met. */
  void progress(long now, Effects out) {
    View view = state.view();
    if (state.role() != Role.CHANGING || !state.inView(view.epoch()) || !state.leads()) {
      return;
    }
    if (!acceptance.hasMajority() && setup.enforces(Rule.MAJORITY_PROMISES)) {
      return;
    }
    if (setup.enforces(Rule.EVERY_MEMBER_SYNCHRONISED) && !view.members().stream().allMatch(this::isSynchronised)) {
      return;
    }
    lease.clear();
    state.database().clear();
    rounds.clear();
    roundTrips.clear();
    updates.clear();
    leases.begun(now);
    detector.lead(now, proposedAt, view.members(), acceptance.acceptingVoters());
    quarantine.begun(view, now);
    campaign.allow(now);
    state.become(Role.PRIMARY, out);
    log.begin(now, out);
    heartbeat(now, out);
  }

  private boolean isSynchronised(ReplicaId member) {
    boolean upToDate = member.equals(self) || log.acknowledged(member) >= acceptance.start();
    return upToDate && acceptance.hasMember(member);
  }

  // ------------------------------------------------------------------------------------------------ time

  void tickPrimary(long now, Effects out) {
    state.database().tick(now);
    if (state.isBeatDue(now)) {
      heartbeat(now, out);
    }
    sendRound(now, out);
    leases.tick(now, mayExecute(now) && !isWritable(now), out);
    measureProgress(now, log.received());
    if (!waiting(now).isEmpty()) {
      quarantine.report(log.ready(now), now, out);
    }
  }

  /** Whether this primary should form another view: without a failed member, or with a joiner. */
  boolean wantsAnotherView(long now) {
    return hasAuthority(now) && (memberFailed(now) || joinerReady(now));
  }

  /**
   * Called when a promise is given for another view, or when this one has not begun.
   *
   * @return whether this replica leads a view that only waits for members that make progress
   */
  boolean tickChanging(long now, Effects out) {
    if (state.view().epoch() != state.record().promisedEpoch() || !state.leads()) {
      return false;
    }
    measureProgress(now, acceptance.start());
    // A primary without answers stops proposing its view, so that another replica may lead.
    if (state.isBeatDue(now) && detector.isAnswered(now)) {
      state.beat(now);
      state.sendToOthers(acceptance.proposal(state.view(), state.record().base()), out);
    }
    return membersCatchUp(now);
  }

  /** The replicas that are members only after a wait, with its milliseconds. */
  Map<ReplicaId, Long> waiting(long now) {
    return setup.lacksQuorum(state.view()) ? Map.of() : quarantine.waits(now);
  }

  private boolean memberFailed(long now) {
    for (ReplicaId member : state.view().members()) {
      if (!member.equals(self) && detector.isFailed(member, now)) {
        return true;
      }
    }
    return false;
  }

  private boolean joinerReady(long now) {
    List<ReplicaId> ready = log.ready(now);
    return setup.lacksQuorum(state.view()) ? !ready.isEmpty() : !quarantine.replicas(now).containsAll(ready);
  }

  private void measureProgress(long now, long end) {
    for (ReplicaId member : state.view().members()) {
      if (!member.equals(self)) {
        detector.acknowledgedIndex(member, log.acknowledged(member), end, log.sendsUpdates(), now);
      }
    }
  }

  private boolean membersCatchUp(long now) {
    boolean waits = false;
    for (ReplicaId member : state.view().members()) {
      if (!isSynchronised(member)) {
        waits = true;
        if (detector.isStuck(member, now)) {
          return false;
        }
      }
    }
    return waits;
  }

  // ------------------------------------------------------------------------------------------------ the next view

  /** Called when this replica asks for promises: records which joiners it invites and which members acknowledged nothing. */
  void prepareNextView(long now) {
    if (state.isPrimary()) {
      quarantine.invite(log.ready(now), now);
    }
    if (state.leads() && setup.enforces(Rule.STUCK_MEMBER_LEFT_OUT)) {
      noteStuckMembers(now);
    }
  }

  /** The primary of a view, begun or not, knows which members acknowledged nothing. */
  private void noteStuckMembers(long now) {
    boolean begun = state.isPrimary();
    if (!begun && state.view().epoch() != state.record().promisedEpoch()) {
      return; // of an older view: what was noted then stands
    }
    List<ReplicaId> members = state.view().members();
    detector.noteStuck(
        members.stream().filter(member -> !member.equals(self) && (begun || !isSynchronised(member))).toList(), now);
  }

  /** Joiners that are not members of the next view if the others are a majority. */
  Set<ReplicaId> quarantined(long now) {
    return quarantine.replicas(now);
  }
}
