package org.understudy.replication.core.group;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.api.ReadLevel;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.VersionHandle;
import org.understudy.replication.api.View;
import org.understudy.replication.core.Effects;
import org.understudy.replication.core.Eviction;
import org.understudy.replication.core.Failure;
import org.understudy.replication.core.Origin;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.Request;
import org.understudy.replication.core.RequestKey;
import org.understudy.replication.core.Response;
import org.understudy.replication.core.Role;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.StateUpdate;
import org.understudy.replication.core.certification.Certification;
import org.understudy.replication.core.group.GroupMessage.Proposal;
import org.understudy.replication.core.group.GroupMessage.Stable;
import org.understudy.replication.core.membership.Membership;
import org.understudy.replication.core.order.StateTransfer;
import org.understudy.replication.core.order.ViewOrder;
import org.understudy.replication.core.session.Agreement;
import org.understudy.replication.core.session.ExactlyOnce;
import org.understudy.replication.core.session.Execution;
import org.understudy.replication.core.session.GroupState;
import org.understudy.replication.core.session.PendingRead;
import org.understudy.replication.core.store.Item;
import org.understudy.replication.core.transfer.UpdateLog;

/**
 * Proposes what this replica has executed, places proposals in the order where this replica is the sequencer, and certifies
 * each at its place when it is stable. The state shows stable updates only.
 */
final class CertifiedOrder implements Agreement, ViewOrder.Listener {
  /** After this many refused runs, a request takes a turn. */
  static final int MAX_REFUSED_RUNS = 3;

  private static final int RESEND_MOST = 16;
  /** A turn whose run takes longer ends, so that one slow method does not stop the group. */
  private static final int TURN_SUSPICIONS = 4;
  private static final StateUpdate NOTHING =
      new StateUpdate(0, Request.Kind.UPDATE, null, 0, 0, "", 0, Response.EMPTY, List.of(), Eviction.NONE);

  private static final Failure NOT_PROPOSED =
      new Failure(FailureCode.NotReady, "The group has formed a view without this replica. Nothing was executed. Retry.");
  private static final Failure UNKNOWN =
      new Failure(
          FailureCode.OutcomeUnknown,
          "The group has formed a view without this replica before the update was stable. Retry with the same request id.");

  private final ReplicaSetup setup;
  private final Membership membership;
  private final UpdateLog log = new UpdateLog();
  private final ExactlyOnce requests;
  private final GroupState state;
  private final StateTransfer transfer;
  private final ViewOrder view;
  private final OwnProposals own = new OwnProposals();
  /** As sequencer: the last proposal of each member that has its place. */
  private final Map<ReplicaId, Long> placed = new TreeMap<>();
  /** The last view that this replica entered. */
  private long epoch;
  private long start;
  /** Executions of earlier epochs rest on a state that this replica has lost. */
  private long stateSince;
  private boolean lost;
  /** Whether a batch of stable updates is being certified: answers wait for its end. */
  private boolean delivering;
  /** The turn whose execution runs here, or null. */
  private Item.Turn running;
  private long runningSince;

  CertifiedOrder(ReplicaSetup setup, Membership membership) {
    this.setup = setup;
    this.membership = membership;
    this.requests = new ExactlyOnce(setup, this);
    this.state = requests.state();
    this.transfer = new StateTransfer(setup, membership, state, log);
    this.view = new ViewOrder(setup, membership, log, transfer, this);
  }

  ExactlyOnce requests() {
    return requests;
  }

  StateTransfer transfer() {
    return transfer;
  }

  ViewOrder view() {
    return view;
  }

  UpdateLog log() {
    return log;
  }

  /** The index with which this replica's last view began: answers of earlier views showed at most that. */
  long start() {
    return start;
  }

  // ------------------------------------------------------------------------------------------------ agreement

  @Override
  public long epoch() {
    return epoch;
  }

  @Override
  public VersionHandle handle(long index) {
    return stable() < start ? VersionHandle.INITIAL : VersionHandle.ofGroup(epoch, Math.max(index, start));
  }

  @Override
  public long end() {
    return stable();
  }

  @Override
  public long stable() {
    return delivering ? -1 : state.applied();
  }

