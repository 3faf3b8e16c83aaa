package org.understudy.replication.core.membership;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.View;
import org.understudy.replication.core.Effects;
import org.understudy.replication.core.Message;
import org.understudy.replication.core.Message.Accepted;
import org.understudy.replication.core.Message.Canvass;
import org.understudy.replication.core.Message.CanvassReply;
import org.understudy.replication.core.Message.Heartbeat;
import org.understudy.replication.core.Message.HeartbeatAck;
import org.understudy.replication.core.Message.Join;
import org.understudy.replication.core.Message.NewView;
import org.understudy.replication.core.Message.Prepare;
import org.understudy.replication.core.Message.Promise;
import org.understudy.replication.core.Message.ReadRound;
import org.understudy.replication.core.Message.ReadRoundAck;
import org.understudy.replication.core.Message.Readmit;
import org.understudy.replication.core.Message.Refuse;
import org.understudy.replication.core.Message.Survey;
import org.understudy.replication.core.Message.SurveyReply;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.Role;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.SurveyedReplica;
import org.understudy.replication.core.detection.FailureDetector;

/**
 * Agrees on views. A candidate canvasses, collects promises of a majority of the configured replicas, and proposes the
 * one view of its epoch; the view's primary begins when all members and a majority have accepted it.
 *
 * <p>Times are nanoseconds since this replica's start.
 *
 * <p>More than 400 lines because a vote, a view and a join change one state in one step. Lists, ballots and leases that
 * stand alone are classes of their own.
 */
public final class Membership {
  private static final long NOT_A_MEMBER = -1;

  private final ReplicaSetup setup;
  private final ReplicaId self;
  private final Resident resident;

  private MembershipRecord record;
  /** How often a record was stored in this life: the token of the last time. */
  private long stores;
  private Role role = Role.JOINING;
  /** The view this life takes part in as a member, or NONE. */
  private View view = View.NONE;
  private final ViewAcceptance acceptance;
  /** In which version the view is written, or the last one that this life was a member of; 0 before the first. */
  private int wire;

  private long highestSeen;
  private Ballot ballot;
  private boolean canvassing;
  private final Set<ReplicaId> granted = new TreeSet<>();
  /** When to stand (again) for election at the earliest; pushed forward by whatever makes standing needless. */
  private long standAfter;

  private final Lease lease;
  private final ReadRounds rounds;
  private final Quarantine quarantine;
  private final Recovery recovery;
  private long leaseGrantedUntil;
  private final FailureDetector detector;
  private final Set<ReplicaId> virgins = new TreeSet<>();
  private long nextHeartbeat;
  private long nextPrepare;
  private long told;

  public Membership(ReplicaSetup setup, Resident resident) {
    this.setup = setup;
    this.self = setup.self();
    this.resident = resident;
    this.record = MembershipRecord.of(setup.recovered());
    this.highestSeen = record.promisedEpoch();
    this.acceptance = new ViewAcceptance(setup);
    this.lease = new Lease(setup);
    this.rounds = new ReadRounds(setup);
    this.quarantine = new Quarantine(setup);
    this.recovery = new Recovery(setup);
    this.detector = new FailureDetector(setup);
    // This life does not know which leases the last one granted.
    this.leaseGrantedUntil = setup.timing().leaseNanos();
    this.standAfter = setup.timing().suspectNanos() + stagger();
  }

  public Role role() {
    return role;
  }

  /** The view this replica knows best: the one it is in, else the one it last accepted. */
  public View view() {
    return view.epoch() >= record.accepted().epoch() ? view : record.accepted();
  }

  /** The wire version of the view that this replica is in: its primary writes no other. */
  public int wire() {
    return wire;
  }

  /** Whether this primary may bring the joiner up to date; warns when it reads other wire versions. */
  public boolean mayJoin(ReplicaId joiner, Join join, Effects out) {
    if (join.reads().reads(wire) || !setup.holds(Rule.JOINER_READS_WIRE)) {
      return true;
    }
    out.warn(
        "Replica " + joiner + " is not admitted to the view: it reads wire " + join.reads() + ", and the view is written in"
            + " version " + wire + ". Install on replica " + joiner + " the version that the members run.");
    return false;
  }

  public long promised() {
    return record.promisedEpoch();
  }

