package org.understudy.replication.core.membership;

import java.util.Collections;
import java.util.List;
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
import org.understudy.replication.core.membership.MembershipMessage.Nack;
import org.understudy.replication.core.membership.MembershipMessage.NewView;
import org.understudy.replication.core.membership.MembershipMessage.PreVote;
import org.understudy.replication.core.membership.MembershipMessage.PreVoteReply;
import org.understudy.replication.core.membership.MembershipMessage.Prepare;
import org.understudy.replication.core.membership.MembershipMessage.Promise;
import org.understudy.replication.core.membership.MembershipMessage.ReadRound;
import org.understudy.replication.core.membership.MembershipMessage.ReadRoundAck;
import org.understudy.replication.core.membership.RecoveryMessage.Readmit;

/** The part of every replica in views of its own and of others: promises, accepts, and grants leases. */
final class Voter {
  private static final long NOT_A_MEMBER = -1;

  private final ReplicaSetup setup;
  private final ReplicaId self;
  private final MembershipState state;
  private final Campaign campaign;
  private final FailureDetector detector;
  private final Leadership leadership;
  private final ReplicatedLog log;
  /** The epoch for which this incarnation promised to start without state; 0 for none. */
  private long startingEmpty;
  /** The candidate whose pre-vote was granted last, and when; null when it has asked for a promise since. */
  private ReplicaId grantedTo;
  private long grantedAt;
  /** Why this replica cannot join the view whose primary sent the last heartbeat; null if it can. */
  private String refusal;

  Voter(
      MembershipState state, Campaign campaign, FailureDetector detector, Leadership leadership, ReplicatedLog log) {
    this.setup = state.setup();
    this.self = setup.self();
    this.state = state;
    this.campaign = campaign;
    this.detector = detector;
    this.leadership = leadership;
    this.log = log;
  }

  /** Whether this replica has never accepted a view, according to its durable record. */
  boolean isNeverInView() {
    return state.record().accepted().epoch() == 0 && log.complete();
  }

  /** Whether this replica has nothing to lose: it was never in a view, or has lost its state and may start without. */
  boolean mayStartGroup() {
    return isNeverInView() || (setup.startsEmpty() && !log.complete());
  }

  /**
   * Whether this replica is in contact with a majority of the configured replicas: as primary, because they acknowledge it; as
   * backup, because its primary shows that they do; otherwise, because they sent messages lately.
   */
  boolean isConnected(long now) {
    if (state.isPrimary()) {
      return leadership.hasAuthority(now);
    }
    boolean follows = state.role() == Role.BACKUP && !detector.isPrimarySuspect(state.view().primary(), now);
    return follows || detector.hearsMajority(now);
  }

  // ------------------------------------------------------------------------------------------------ promises

  void onPreVote(long now, ReplicaId from, PreVote message, Effects out) {
    View view = state.view();
    boolean grant =
        switch (state.role()) {
          case PRIMARY -> !isConnected(now) || setup.lacksQuorum(view);
          case BACKUP ->
              setup.lacksQuorum(view)
                  || from.equals(view.primary())
                  || (detector.isPrimarySuspect(view.primary(), now) && !state.isBound(now));
          case CHANGING -> true;
          case JOINING -> from.equals(state.record().accepted().primary()) || !state.isBound(now);
        };
    state.saw(message.epoch() - 1);
    boolean granted = grant && !detector.isStorageLate(now);
    if (granted) {
      grantedTo = from;
      grantedAt = now;
      if (!state.isPrimary() && isBefore(from)) {
        campaign.yieldTo(from, message.epoch(), now);
      }
    }
    boolean withoutIt = state.role() == Role.BACKUP && !view.contains(from) && !detector.isPrimarySuspect(view.primary(), now);
    if (withoutIt && setup.enforces(Rule.MEMBERS_TELL_OF_THEIR_VIEW)) {
      // It may not hear the primary, whose heartbeats tell that.
      out.send(from, new NewView(view, state.record().base(), 0, List.of(), unnamed(view), state.wire()));
    }
    out.send(from, new PreVoteReply(state.highestSeen(), granted));
  }

  /** The lives of a view's members, to a replica that is none of them. */
  private static List<Long> unnamed(View view) {
    return Collections.nCopies(view.members().size(), 0L);
  }

