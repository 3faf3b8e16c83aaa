package org.understudy.replication.core.group;

import java.util.List;
import java.util.Map;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.core.Effects;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.Role;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.certification.Certification;
import org.understudy.replication.core.group.GroupMessage.Proposal;
import org.understudy.replication.core.limit.ReplicatedLimits;
import org.understudy.replication.core.membership.Membership;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.request.Response;
import org.understudy.replication.core.session.ExactlyOnce;
import org.understudy.replication.core.session.Execution;
import org.understudy.replication.core.session.GroupState;
import org.understudy.replication.core.store.Item;
import org.understudy.replication.core.update.Eviction;
import org.understudy.replication.core.update.Origin;
import org.understudy.replication.core.update.StateChange;
import org.understudy.replication.core.update.StateUpdate;

/**
 * Proposes what this replica has executed: for the first time, and again after a refusal, a turn or a view change. An
 * execution that has to wait is rolled back where it would hold locks that another one needs.
 */
final class Proposer {
  /** After this many refused runs, a request takes a turn. */
  private static final int MAX_REFUSED_RUNS = 3;

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
          "The group has formed a view without this replica before the update was stable. " + Failure.RETRY_WITH_ID);

  private final ReplicaSetup setup;
  private final Membership membership;
  private final CertifiedOrder order;
  private final ExactlyOnce requests;
  private final GroupState state;
  private final OwnProposals own = new OwnProposals();
  /** The turn whose execution runs here, or null. */
  private Item.Turn running;
  private long runningSince;

  Proposer(ReplicaSetup setup, Membership membership, CertifiedOrder order) {
    this.setup = setup;
    this.membership = membership;
    this.order = order;
    this.requests = order.requests();
    this.state = requests.state();
  }

  /** The executions that have no place in the order yet, or wait for a turn. */
  int size() {
    return own.size();
  }

  /** Approximate bytes of what they have left. */
  long bytes() {
    return own.bytes();
  }

  /** Proposes the execution, or lets it wait until it can be proposed. */
  void append(long now, Execution execution, Effects out) {
    if (isExcluded(execution)) {
      // The run that has the turn may need its locks.
      suspend(now, execution, out);
    } else if (mayPropose(now)) {
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

  /**
   * A view without a majority places nothing, because members of the last view may hold other updates. A replica out of contact
   * proposes nothing, so that it can still answer that nothing was executed.
   */
  private boolean mayPropose(long now) {
    Role role = membership.role();
    return (role == Role.PRIMARY || role == Role.BACKUP)
        && !setup.lacksQuorum(membership.view())
        && membership.connected(now)
        && state.applied() >= order.start()
        && order.transfer().isComplete()
        && !order.transfer().suspendsService(now);
  }

  /** Whether another run has the turn, so that this one would be refused. */
  private boolean isExcluded(Execution execution) {
    Item.Turn turn = turn();
    return turn != null && execution.isRun() && !(isOwn(turn) && own.withTurn(turn.number()) == execution);
  }

  private Item.Turn turn() {
    Item.Turn turn = state.certification().turn();
    return turn == null || turn.epoch() < order.epoch() ? null : turn;
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
            order.epoch(), setup.self(), own.next(), Origin.Kind.RUN, own.turnOf(execution), state.applied(), read);
    submit(now, requests.update(now, execution, 0).from(origin), execution, out);
  }

  /**
   * Whether everything that the run read or changed is as it was then. What had changed when the run began was seen by it;
   * so was a change since that an execution at this replica made before the run had the resource's lock. What the run wrote without
   * reading it may have changed until the last version that it read: that was current then, so the writes came later.
   */
  private boolean isFresh(Execution execution) {
    Certification certification = state.certification();
    Map<String, Long> versions = execution.versions();
    long lastRead = execution.began();
    for (Map.Entry<String, Long> read : versions.entrySet()) {
      if (certification.isChangedAfter(read.getKey(), Math.max(read.getValue(), execution.began()))) {
        return false;
      }
      lastRead = Math.max(lastRead, read.getValue());
    }
    List<StateChange> unread =
        execution.changes().stream().filter(change -> !versions.containsKey(change.resource())).toList();
    return certification.isFresh(List.of(), unread, lastRead);
  }

  /** Runs the method again; after a number of refusals with a turn. */
  void rerun(long now, Execution execution, Effects out) {
    requests.suspend(execution, out);
    if (needsTurn(now, execution)) {
      requestTurn(now, execution, out);
    } else {
      requests.resume(execution, out);
    }
  }

  /** Rolls the run back, because another one has the turn. */
  void suspend(long now, Execution execution, Effects out) {
    requests.suspend(execution, out);
    if (needsTurn(now, execution)) {
      requestTurn(now, execution, out);
    } else {
      own.park(execution);
    }
  }

  private boolean needsTurn(long now, Execution execution) {
    return execution.runs() > MAX_REFUSED_RUNS
        && setup.enforces(Rule.TURN_AFTER_REFUSALS)
        && own.turnOf(execution) == 0
        && mayPropose(now);
  }

  private void requestTurn(long now, Execution execution, Effects out) {
    Origin origin =
        new Origin(order.epoch(), setup.self(), own.next(), Origin.Kind.TURN, 0, state.applied(), List.of());
    submit(now, NOTHING.from(origin), execution, out);
  }

  private void submit(long now, StateUpdate update, Execution execution, Effects out) {
    own.add(now, update, execution);
    if (!order.multicasts().reachSequencer()) {
      send(now, update, out);
      return;
    }
    out.multicast(new Proposal(order.epoch(), update, membership.wire()));
    if (membership.role() == Role.PRIMARY) {
      // The places of its own updates need not wait until the channel has delivered them here.
      order.place(now, setup.self(), order.epoch(), update, true, out);
    } else if (order.multicasts().sendToSequencerToo(update)) {
      send(now, update, out);
    }
  }

  private void send(long now, StateUpdate update, Effects out) {
    Proposal proposal = new Proposal(order.epoch(), update, membership.wire());
    if (membership.role() == Role.PRIMARY) {
      order.onProposal(now, setup.self(), proposal, out);
    } else {
      out.send(membership.view().primary(), proposal);
    }
  }

  /** Proposes what the last view has lost and what had to wait. */
  void settle(long now, Effects out) {
    if (!mayPropose(now)) {
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
    if (needsTurn(now, execution)) {
      requestTurn(now, execution, out);
    } else if (turn() != null) {
      own.park(execution);
    } else {
      requests.resume(execution, out);
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
    if (execution != null && (!requests.isOpen(execution) || (slow && execution.changes() == null)) && mayPropose(now)) {
      endTurn(now, turn, out);
    }
  }

  private void endTurn(long now, Item.Turn turn, Effects out) {
    own.endTurn(turn.number());
    Origin origin =
        new Origin(order.epoch(), setup.self(), own.next(), Origin.Kind.END, turn.number(), state.applied(), List.of());
    submit(now, NOTHING.from(origin), null, out);
  }

  // ------------------------------------------------------------------------------------------------ limits

  /** As the sequencer of a view that has begun: proposes its own limits on what the group stores, if others are in force. */
  void proposeLimits(long now, Effects out) {
    ReplicatedLimits limits = ReplicatedLimits.of(setup.limits());
    if (!setup.lacksQuorum(membership.view()) && !limits.equals(state.certification().limits())) {
      Origin origin =
          new Origin(
              order.epoch(), setup.self(), own.next(), Origin.Kind.LIMITS, 0, state.applied(), List.of(), limits);
      submit(now, NOTHING.from(origin), null, out);
    }
  }

  // ------------------------------------------------------------------------------------------------ places

  /** Called when this replica has received one of its updates: it need not be sent again. */
  void received(Origin origin) {
    own.placed(origin);
  }

  /** Removes the proposal, which has its place; returns its execution, or null when it is of another replica. */
  Execution take(Origin origin) {
    return origin.replica().equals(setup.self()) ? own.take(origin) : null;
  }

  /** Called when the request for a turn has its place. */
  void turnPlaced(Origin origin, Execution execution) {
    if (origin.epoch() == order.epoch()) {
      own.addTurn(origin.number(), execution);
    } else {
      own.park(execution);
    }
  }

  /** Called when the turn that this proposal had has ended. */
  void turnEnded(Origin origin) {
    if (origin.epoch() == order.epoch() && origin.replica().equals(setup.self())) {
      own.endTurn(origin.turn());
    }
  }

  // ------------------------------------------------------------------------------------------------ views

  /** Called when this replica has entered a view. */
  void enter() {
    own.enter(order.epoch(), running == null ? 0 : running.number());
    running = null;
    if (!setup.enforces(Rule.PROPOSE_ONLY_THE_LOST_AGAIN)) {
      own.takeEarlier().forEach(this::park);
    }
  }

  /**
   * Called while this replica has lost the majority: no run may hold a lock until the next view. What was never sent is refused;
   * what was sent may have a place, so its callers wait on.
   */
  void withdraw(Failure refusal, Effects out) {
    own.takeParked().forEach(execution -> refuse(execution, refusal, out));
    for (Execution execution : own.sent()) {
      if (setup.enforces(Rule.PROPOSED_IS_NOT_REFUSED)) {
        requests.withdraw(execution, out);
      } else {
        refuse(execution, refusal, out);
      }
    }
  }

  /** Called when this replica has lost its state: answers what waits. */
  void lose(Effects out) {
    own.takeParked().forEach(execution -> refuse(execution, NOT_PROPOSED, out));
    own.takeSent().forEach(execution -> refuse(execution, UNKNOWN, out));
    own.takeTurns().forEach(execution -> refuse(execution, NOT_PROPOSED, out));
  }

  private void refuse(Execution execution, Failure failure, Effects out) {
    if (requests.isOpen(execution)) {
      requests.refuse(execution, failure, out);
    }
  }

  void tick(long now, Effects out) {
    settle(now, out);
    checkTurn(now, out);
    if (membership.role() == Role.BACKUP || membership.role() == Role.PRIMARY) {
      for (StateUpdate update : own.overdue(now, 2 * setup.timing().heartbeatNanos(), RESEND_MOST)) {
        send(now, update, out);
      }
    }
  }
}