  /** Whether a message of this epoch comes from the past. */
  public boolean fenced(long epoch) {
    return epoch < record.promisedEpoch() && setup.holds(Rule.FENCE_BY_EPOCH);
  }

  /** Whether messages of the epoch belong to the view that this replica is in and has not given up. */
  public boolean inView(long epoch) {
    return view.epoch() == epoch
        && epoch > 0
        && (record.promisedEpoch() == epoch || !setup.holds(Rule.FENCE_BY_EPOCH));
  }

  /** Whether a lease that this replica granted still runs. */
  private boolean bound(long now) {
    return now < leaseGrantedUntil && setup.holds(Rule.LEASE_HOLDS_PROMISES);
  }

  /** Whether this primary may execute updates: enough members, and enough replicas acknowledged lately. */
  public boolean writable(long now) {
    return hasAuthority(now) && !setup.small(view);
  }

  /** Whether this replica is the primary and a majority of the configured replicas acknowledged it lately. */
  public boolean hasAuthority(long now) {
    return role == Role.PRIMARY && detector.hasAuthority(now);
  }

  /** Until when this primary may tell a linearizable read without asking; see {@link Lease#until}. */
  public long leaseUntil(long now) {
    return lease.until(now);
  }

  /** The round that a linearizable read which arrives now waits for, when reads are confirmed by rounds. */
  public long joinRound(long now, Effects out) {
    long round = rounds.join();
    sendRound(now, out);
    return round;
  }

  /** Whether a majority has acknowledged the round, or a later one, in this view. */
  public boolean confirmed(long round) {
    return rounds.confirmed(round);
  }

  private void sendRound(long now, Effects out) {
    ReadRound due = rounds.due(now, view.epoch());
    if (due != null) {
      sendToOthers(due, out);
    }
  }

  // ------------------------------------------------------------------------------------------------ time

  /** Compares the clocks; call it first at each step. */
  public void compareClocks(long now, long wall) {
    lease.compareClocks(now, wall);
  }

  public void tick(long now, Effects out) {
    detector.tick(now);
    switch (role) {
      case PRIMARY -> tickPrimary(now, out);
      case BACKUP -> tickBackup(now, out);
      case CHANGING -> tickChanging(now, out);
      case JOINING -> tickJoining(now, out);
    }
    if (ballot != null && now >= nextPrepare) {
      askForPromises(now, out);
    }
    askUnanswered(now, out);
    decide(now, out);
  }

  private void tickPrimary(long now, Effects out) {
    if (now >= nextHeartbeat) {
      heartbeat(now, out);
    }
    sendRound(now, out);
    measureProgress(now, resident.received());
    if (now >= standAfter && hasAuthority(now) && (memberFailed(now) || joinerReady(now))) {
      stand(now, out);
    }
  }

  private void tickBackup(long now, Effects out) {
    long missed = detector.primarySuspectAt(view.primary());
    long since = setup.holds(Rule.LEASE_HOLDS_PROMISES) ? Math.max(missed, leaseGrantedUntil) : missed;
    if (now >= standAfter && now >= since + rank() * setup.timing().staggerNanos()) {
      stand(now, out);
    }
  }

  private void tickChanging(long now, Effects out) {
    boolean leads = view.epoch() == record.promisedEpoch() && self.equals(view.primary());
    if (leads) {
      measureProgress(now, acceptance.start());
    }
    // One that nobody acknowledges falls silent, so that another may lead.
    if (leads && now >= nextHeartbeat && detector.hasAuthority(now)) {
      nextHeartbeat = now + setup.timing().heartbeatNanos();
      sendToOthers(acceptance.proposal(view, record.base()), out);
    }
    boolean synchronising = leads && membersCatchUp(now);
    if (now >= standAfter && now >= leaseGrantedUntil && resident.complete() && !synchronising) {
      if (ballot != null && ballot.first()) {
        prepare(now, true, out);
      } else {
        stand(now, out);
      }
    }
  }

  private void tickJoining(long now, Effects out) {
    boolean virgin = virgin();
    if (now >= nextHeartbeat) {
      nextHeartbeat = now + setup.timing().heartbeatNanos();
      sendToOthers(new Join(record.promisedEpoch(), setup.incarnation(), virgin, setup.wire()), out);
    }
    boolean lowest = self.equals(setup.configured().get(0));
    if (virgin && lowest && ballot == null && virgins.size() == setup.configured().size() - 1) {
      prepare(now, true, out);
    }
  }