  @Override
  public Failure backlog() {
    return own.size() < setup.limits().unstableUpdates() && !isFull()
        ? null
        : new Failure(FailureCode.Overloaded, "Too many updates wait for acknowledgements of the members. Retry later.");
  }

  private boolean isFull() {
    return log.end() - log.stable() >= setup.limits().unstableUpdates()
        || log.unstableBytes() >= setup.limits().bytes().unstable();
  }

  /** An update's run is valid in every view that has this replica's state; certification decides about the rest. */
  @Override
  public boolean isCurrent(Execution execution) {
    boolean update = execution.request().kind() != Request.Kind.READ;
    return transfer.isComplete() && !lost && (update ? execution.epoch() >= stateSince : execution.epoch() == epoch);
  }

  @Override
  public boolean endsSessions() {
    return membership.role() == Role.PRIMARY;
  }

  /** A linearizable read is admitted when this replica has applied what was stable at its arrival. */
  @Override
  public long confirmation(long now, ReadLevel level, Effects out) {
    return 0;
  }

  @Override
  public boolean confirmed(long now, PendingRead read) {
    return true;
  }

  // ------------------------------------------------------------------------------------------------ proposals

  @Override
  public void append(long now, Execution execution, Effects out) {
    if (isExcluded(execution)) {
      // The run that has the turn may need its locks.
      suspend(now, execution, out);
    } else if (mayPropose()) {
      propose(now, execution, out);
    } else {
      park(execution);
    }
  }

  /** What no caller waits for, as the end of a session, is decided anew by the sequencer of the next view. */
  private void park(Execution execution) {
    if (execution.token() != 0) {
      own.park(execution);
    }
  }

  /** A view without a majority places nothing, because members of the last view may hold other updates. */
  private boolean mayPropose() {
    Role role = membership.role();
    return (role == Role.PRIMARY || role == Role.BACKUP)
        && !setup.lacksQuorum(membership.view())
        && state.applied() >= start
        && transfer.isComplete();
  }

  /** Whether another run has the turn, so that this one would be refused. */
  private boolean isExcluded(Execution execution) {
    Item.Turn turn = turn();
    return turn != null && execution.isRun() && !(isOwn(turn) && own.withTurn(turn.number()) == execution);
  }

  private Item.Turn turn() {
    Item.Turn turn = state.certification().turn();
    return turn == null || turn.epoch() < epoch ? null : turn;
  }

  private boolean isOwn(Item.Turn turn) {
    return turn.replica().equals(setup.self());
  }

  private void propose(long now, Execution execution, Effects out) {
    if (execution.isRun() && !isFresh(execution) && setup.enforces(Rule.CERTIFY_EVERY_VERSION)) {
      rerun(now, execution, out);
      return;
    }
    List<String> read = execution.versions().keySet().stream().sorted().toList();
    Origin origin =
        new Origin(
            epoch, setup.self(), own.next(), Origin.Kind.RUN, own.turnOf(execution), state.applied(), read);
    submit(now, requests.update(now, execution, 0).from(origin), execution, out);
  }

  /** Whether everything that the run read is current now. */
  private boolean isFresh(Execution execution) {
    Certification certification = state.certification();
    for (Map.Entry<String, Long> read : execution.versions().entrySet()) {
      if (certification.isChangedAfter(read.getKey(), Math.max(read.getValue(), execution.began()))) {
        return false;
      }
    }
    return certification.isFresh(List.of(), execution.changes(), execution.began());
  }

  /** Runs the method again; after a number of refusals with a turn. */
  private void rerun(long now, Execution execution, Effects out) {
    requests.suspend(execution, out);
    if (needsTurn(execution)) {
      requestTurn(now, execution, out);
    } else {
      requests.resume(execution, out);
    }
  }

  /** Rolls the run back, because another one has the turn. */
  private void suspend(long now, Execution execution, Effects out) {
    requests.suspend(execution, out);
    if (needsTurn(execution)) {
      requestTurn(now, execution, out);
    } else {
      own.park(execution);
    }
  }

  private boolean needsTurn(Execution execution) {
    return execution.runs() > MAX_REFUSED_RUNS
        && setup.enforces(Rule.TURN_AFTER_REFUSALS)
        && own.turnOf(execution) == 0
        && mayPropose();
  }

