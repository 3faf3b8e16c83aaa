package org.understudy.replication.core.membership;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.View;
import org.understudy.replication.core.Effects;
import org.understudy.replication.core.Message;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.Role;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.SurveyedReplica;
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
import org.understudy.replication.core.membership.RecoveryMessage.Survey;
import org.understudy.replication.core.membership.RecoveryMessage.SurveyReply;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.transfer.TransferMessage.Join;

/**
 * Agrees on views. A candidate requests pre-votes, collects promises of a majority of the configured replicas, and proposes
 * the one view of its epoch; the view's primary begins when all members and a majority have accepted it.
 *
 * <p>Times are nanoseconds since this replica's start.
 *
 * <p>More than 400 lines because it is the one door to the classes of this package, of methods that mostly delegate.
 */
public final class Membership {
  /** Suspicion times without a primary after which a replica that has lost its state reports it. */
  private static final int LONELY = 10;
  private final ReplicaSetup setup;
  private final ReplicaId self;
  private final ReplicatedLog log;
  private final MembershipState state;
  private final Campaign campaign;
  private final FailureDetector detector;
  private final Leadership leadership;
  private final Voter voter;
  private final Candidate candidate;
  private final Recovery recovery;
  private final QuorumWatch quorum;
  private final AdmissionWatch admission;
  /** Replicas that have reported that they have nothing to lose, and have led no view since. */
  private final Set<ReplicaId> neverInView = new TreeSet<>();

  /** When a message of a primary arrived last, or this replica was the primary. */
  private long primaryHeard;
  /** Whether this replica continues from what it held before its restart, and has not been in a view since. */
  private boolean resumed;

  public Membership(ReplicaSetup setup, ReplicatedLog log) {
    this.setup = setup;
    this.self = setup.self();
    this.log = log;
    this.state = new MembershipState(setup);
    this.campaign = new Campaign(setup);
    this.detector = new FailureDetector(setup);
    this.leadership = new Leadership(state, campaign, detector, log);
    this.voter = new Voter(state, campaign, detector, leadership, log);
    this.candidate = new Candidate(state, campaign, detector, leadership, voter);
    this.recovery = new Recovery(setup);
    this.quorum = new QuorumWatch(setup, detector, state.database());
    this.admission = new AdmissionWatch(setup);
  }

  public Role role() {
    return state.role();
  }

  /** Which replicas reach the database that decides updates. */
  public DatabaseReach database() {
    return state.database();
  }

  /** The view this replica knows best: its current one, otherwise the one it last accepted. */
  public View view() {
    return state.latestView();
  }

  /** The wire version of this replica's current view: its primary writes no other. */
  public int wire() {
    return state.wire();
  }

  /** Why this replica cannot join the view that it last heard of, for operators; null if it can. */
  public String refusal() {
    return voter.refusal();
  }

  /** Called when this joiner has received the whole state, in this wire version: its promises name it. */
  public void stateReceived(int wire) {
    state.received(wire);
  }

  /** A token for a record of this replica: higher than all before, those of membership included. */
  public long nextToken() {
    return state.nextToken();
  }

  /** Called when the records up to this token are durable. */
  public void stored(long now, long token) {
    detector.stored(token, now);
  }

  /** Called first at a restart that did not lose the state, which is in this wire version: this replica may be in the next view. */
  public void resume(int wire, Effects out) {
    resumed = true;
    state.received(wire);
    state.become(Role.CHANGING, out);
  }

  /** Whether this primary may bring the joiner up to date; warns when it reads other wire versions. */
  public boolean mayJoin(ReplicaId joiner, Join join, Effects out) {
    if (join.reads().reads(wire()) || !setup.enforces(Rule.JOINER_READS_WIRE)) {
      return true;
    }
    out.warn(
        "Replica " + joiner + " is not admitted to the view: it reads wire " + join.reads() + ", and the view is written in"
            + " version " + wire() + ". Install on replica " + joiner + " the version that the members run.");
    return false;
  }

  public long promised() {
    return state.record().promisedEpoch();
  }

  /** Whether a message of this epoch is stale. */
  public boolean fenced(long epoch) {
    return state.fenced(epoch);
  }