  /** Whether another candidate begins before this one: in the order of the view, or of the replicas where no view goes on. */
  private boolean isBefore(ReplicaId other) {
    List<ReplicaId> order = state.role() == Role.BACKUP ? state.view().members() : setup.configured();
    return order.contains(other) && order.indexOf(other) < order.indexOf(self);
  }

  void onPrepare(long now, ReplicaId from, Prepare message, Effects out) {
    state.saw(message.epoch());
    MembershipRecord record = state.record();
    boolean again = message.epoch() == record.promisedEpoch() && from.equals(record.promisedTo());
    boolean mayPromise = message.epoch() > record.promisedEpoch() || !setup.enforces(Rule.FENCE_BY_EPOCH);
    boolean bound = state.isBound(now) && !from.equals(record.accepted().primary()) && !message.first();
    boolean leads = leadership.hasAuthority(now) && !setup.lacksQuorum(state.view());
    if (message.first() && !mayStartGroup() && !again || !again && leadership.givesWay(now)) {
      return;
    }
    if (!again && (!mayPromise || bound || leads)) {
      out.send(from, new Nack(record.promisedEpoch()));
      return;
    }
    if (!again) {
      if (from.equals(grantedTo)) {
        campaign.measured(now - grantedAt);
        grantedTo = null;
      }
      promise(now, message.epoch(), from, message.first(), out);
    }
    out.send(from, givenPromise());
  }

  /** The promise that was given last. To start the group, it is that of an empty replica. */
  Promise givenPromise() {
    Promise promise = promise();
    return startingEmpty == 0 || startingEmpty != promise.epoch()
        ? promise
        : new Promise(promise.epoch(), View.NONE, true, 0, promise.voter(), promise.incarnation(), promise.reads(), 0);
  }

  void promise(long now, long epoch, ReplicaId candidate, boolean first, Effects out) {
    startingEmpty = first && !log.complete() ? epoch : 0;
    state.promise(now, epoch, candidate, first, out);
    log.freeze(now, out);
    campaign.postpone(now);
    if (!self.equals(candidate)) {
      campaign.withdraw();
    }
    becomeUndecided(out);
  }

  private void becomeUndecided(Effects out) {
    state.become(log.complete() ? Role.CHANGING : Role.JOINING, out);
  }

  /** The current promise. */
  Promise promise() {
    MembershipRecord record = state.record();
    return new Promise(
        record.promisedEpoch(), record.base(), log.complete(), log.received(), record.admitted(),
        setup.incarnation(), setup.wire(), state.wire());
  }

  /** Called when the operator has declared this replica's record lost: it votes again and holds nothing. */
  void onReadmit(long now, ReplicaId from, Readmit message, Effects out) {
    MembershipRecord record = state.record();
    boolean again = record.promisedEpoch() == message.epoch() && from.equals(record.promisedTo());
    boolean sameIncarnation = message.incarnation() == setup.incarnation();
    if (!again && state.isBound(now) && !from.equals(record.accepted().primary())) {
      return; // it is sent again until the lease has ended that this life, or the one before, granted
    }
    if (sameIncarnation && !record.admitted() && message.epoch() > record.promisedEpoch()) {
      boolean empty = setup.enforces(Rule.READMITTED_IS_EMPTY);
      state.readmit(message.epoch(), from, empty ? message.base() : null, out);
      campaign.withdraw();
      campaign.postpone(now);
      if (empty) {
        state.leave();
        log.leave(now, message.base(), out);
      }
      becomeUndecided(out);
    } else if (!sameIncarnation || !again) {
      return;
    }
    out.send(from, promise());
  }

  // ------------------------------------------------------------------------------------------------ views

  void onNewView(long now, NewView message, Effects out) {
    if (state.fenced(message.epoch())) {
      out.send(message.view().primary(), new Nack(state.record().promisedEpoch()));
      return;
    }
    boolean known = state.view().epoch() == message.epoch();
    if (!known && message.epoch() > state.record().accepted().epoch()) {
      boolean named = message.names(self, setup.incarnation()) || !setup.enforces(Rule.VIEW_NAMES_LIVES);
      accept(now, message.view(), message.base(), named ? message.start() : NOT_A_MEMBER, message.wire(), out);
      if (state.view().epoch() == message.epoch()) {
        leadership.propose(now, message);
      }
    }
    if (state.record().accepted().epoch() != message.epoch()) {
      return;
    }
    detector.primaryAlive(message.view().primary(), now);
    boolean member = state.view().epoch() == message.epoch();
    Accepted accepted = new Accepted(message.epoch(), member, Math.min(log.durable(), message.start()));
    if (self.equals(message.view().primary())) {
      leadership.onAccepted(now, self, accepted, out);
    } else {
      out.send(message.view().primary(), accepted);
    }
  }