  /** Whether this replica has never accepted a view, as far as its disk remembers. */
  private boolean virgin() {
    return record.accepted().epoch() == 0 && resident.complete();
  }

  private void heartbeat(long now, Effects out) {
    nextHeartbeat = now + setup.timing().heartbeatNanos();
    boolean authority = detector.hasAuthority(now) || !setup.holds(Rule.HEARTBEAT_SHOWS_AUTHORITY);
    Heartbeat beat =
        new Heartbeat(
            view, record.base(), lease.sendTime(now), resident.received(), resident.stable(), authority, wire);
    sendToOthers(beat, out);
  }

  /** The senior backup first, the others one stagger after another, so that candidates do not meet. */
  private int rank() {
    int place = view.members().indexOf(self);
    return place > 0 ? place - 1 : setup.configured().indexOf(self);
  }

  private long stagger() {
    return (1 + setup.configured().indexOf(self)) * setup.timing().staggerNanos();
  }

  private boolean memberFailed(long now) {
    for (ReplicaId member : view.members()) {
      if (!member.equals(self) && detector.isFailed(member, now)) {
        return true;
      }
    }
    return false;
  }

  private boolean joinerReady(long now) {
    List<ReplicaId> ready = resident.ready();
    return setup.small(view) ? !ready.isEmpty() : !quarantine.replicas(now).containsAll(ready);
  }

  private void measureProgress(long now, long end) {
    for (ReplicaId member : view.members()) {
      if (!member.equals(self)) {
        detector.acknowledgedIndex(member, resident.acknowledged(member), end, now);
      }
    }
  }

  /** Whether this primary of a view that has not begun waits only for members that make progress. */
  private boolean membersCatchUp(long now) {
    boolean waits = false;
    for (ReplicaId member : view.members()) {
      if (!synchronised(member)) {
        waits = true;
        if (detector.isStuck(member, now)) {
          return false;
        }
      }
    }
    return waits;
  }

  private boolean synchronised(ReplicaId member) {
    boolean upToDate = member.equals(self) || resident.acknowledged(member) >= acceptance.start();
    return upToDate && acceptance.hasMember(member);
  }

  /** Whether a majority of the configured replicas, this one among them, has been heard of lately. */
  public boolean connected(long now) {
    return role == Role.PRIMARY ? detector.hasAuthority(now) : detector.hearsMajority(now);
  }

  // ------------------------------------------------------------------------------------------------ candidate

  /** First asks whether others would have a new view: who was cut off and comes back must not disturb. */
  private void stand(long now, Effects out) {
    standAfter = now + setup.timing().suspectNanos() / 2 + stagger();
    ballot = null;
    canvassing = true;
    granted.clear();
    granted.add(self);
    sendToOthers(new Canvass(highestSeen + 1), out);
    if (granted.size() >= setup.majority()) {
      prepare(now, false, out);
    }
  }

  private void onCanvass(long now, ReplicaId from, Canvass message, Effects out) {
    boolean grant =
        switch (role) {
          case PRIMARY -> !connected(now) || setup.small(view);
          case BACKUP ->
              setup.small(view) || from.equals(view.primary()) || (detector.isPrimarySuspect(view.primary(), now) && !bound(now));
          case CHANGING -> true;
          case JOINING -> from.equals(record.accepted().primary()) || !bound(now);
        };
    highestSeen = Math.max(highestSeen, message.epoch() - 1);
    out.send(from, new CanvassReply(highestSeen, grant));
  }

  private void onCanvassReply(long now, ReplicaId from, CanvassReply message, Effects out) {
    highestSeen = Math.max(highestSeen, message.epoch());
    // Heard again meanwhile, the primary was granted a lease: that holds for the candidate's own promise too.
    canvassing &= !bound(now) || self.equals(record.accepted().primary());
    if (canvassing && message.granted()) {
      granted.add(from);
      if (granted.size() >= setup.majority()) {
        prepare(now, false, out);
      }
    }
  }

  private void prepare(long now, boolean first, Effects out) {
    canvassing = false;
    if (role == Role.PRIMARY) {
      quarantine.invite(resident.ready(), now);
    }
    if (self.equals(view.primary())) {
      noteStuckMembers(now);
    }
    recovery.end();
    open(now, Math.max(highestSeen, record.promisedEpoch()) + 1, first, out);
  }