  /** Whether messages of the epoch belong to this replica's current view. */
  public boolean inView(long epoch) {
    return state.inView(epoch);
  }

  /**
   * Whether what was stable in a view of this epoch is part of the present view's history. An operator's recovery in between
   * may have lost it.
   */
  public boolean continues(long epoch) {
    return !Recovery.mayLieBetween(epoch, state.view().epoch());
  }

  /** Whether this primary may execute updates: enough members, and enough acknowledgements of what it sent lately. */
  public boolean mayExecute(long now) {
    return leadership.mayExecute(now);
  }

  /** Whether this replica is the only one that leads a view, and may execute updates; see {@link Leadership#isWritable}. */
  public boolean writable(long now) {
    return leadership.isWritable(now);
  }

  /** Whether this replica is the primary and a majority of the configured replicas acknowledged what it sent lately. */
  public boolean hasAuthority(long now) {
    return leadership.hasAuthority(now);
  }

  /** Whether this replica is a backup whose primary has lately sent what it received. Another view may have begun all the same. */
  public boolean hearsPrimary(long now) {
    return state.role() == Role.BACKUP && voter.isConnected(now) && detector.hearsPrimary(now);
  }

  /** The replicas for which the first view of the group waits: it begins when all have reported that they were never in one. */
  public Set<ReplicaId> awaited(long now) {
    boolean led = primaryHeard > 0 && now - primaryHeard <= setup.timing().suspectNanos();
    if (state.role() != Role.JOINING || led || !voter.mayStartGroup()) {
      return Set.of();
    }
    Set<ReplicaId> awaited = new TreeSet<>(setup.configured());
    awaited.remove(self);
    awaited.removeAll(neverInView);
    return awaited;
  }

  /** How long this primary and a replica need for a message and its answer, or did lately: nanoseconds, 0 if that is unknown. */
  public long longestRoundTrip(ReplicaId replica) {
    return Math.max(leadership.roundTrips().longest(replica), campaign.roundTrip());
  }

  /** The shortest time in this view in which a replica answered this primary: nanoseconds, 0 if that is unknown. */
  public long shortestRoundTrip(ReplicaId replica) {
    return leadership.roundTrips().shortest(replica);
  }

  /** Whether this replica was lately in contact with a majority of the configured replicas, also through its primary. */
  public boolean connected(long now) {
    return voter.isConnected(now);
  }

  /** Whether this replica has had no majority for longer than a view change takes. */
  public boolean hasLostMajority(long now) {
    return quorum.isLost(now);
  }

  /** The failure of a request that needs a majority, with the reason why there is none. */
  public Failure noQuorum(long now) {
    return quorum.failure(now, state.latestView(), connected(now));
  }

  /** The replicas that this primary makes members only later, because they have left its views repeatedly, with the milliseconds. */
  public Map<ReplicaId, Long> waiting(long now) {
    return state.isPrimary() ? leadership.waiting(now) : Map.of();
  }

  /** Until when this primary may answer a linearizable read without a round to its backups; see {@link Lease#until}. */
  public long leaseUntil(long now) {
    return leadership.lease().until(now);
  }

  /** The round that a linearizable read which arrives now waits for, when reads are confirmed by rounds. */
  public long joinRound(long now, Effects out) {
    return leadership.joinRound(now, out);
  }

  /** Whether a majority has acknowledged the round, or a later one, in this view. */
  public boolean confirmed(long round) {
    return leadership.isConfirmed(round);
  }

  /** Begins the view if this replica is its primary and the conditions are met. Called when a member has acknowledged more. */
  public void progress(long now, Effects out) {
    leadership.progress(now, out);
  }

  /** Records that a member acknowledged the updates of the current view up to this one: it had promised no higher epoch then. */
  public void updateAcknowledged(long now, ReplicaId member, long index) {
    leadership.onUpdateAcknowledged(now, member, index);
  }

  /** As primary: whether some member has not shown for half of the suspicion time that it hears this replica. */
  public boolean isSomeUnheard(long now) {
    return detector.isSomeUnheard(now);
  }

  /** Takes a channel's hint, which can be wrong. */
  public void suspect(long now, ReplicaId replica) {
    if (!replica.equals(self)) {
      candidate.hint(now, replica);
    }
  }