  /** Accepts a view: as a member if this replica promised with its state and still has it, otherwise only as a voter. */
  private void accept(long now, View next, View base, long from, int version, Effects out) {
    if (from != NOT_A_MEMBER && startingEmpty == next.epoch() && !log.complete()) {
      log.startEmpty(next.epoch(), version, out);
    }
    MembershipRecord before = state.record();
    boolean promised = before.promisedEpoch() == next.epoch() || !setup.enforces(Rule.FENCE_BY_EPOCH);
    boolean member =
        from != NOT_A_MEMBER
            && next.contains(self)
            && promised
            && log.complete()
            && (setup.wire().reads(version) || !setup.enforces(Rule.JOINER_READS_WIRE));
    if (member) {
      log.entering(next, from, version, out);
    }
    state.accept(next, base, member, out);
    campaign.withdraw();
    leadership.accepted(next);
    detector.accepted(next.primary(), now);
    campaign.postpone(now);
    // Another replica that has caught up can only be in the next view if it holds what the primary holds, so it joins.
    boolean ofBase =
        base.contains(self) && state.record().admitted()
            || base.epoch() == before.base().epoch() && !setup.enforces(Rule.STATE_WITHOUT_MEMBERSHIP_JOINS);
    if (member) {
      state.enter(next, version);
      state.beat(now);
      log.enter(now, next, from, out);
      if (self.equals(next.primary())) {
        state.become(Role.CHANGING, out);
      } else {
        campaign.allow(now);
        state.become(Role.BACKUP, out);
      }
    } else if (setup.lacksQuorum(next) && log.complete() && ofBase) {
      // This replica is of the base, perhaps without having received it: it promised with its state, and has been frozen
      // since.
      state.leave();
      log.suspend(now, out);
      state.become(Role.CHANGING, out);
    } else {
      state.leave();
      log.leave(now, next, out);
      state.become(Role.JOINING, out);
    }
  }

  // ------------------------------------------------------------------------------------------------ a primary's messages

  /** @return whether it belongs to the accepted view, so that its end of the log is valid */
  boolean onHeartbeat(long now, ReplicaId from, Heartbeat message, Effects out) {
    View active = message.view();
    if (state.fenced(active.epoch())) {
      out.send(from, new Nack(state.record().promisedEpoch()));
      return false;
    }
    if (active.epoch() > state.record().accepted().epoch()) {
      // The view is active and began without this replica.
      accept(now, active, message.base(), NOT_A_MEMBER, message.wire(), out);
    }
    if (active.epoch() != state.record().accepted().epoch()) {
      return false;
    }
    if (state.role() == Role.JOINING && message.wire() != 0 && !setup.wire().reads(message.wire())) {
      refusal =
          "Replica " + self + " cannot join the view of replica " + from + ": it reads wire " + setup.wire()
              + ", and the view is written in version " + message.wire() + ". Install here the version that replica " + from
              + " runs.";
      out.warn(refusal);
    } else {
      refusal = null;
    }
    boolean leases = message.authority() && !setup.lacksQuorum(active);
    int granted = leases ? state.grantLease(now, message.leaseMillis()) : 0;
    if (message.authority()) {
      detector.heartbeat(from, message.sentAt(), now);
    }
    Loads loads = state.loads();
    loads.received(active.epoch(), message.loads(), out);
    state.clock().heard(active.epoch(), message.time(), out);
    out.send(
        from,
        new HeartbeatAck(
            active.epoch(), message.sentAt(), state.record().admitted(), leases, loads.own(), state.clock().told(),
            state.database().isReached(), granted));
    return true;
  }

  /** Returns why this replica cannot join the view that it last heard of; null if it can. */
  String refusal() {
    return state.role() == Role.JOINING ? refusal : null;
  }

  void onReadRound(ReplicaId from, ReadRound message, Effects out) {
    MembershipRecord record = state.record();
    if (state.fenced(message.epoch())) {
      out.send(from, new Nack(record.promisedEpoch()));
    } else if (record.admitted() && message.epoch() == record.accepted().epoch()) {
      out.send(from, new ReadRoundAck(message.epoch(), message.round()));
    }
  }
}