  /** Promises to itself first, then asks the others. */
  private void open(long now, long epoch, boolean first, Effects out) {
    ballot = new Ballot(setup, epoch, first, now);
    promise(now, epoch, self, first, out);
    standAfter = now + setup.timing().suspectNanos() + stagger();
    ballot.add(self, promiseMessage());
    askForPromises(now, out);
    decide(now, out);
  }

  /** A primary, of a view begun or not, knows who acknowledged nothing. */
  private void noteStuckMembers(long now) {
    boolean begun = role == Role.PRIMARY;
    if (!setup.holds(Rule.STUCK_MEMBER_LEFT_OUT)) {
      return;
    }
    if (!begun && view.epoch() != record.promisedEpoch()) {
      return; // of an older view: what was noted then stands
    }
    detector.noteStuck(
        view.members().stream().filter(member -> !member.equals(self) && (begun || !synchronised(member))).toList(), now);
  }

  private void askForPromises(long now, Effects out) {
    nextPrepare = now + setup.timing().heartbeatNanos();
    for (ReplicaId replica : setup.configured()) {
      long incarnation = recovery.readmitted(replica);
      if (incarnation != 0) {
        // Also to one that has promised: its admission must not be lost.
        out.send(replica, new Readmit(ballot.epoch(), incarnation, record.base()));
      } else if (!ballot.has(replica)) {
        out.send(replica, new Prepare(ballot.epoch(), ballot.first()));
      }
    }
  }

  private void onPromise(long now, ReplicaId from, Promise message, Effects out) {
    if (ballot != null && message.epoch() == ballot.epoch()) {
      ballot.add(from, message);
      decide(now, out);
    }
  }

  /** Forms the view when all who are likely to answer have, or when the grace is over. */
  private void decide(long now, Effects out) {
    if (ballot == null || record.promisedEpoch() != ballot.epoch()) {
      return;
    }
    boolean waitsForNobody = true;
    for (ReplicaId replica : setup.configured()) {
      waitsForNobody &= ballot.has(replica) || detector.isUnresponsive(replica, now);
    }
    if (!waitsForNobody && now - ballot.startedAt() < setup.timing().graceNanos()) {
      return;
    }
    NewView next = ballot.view(record.accepted().senior(), detector.stuck(), quarantine.replicas(now));
    if (next == null) {
      return;
    }
    ballot = null;
    sendToOthers(next, out);
    onNewView(now, next, out);
  }

  // ------------------------------------------------------------------------------------------------ recovery

  /** Asks every replica what it holds. */
  public void survey(long now, Effects out) {
    recovery.begin(now);
    askUnanswered(now, out);
  }

  private void askUnanswered(long now, Effects out) {
    if (recovery.surveyDue(now)) {
      for (ReplicaId replica : setup.configured()) {
        if (!replica.equals(self) && !recovery.hasAnswered(replica)) {
          out.send(replica, recovery.question(record.promisedEpoch()));
        }
      }
    }
  }

  public List<SurveyedReplica> surveyed() {
    return recovery.surveyed(record, resident);
  }

  /**
   * Forms a view from what this replica holds, with the votes of replicas that lost their records.
   *
   * @param lost the replicas declared lost, with the incarnation readmitted or 0
   * @return why not; or null
   */
  public String recover(long now, Map<ReplicaId, Long> lost, Effects out) {
    String refusal = recovery.refusal(now, lost, record, resident);
    if (refusal == null && bound(now)) {
      refusal = "A lease that this replica granted still runs. Try again in a second.";
    }
    if (refusal == null) {
      canvassing = false;
      recovery.readmit(lost);
      open(now, recovery.epochAbove(Math.max(highestSeen, record.promisedEpoch())), false, out);
    }
    return refusal;
  }

  private void onSurvey(ReplicaId from, Survey question, Effects out) {
    Promise held = promiseMessage();
    out.send(
        from,
        new SurveyReply(
            held.epoch(), question.survey(), held.base(), held.complete(), held.received(), held.voter(),
            held.incarnation()));
  }