  private void requestTurn(long now, Execution execution, Effects out) {
    Origin origin =
        new Origin(epoch, setup.self(), own.next(), Origin.Kind.TURN, 0, state.applied(), List.of());
    submit(now, NOTHING.from(origin), execution, out);
  }

  private void submit(long now, StateUpdate update, Execution execution, Effects out) {
    own.add(now, update, execution);
    if (membership.role() == Role.PRIMARY) {
      place(now, update, out);
    } else {
      out.send(membership.view().primary(), new Proposal(epoch, update, membership.wire()));
    }
  }

  /** Proposes what the last view has lost and what had to wait. */
  private void settle(long now, Effects out) {
    if (!mayPropose()) {
      return;
    }
    own.takeEarlier().forEach(this::park);
    startTurn(now, out);
    if (own.hasParked()) {
      for (Execution execution : own.takeParked()) {
        if (execution.changes() != null) {
          append(now, execution, out);
        } else if (requests.isOpen(execution)) {
          continueSuspended(now, execution, out);
        }
      }
    }
  }

  private void continueSuspended(long now, Execution execution, Effects out) {
    if (needsTurn(execution)) {
      requestTurn(now, execution, out);
    } else if (turn() != null) {
      own.park(execution);
    } else {
      requests.resume(execution, out);
    }
  }

  // ------------------------------------------------------------------------------------------------ the sequencer

  void onProposal(long now, ReplicaId from, Proposal proposal, Effects out) {
    Origin origin = proposal.update().origin();
    boolean valid =
        membership.role() == Role.PRIMARY
            && membership.inView(proposal.epoch())
            && membership.view().contains(from)
            && !setup.lacksQuorum(membership.view())
            && origin != null
            && origin.replica().equals(from)
            && origin.epoch() == proposal.epoch();
    if (!valid || isFull()) {
      return;
    }
    if (origin.number() == placed.getOrDefault(from, 0L) + 1) {
      placed.put(from, origin.number());
      place(now, proposal.update(), out);
    }
  }

  private void place(long now, StateUpdate proposal, Effects out) {
    StateUpdate update = requests.placed(proposal, epoch, log.end() + 1);
    log.add(update);
    if (update.key() instanceof RequestKey.OfSession of && update.kind() != Request.Kind.CLOSE_SESSION) {
      requests.sessions().readElsewhere(now, List.of(of.session()));
    }
    view.send(update, out);
    view.advance(now, out);
  }

  @Override
  public void advanced(long now, Effects out) {
    Stable message = new Stable(epoch, log.stable());
    for (ReplicaId member : membership.view().members()) {
      if (!member.equals(setup.self())) {
        out.send(member, message);
      }
    }
    deliver(now, out);
  }

  // ------------------------------------------------------------------------------------------------ delivery

  /** Called when this replica has received an update of its view: its own proposal needs not be sent again. */
  void received(StateUpdate update) {
    if (update.origin() != null && update.origin().replica().equals(setup.self())) {
      own.placed(update.origin());
    }
  }

  @Override
  public void informed(long now, long index, Effects out) {
    long stable = Math.min(index, log.end());
    if (stable > log.stable()) {
      log.stable(stable);
      deliver(now, out);
      log.forgetUpTo(state.applied());
    }
    settle(now, out);
  }

  /** Certifies the stable updates in their order; then callers may see them. */
  private void deliver(long now, Effects out) {
    // Answers have handles of this view, so they wait for the updates with which it began.
    if (delivering || state.applied() >= log.stable() || log.stable() < start) {
      return;
    }
    delivering = true;
    while (state.applied() < log.stable()) {
      for (StateUpdate update : log.after(state.applied(), (int) (log.stable() - state.applied()))) {
        certify(now, update, out);
      }
    }
    delivering = false;
    out.stable(state.applied());
    requests.answers().advance(now, out);
    settle(now, out);
  }