  // ------------------------------------------------------------------------------------------------ time

  /** Compares the clocks; called first at each step. {@code now} is the monotonic clock without its beginning. */
  public void compareClocks(long now, long monotonic, long wall, Effects out) {
    leadership.lease().compareClocks(now, wall);
    state.clock().step(monotonic, wall, out);
  }

  /** Sets the load index that this replica reports from now on; negative for none. */
  public void measured(int load) {
    state.loads().measured(load);
  }

  public void tick(long now, Effects out) {
    detector.tick(now, state.lastToken());
    resumed &= state.role() == Role.CHANGING && state.view().epoch() == 0;
    switch (state.role()) {
      case PRIMARY -> tickPrimary(now, out);
      case BACKUP -> tickBackup(now, out);
      case CHANGING -> tickChanging(now, out);
      case JOINING -> tickJoining(now, out);
    }
    candidate.tick(now, out);
    askUnanswered(now, out);
    candidate.decide(now, out);
    quorum.tick(now, state.role(), state.latestView(), connected(now), out);
    boolean follows = state.role() == Role.JOINING && log.complete() && now - primaryHeard <= setup.timing().suspectNanos();
    admission.tick(now, follows, state.latestView(), out);
  }

  private void tickPrimary(long now, Effects out) {
    primaryHeard = now;
    leadership.tickPrimary(now, out);
    if (campaign.mayBegin(now) && leadership.wantsAnotherView(now)) {
      candidate.campaign(now, out);
    }
  }

  private void tickBackup(long now, Effects out) {
    long missed = detector.primarySuspectAt(state.view().primary());
    long since = setup.enforces(Rule.LEASE_HOLDS_PROMISES) ? Math.max(missed, state.leaseGrantedUntil()) : missed;
    if (campaign.mayBegin(now) && now >= since + candidate.rank() * setup.timing().staggerNanos()) {
      candidate.campaign(now, out);
    }
  }

  private void tickChanging(long now, Effects out) {
    if (resumed && state.isBeatDue(now)) {
      // The primary of a view that includes this replica counts on an incarnation that is gone.
      state.beat(now);
      state.sendToOthers(new Join(promised(), setup.incarnation(), false, setup.wire()), out);
    }
    boolean synchronising = leadership.tickChanging(now, out);
    if (campaign.mayBegin(now) && now >= state.leaseGrantedUntil() && log.complete() && !synchronising) {
      if (campaign.ballot() != null && campaign.ballot().first()) {
        candidate.prepare(now, true, out);
      } else {
        candidate.campaign(now, out);
      }
    }
  }

  private void tickJoining(long now, Effects out) {
    boolean first = voter.mayStartGroup();
    if (state.isBeatDue(now)) {
      state.beat(now);
      state.sendToOthers(new Join(promised(), setup.incarnation(), first, setup.wire()), out);
      warnWithoutPrimary(now, out);
    }
    boolean lowest = self.equals(setup.configured().get(0));
    boolean leaderless = voter.isNeverInView() || now - primaryHeard > setup.timing().suspectNanos();
    // A ballot for an epoch that another replica has promised already remains open, and nobody completes it.
    boolean free = campaign.ballot() == null || campaign.mayBegin(now);
    if (first && leaderless && lowest && free && neverInView.size() == setup.configured().size() - 1) {
      candidate.prepare(now, true, out);
    }
  }

  /** The primary sends this joiner its state. */
  public void receivesState(long now) {
    primaryHeard = now;
  }

  /** Reports that nobody brings this replica, which has no state, up to date. */
  private void warnWithoutPrimary(long now, Effects out) {
    if (state.record().accepted().epoch() > 0 && !log.complete() && now - primaryHeard > LONELY * setup.timing().suspectNanos()) {
      out.warn(
          "Replica " + self + " has no state, and no replica leads a view and could bring it up to date. The last view with a majority,"
              + " as far as known here, is " + state.record().base() + ". Start all replicas; a member of that view must have its state."
              + " If none has it, the state is lost: see \"Restart of all replicas\" in docs/operations.md.");
    }
  }

  // ------------------------------------------------------------------------------------------------ messages