  /** The operator has declared this replica's record lost: from now on it votes again, and holds nothing. */
  private void onReadmit(long now, ReplicaId from, Readmit message, Effects out) {
    boolean again = record.promisedEpoch() == message.epoch() && from.equals(record.promisedTo());
    boolean mine = message.incarnation() == setup.incarnation();
    if (!again && bound(now) && !from.equals(record.accepted().primary())) {
      return; // it is sent again until the lease has ended that this life, or the one before, granted
    }
    if (mine && !record.admitted() && message.epoch() > record.promisedEpoch()) {
      boolean empty = setup.holds(Rule.READMITTED_IS_EMPTY);
      View base = empty ? message.base() : record.base();
      View accepted = empty ? message.base() : record.accepted();
      record = new MembershipRecord(message.epoch(), from, accepted, base, true);
      highestSeen = Math.max(highestSeen, message.epoch());
      out.store(++stores, record);
      ballot = null;
      canvassing = false;
      standAfter = now + setup.timing().suspectNanos() + stagger();
      if (empty) {
        view = View.NONE;
        resident.leave(now, base, out);
      }
      become(resident.complete() ? Role.CHANGING : Role.JOINING, out);
    } else if (!mine || !again) {
      return;
    }
    out.send(from, promiseMessage());
  }

  // ------------------------------------------------------------------------------------------------ voter

  private void onPrepare(long now, ReplicaId from, Prepare message, Effects out) {
    highestSeen = Math.max(highestSeen, message.epoch());
    boolean again = message.epoch() == record.promisedEpoch() && from.equals(record.promisedTo());
    boolean mayPromise = message.epoch() > record.promisedEpoch() || !setup.holds(Rule.FENCE_BY_EPOCH);
    boolean bound = bound(now) && !from.equals(record.accepted().primary()) && !message.first();
    boolean leads = hasAuthority(now) && !setup.small(view);
    if (message.first() && !virgin() && !again) {
      return;
    }
    if (!again && (!mayPromise || bound || leads)) {
      out.send(from, new Refuse(record.promisedEpoch()));
      return;
    }
    if (!again) {
      promise(now, message.epoch(), from, message.first(), out);
    }
    out.send(from, promiseMessage());
  }

  private void promise(long now, long epoch, ReplicaId candidate, boolean first, Effects out) {
    record = new MembershipRecord(epoch, candidate, record.accepted(), record.base(), record.admitted() || first);
    highestSeen = Math.max(highestSeen, epoch);
    if (setup.holds(Rule.PERSIST_PROMISE)) {
      out.store(++stores, record);
    }
    resident.freeze(now, out);
    standAfter = now + setup.timing().suspectNanos() + stagger();
    if (!self.equals(candidate)) {
      ballot = null;
      canvassing = false;
    }
    become(resident.complete() ? Role.CHANGING : Role.JOINING, out);
  }

  private Promise promiseMessage() {
    return new Promise(
        record.promisedEpoch(), record.base(), resident.complete(), resident.received(), record.admitted(),
        setup.incarnation(), setup.wire(), wire);
  }

  private void onNewView(long now, NewView message, Effects out) {
    if (fenced(message.epoch())) {
      out.send(message.view().primary(), new Refuse(record.promisedEpoch()));
      return;
    }
    boolean known = view.epoch() == message.epoch();
    if (!known && message.epoch() > record.accepted().epoch()) {
      boolean named = message.names(self, setup.incarnation()) || !setup.holds(Rule.VIEW_NAMES_LIVES);
      accept(now, message.view(), message.base(), named ? message.start() : NOT_A_MEMBER, message.wire(), out);
      if (view.epoch() == message.epoch()) {
        acceptance.propose(message);
        if (self.equals(view.primary())) {
          detector.lead(now, view.members(), message.voters());
        }
      }
    }
    if (record.accepted().epoch() != message.epoch()) {
      return;
    }
    detector.primaryAlive(message.view().primary(), now);
    boolean member = view.epoch() == message.epoch();
    Accepted accepted = new Accepted(message.epoch(), member, Math.min(resident.received(), message.start()));
    if (self.equals(message.view().primary())) {
      onAccepted(now, self, accepted, out);
    } else {
      out.send(message.view().primary(), accepted);
    }
  }