  private void certify(long now, StateUpdate update, Effects out) {
    Origin origin = update.origin();
    Certification certification = state.certification();
    certification.arrive(origin);
    Execution mine = origin.replica().equals(setup.self()) ? own.take(origin) : null;
    switch (origin.kind()) {
      case TURN -> {
        certification.addTurn(origin);
        if (mine != null && origin.epoch() == epoch) {
          own.addTurn(origin.number(), mine);
        } else if (mine != null) {
          own.park(mine);
        }
        state.pass(update.index());
      }
      case END -> state.pass(update.index());
      case RUN -> result(now, update, mine, out);
    }
    if (origin.turn() != 0) {
      certification.endTurn(origin);
      if (origin.epoch() == epoch && origin.replica().equals(setup.self())) {
        own.endTurn(origin.turn());
      }
    }
  }

  /** First the identity, so that a duplicate gets the stored answer; then the versions. */
  private void result(long now, StateUpdate update, Execution mine, Effects out) {
    Certification certification = state.certification();
    boolean decided = requests.isDecided(update);
    if (!decided && certification.isDeferred(update)) {
      state.pass(update.index());
      if (mine != null) {
        suspend(now, mine, out);
      }
    } else if (!decided && !certification.isFresh(update) && setup.enforces(Rule.CERTIFY_EVERY_VERSION)) {
      state.pass(update.index());
      if (mine != null) {
        own.endTurn(update.origin().turn());
        rerun(now, mine, out);
      }
    } else if (requests.deliver(now, update, mine, out)) {
      certification.record(update);
    } else {
      state.pass(update.index());
    }
  }

  // ------------------------------------------------------------------------------------------------ turns

  /** Runs the method of the execution that has the turn, if it is this replica's and does not run yet. */
  private void startTurn(long now, Effects out) {
    Item.Turn turn = turn();
    if (turn == null || !isOwn(turn) || turn.equals(running)) {
      return;
    }
    running = turn;
    runningSince = now;
    Execution execution = own.withTurn(turn.number());
    if (execution != null && requests.isOpen(execution)) {
      requests.resume(execution, out);
    } else {
      endTurn(now, turn, out);
    }
  }

  /** Ends the turn of an execution that ended without a result, or takes too long. */
  void checkTurn(long now, Effects out) {
    Item.Turn turn = turn();
    if (running == null || !running.equals(turn)) {
      return;
    }
    Execution execution = own.withTurn(turn.number());
    boolean slow = now - runningSince > TURN_SUSPICIONS * setup.timing().suspectNanos();
    if (execution != null && (!requests.isOpen(execution) || (slow && execution.changes() == null)) && mayPropose()) {
      endTurn(now, turn, out);
    }
  }

  private void endTurn(long now, Item.Turn turn, Effects out) {
    own.endTurn(turn.number());
    Origin origin =
        new Origin(epoch, setup.self(), own.next(), Origin.Kind.END, turn.number(), state.applied(), List.of());
    submit(now, NOTHING.from(origin), null, out);
  }

  // ------------------------------------------------------------------------------------------------ views

  /** Called when this replica is a member of the view: updates after {@code from} never became stable and are dropped. */
  void enter(long now, View entered, long from, Effects out) {
    view.enter(from, out);
    epoch = entered.epoch();
    start = from;
    placed.clear();
    own.enter(epoch, running == null ? 0 : running.number());
    running = null;
    if (lost) {
      stateSince = epoch;
      lost = false;
    }
    if (!setup.enforces(Rule.PROPOSE_ONLY_THE_LOST_AGAIN)) {
      own.takeEarlier().forEach(this::park);
    }
    requests.begin(now);
  }

  /** Called when the view has begun: updates that its members hold become stable. */
  void begin(long now, Effects out) {
    view.advance(now, out);
    settle(now, out);
  }

  /** Called when this replica's state is void until it is brought up to date. */
  void lose(Effects out) {
    transfer.lose(out);
    lost = true;
    own.takeParked().forEach(execution -> requests.refuse(execution, NOT_PROPOSED, out));
    own.takeSent().forEach(execution -> requests.refuse(execution, UNKNOWN, out));
  }

  void tick(long now, Effects out) {
    settle(now, out);
    checkTurn(now, out);
    if (membership.role() == Role.BACKUP) {
      for (StateUpdate update : own.overdue(now, 2 * setup.timing().heartbeatNanos(), RESEND_MOST)) {
        out.send(membership.view().primary(), new Proposal(epoch, update, membership.wire()));
      }
    }
  }
}