  /** Handles a membership message; when this returns true for a heartbeat, the caller passes it on to the log. */
  public boolean receive(long now, ReplicaId from, Message message, Effects out) {
    if (!(message instanceof Join && state.view().contains(from))) {
      // A member that sends Join is no longer a member, or sent it long ago: the message is no evidence of progress.
      detector.received(from, now);
    }
    if (message instanceof Heartbeat heartbeat) {
      primaryHeard = now;
      neverInView.remove(from);
      return voter.onHeartbeat(now, from, heartbeat, out);
    } else if (message instanceof HeartbeatAck ack) {
      quorum.reports(now, from, ack.voter());
      leadership.onHeartbeatAck(now, from, ack);
    } else if (message instanceof ReadRound round) {
      voter.onReadRound(from, round, out);
    } else if (message instanceof ReadRoundAck ack) {
      leadership.onReadRoundAck(now, from, ack, out);
    } else if (message instanceof Survey survey) {
      onSurvey(from, survey, out);
    } else if (message instanceof SurveyReply reply) {
      recovery.add(from, reply);
    } else if (message instanceof Readmit readmit) {
      voter.onReadmit(now, from, readmit, out);
    } else if (message instanceof PreVote preVote) {
      voter.onPreVote(now, from, preVote, out);
    } else if (message instanceof PreVoteReply reply) {
      candidate.onPreVoteReply(now, from, reply, out);
    } else if (message instanceof Prepare prepare) {
      voter.onPrepare(now, from, prepare, out);
    } else if (message instanceof Promise promise) {
      quorum.reports(now, from, promise.voter());
      candidate.onPromise(now, from, promise, out);
    } else if (message instanceof NewView newView) {
      voter.onNewView(now, newView, out);
    } else if (message instanceof Accepted accepted) {
      leadership.onAccepted(now, from, accepted, out);
    } else if (message instanceof Nack refuse) {
      candidate.onNack(now, refuse, out);
    } else if (message instanceof Join join) {
      if (join.neverInView()) {
        quorum.reports(now, from, false);
      }
      onJoin(from, join);
    }
    return false;
  }

  private void onJoin(ReplicaId from, Join message) {
    if (message.neverInView()) {
      neverInView.add(from);
    } else {
      neverInView.remove(from);
    }
    if (!state.view().contains(from)) {
      return;
    }
    // A member that sends Join has lost its state. A Join with a lower promise was sent before its sender became a member;
    // so was one of the admitted incarnation if it had never been in a view.
    boolean sameLife = leadership.names(from, message.incarnation()) && setup.enforces(Rule.LATE_JOIN_IS_IGNORED);
    if (message.epoch() >= state.view().epoch() || (message.neverInView() && !sameLife)) {
      detector.lostState(from);
    }
  }

  // ------------------------------------------------------------------------------------------------ recovery

  /** Sends a survey to every replica. */
  public void survey(long now, Effects out) {
    recovery.begin(now);
    askUnanswered(now, out);
  }

  private void askUnanswered(long now, Effects out) {
    if (recovery.surveyDue(now)) {
      for (ReplicaId replica : setup.configured()) {
        if (!replica.equals(self) && !recovery.hasAnswered(replica)) {
          out.send(replica, recovery.question(promised()));
        }
      }
    }
  }

  public List<SurveyedReplica> surveyed() {
    return recovery.surveyed(state.record(), log);
  }

  /**
   * Forms a view from what this replica holds, with the votes of replicas that lost their records.
   *
   * @param lost the replicas declared lost, with the incarnation readmitted or 0
   * @return why not; or null
   */
  public String recover(long now, Map<ReplicaId, Long> lost, Effects out) {
    String refusal = recovery.refusal(now, lost, state.record(), log);
    if (refusal == null && state.isBound(now)) {
      refusal = "A lease that this replica granted still runs. Try again in a second.";
    }
    if (refusal == null) {
      candidate.open(now, recovery.epochAbove(candidate.highestKnown()), false, Recovery.readmitted(lost), out);
    }
    return refusal;
  }

  private void onSurvey(ReplicaId from, Survey question, Effects out) {
    Promise held = voter.promise();
    out.send(
        from,
        new SurveyReply(
            held.epoch(), question.survey(), held.base(), held.complete(), held.received(), held.voter(),
            held.incarnation()));
  }
}