  /** Takes a view over: as a member if it was promised with its state and still has it, as a mere voter otherwise. */
  private void accept(long now, View next, View base, long from, int version, Effects out) {
    boolean promised = record.promisedEpoch() == next.epoch() || !setup.holds(Rule.FENCE_BY_EPOCH);
    boolean member =
        from != NOT_A_MEMBER
            && next.contains(self)
            && promised
            && resident.complete()
            && (setup.wire().reads(version) || !setup.holds(Rule.JOINER_READS_WIRE));
    View before = record.base();
    record =
        new MembershipRecord(
            next.epoch(),
            record.promisedEpoch() == next.epoch() ? record.promisedTo() : next.primary(),
            next,
            base.epoch() > before.epoch() ? base : before,
            record.admitted() || member);
    highestSeen = Math.max(highestSeen, next.epoch());
    out.store(++stores, record);
    ballot = null;
    canvassing = false;
    acceptance.clear();
    recovery.end();
    if (!self.equals(next.primary())) {
      quarantine.clear();
    }
    detector.accepted(next.primary(), now);
    standAfter = now + setup.timing().suspectNanos() + stagger();
    if (member) {
      view = next;
      wire = version;
      nextHeartbeat = now + setup.timing().heartbeatNanos();
      resident.enter(now, next, from, out);
      boolean primary = self.equals(next.primary());
      standAfter = primary ? standAfter : now;
      become(primary ? Role.CHANGING : Role.BACKUP, out);
    } else if (setup.small(next)
        && resident.complete()
        && (base.epoch() == before.epoch() || (base.contains(self) && record.admitted()))) {
      // Of the base, perhaps without having heard of it: it promised with its state, and has been frozen since.
      view = View.NONE;
      resident.stayAside(now, out);
      become(Role.CHANGING, out);
    } else {
      view = View.NONE;
      resident.leave(now, next, out);
      become(Role.JOINING, out);
    }
  }

  private void onAccepted(long now, ReplicaId from, Accepted message, Effects out) {
    if (!inView(message.epoch()) || !self.equals(view.primary()) || role != Role.CHANGING) {
      return;
    }
    acceptance.add(from);
    if (acceptance.voters().contains(from)) {
      detector.acknowledged(from, now);
    }
    if (message.member() && view.contains(from)) {
      acceptance.addMember(from);
      if (!from.equals(self)) {
        resident.synchronise(from, message.received(), out);
      }
    }
    progress(now, out);
  }

  /** Begins the view when it may; the resident calls it when a member has acknowledged more. */
  public void progress(long now, Effects out) {
    if (role != Role.CHANGING || !inView(view.epoch()) || !self.equals(view.primary())) {
      return;
    }
    if (!acceptance.hasMajority() && setup.holds(Rule.MAJORITY_PROMISES)) {
      return;
    }
    if (setup.holds(Rule.EVERY_MEMBER_SYNCHRONISED)) {
      for (ReplicaId member : view.members()) {
        if (!synchronised(member)) {
          return;
        }
      }
    }
    lease.clear();
    rounds.clear();
    detector.lead(now, view.members(), acceptance.acceptingVoters());
    quarantine.begun(view, now);
    standAfter = now;
    become(Role.PRIMARY, out);
    resident.begin(now, out);
    heartbeat(now, out);
  }

  private void become(Role next, Effects out) {
    if (role != next || told != view().epoch()) {
      role = next;
      told = view().epoch();
      out.changed(role, view());
    }
  }

  // ------------------------------------------------------------------------------------------------ messages

  /** Takes a membership message; heartbeats are passed on to the resident by the caller when this returns true. */
  public boolean receive(long now, ReplicaId from, Message message, Effects out) {
    if (!(message instanceof Join && view.contains(from))) {
      // A member that asks to join no longer is one, or asked long ago: no sign that it does its part.
      detector.heard(from, now);
    }
    if (message instanceof Heartbeat heartbeat) {
      return onHeartbeat(now, from, heartbeat, out);
    } else if (message instanceof HeartbeatAck ack) {
      if (role == Role.PRIMARY && ack.epoch() == view.epoch()) {
        onHeartbeatAck(now, from, ack);
      }
    } else if (message instanceof ReadRound round) {
      onReadRound(from, round, out);
    } else if (message instanceof ReadRoundAck ack) {
      if (role == Role.PRIMARY && ack.epoch() == view.epoch()) {
        rounds.acknowledged(from, ack.round());
        sendRound(now, out);
      }
    } else if (message instanceof Survey survey) {
      onSurvey(from, survey, out);
    } else if (message instanceof SurveyReply reply) {
      recovery.add(from, reply);
    } else if (message instanceof Readmit readmit) {
      onReadmit(now, from, readmit, out);
    } else if (message instanceof Canvass canvass) {
      onCanvass(now, from, canvass, out);
    } else if (message instanceof CanvassReply reply) {
      onCanvassReply(now, from, reply, out);
    } else if (message instanceof Prepare prepare) {
      onPrepare(now, from, prepare, out);
    } else if (message instanceof Promise promise) {
      onPromise(now, from, promise, out);
    } else if (message instanceof NewView newView) {
      onNewView(now, newView, out);
    } else if (message instanceof Accepted accepted) {
      onAccepted(now, from, accepted, out);
    } else if (message instanceof Refuse refuse) {
      onRefuse(now, refuse, out);
    } else if (message instanceof Join join) {
      onJoin(from, join);
    }
    return false;
  }

  private void onReadRound(ReplicaId from, ReadRound message, Effects out) {
    if (fenced(message.epoch())) {
      out.send(from, new Refuse(record.promisedEpoch()));
    } else if (record.admitted() && message.epoch() == record.accepted().epoch()) {
      out.send(from, new ReadRoundAck(message.epoch(), message.round()));
    }
  }

  /** A member acknowledged updates of the present view: it had promised no higher epoch then. It grants no lease by that. */
  public void updateAcknowledged(long now, ReplicaId member) {
    if (setup.holds(Rule.UPDATES_SHOW_AUTHORITY)) {
      detector.acknowledged(member, now);
    }
  }

  private void onHeartbeatAck(long now, ReplicaId from, HeartbeatAck ack) {
    detector.acknowledgedHeartbeat(from, ack.sentAt(), now);
    if (ack.voter()) {
      detector.acknowledged(from, now);
      if (ack.lease()) {
        lease.acknowledged(from, ack.sentAt());
      }
    }
  }

  private boolean onHeartbeat(long now, ReplicaId from, Heartbeat message, Effects out) {
    View theirs = message.view();
    if (fenced(theirs.epoch())) {
      out.send(from, new Refuse(record.promisedEpoch()));
      return false;
    }
    if (theirs.epoch() > record.accepted().epoch()) {
      // An active view that began without this replica.
      accept(now, theirs, message.base(), NOT_A_MEMBER, message.wire(), out);
    }
    if (theirs.epoch() != record.accepted().epoch()) {
      return false;
    }
    if (role == Role.JOINING && message.wire() != 0 && !setup.wire().reads(message.wire())) {
      out.warn(
          "Replica " + self + " cannot join the view of replica " + from + ": it reads wire " + setup.wire()
              + ", and the view is written in version " + message.wire() + ". Install here the version that replica " + from
              + " runs.");
    }
    boolean leases = message.authority() && !setup.small(theirs);
    if (leases) {
      leaseGrantedUntil = Math.max(leaseGrantedUntil, now + setup.timing().leaseNanos());
    }
    if (message.authority()) {
      detector.primaryAlive(from, now);
    }
    out.send(from, new HeartbeatAck(theirs.epoch(), message.sentAt(), record.admitted(), leases));
    return true;
  }

  private void onRefuse(long now, Refuse message, Effects out) {
    if (message.epoch() <= record.promisedEpoch()) {
      return;
    }
    highestSeen = Math.max(highestSeen, message.epoch());
    lease.clear();
    if (role == Role.PRIMARY && now >= standAfter) {
      stand(now, out);
    } else if (ballot != null && message.epoch() > ballot.epoch()) {
      ballot = null;
    }
  }

  private void onJoin(ReplicaId from, Join message) {
    if (message.virgin()) {
      virgins.add(from);
    } else {
      virgins.remove(from);
    }
    if (!view.contains(from)) {
      return;
    }
    // A member that asks to join has lost its memory; one with a lower promise asked before it became a member, and so
    // did the life that was taken in, when it had never been in a view.
    boolean sameLife =
        acceptance.names(view, from, message.incarnation()) && setup.holds(Rule.LATE_JOIN_IS_IGNORED);
    if (message.epoch() >= view.epoch() || (message.virgin() && !sameLife)) {
      detector.lostState(from);
    }
  }

  /** A channel's hint; may be wrong. */
  public void suspect(ReplicaId replica) {
    if (!replica.equals(self)) {
      detector.hint(replica);
    }
  }

  private void sendToOthers(Message message, Effects out) {
    for (ReplicaId replica : setup.configured()) {
      if (!replica.equals(self)) {
        out.send(replica, message);
      }
    }
  }
}
