package org.understudy.replication.core.group;

import java.util.List;
import java.util.TreeMap;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.core.Effects;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.Role;
import org.understudy.replication.core.Rule;
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
import org.understudy.replication.core.update.StateUpdate;
import org.understudy.replication.core.wire.WireVersions;

/**
 * Proposes what this replica has executed: for the first time, and again after a refusal, a turn or a view change. An
 * execution that has to wait is rolled back where it would hold locks that another one needs.
 */
final class Proposer {
  /** After this many refused runs, a request takes a turn. */
  private static final int MAX_REFUSED_RUNS = 3;

  private static final int RESEND_MOST = 16;
  /** A turn that excludes all other runs ends when its own run takes longer, so that one slow method does not stop the group. */
  private static final int TURN_SUSPICIONS = 4;
  /** After so many turns that have not helped, a request fails when it is refused again. */
  private static final int MAX_LOST_TURNS = 2;
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
  private final LocalCertification local;
  private final OwnProposals own = new OwnProposals();
  /** By number, the turns of this epoch whose runs have begun here. */
  private final TreeMap<Long, Started> started = new TreeMap<>();

  /** A turn, and when its run began. */
  private record Started(Item.Turn turn, long since) {}

  Proposer(ReplicaSetup setup, Membership membership, CertifiedOrder order) {
    this.setup = setup;
    this.membership = membership;
    this.order = order;
    this.requests = order.requests();
    this.state = requests.state();
    this.local = new LocalCertification(setup, order);
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
    if (local.isExcluded(execution, own.turnOf(execution))) {
      // The run that has the turn may need its locks.
      refusedHere(now, execution, true, out);
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

  private void propose(long now, Execution execution, Effects out) {
    if (execution.isRun() && !local.isFresh(execution, own.turnOf(execution)) && setup.enforces(Rule.CERTIFY_EVERY_VERSION)) {
      refusedHere(now, execution, false, out);
      return;
    }
    List<String> read = execution.versions().keySet().stream().sorted().toList();
    Origin origin =
        new Origin(
            order.epoch(), setup.self(), own.next(), Origin.Kind.RUN, own.turnOf(execution), state.applied(), read);
    submit(now, requests.update(now, execution, 0).from(origin), execution, out);
  }

  /**
   * Called when a proposal of this replica was refused at its place.
   *
   * @param deferred because another run has a turn
   */
  void refused(long now, Origin origin, Execution execution, boolean deferred, Effects out) {
    if (origin.turn() != 0) {
      turnEnded(origin);
      execution.loseTurn();
    }
    again(now, execution, deferred, out);
  }

  /** A run that would be refused at its place is not proposed. */
  private void refusedHere(long now, Execution execution, boolean deferred, Effects out) {
    loseTurn(now, own.turnOf(execution), execution, out);
    again(now, execution, deferred, out);
  }

  /** Rolls the run back. The method runs again: at once, when others have had their turns, or with a turn. */
  private void again(long now, Execution execution, boolean deferred, Effects out) {
    if (execution.lostTurns() >= MAX_LOST_TURNS && setup.enforces(Rule.STARVED_REQUEST_FAILS)) {
      requests.refuse(execution, starved(execution), out);
      return;
    }
    requests.suspend(execution, out);
    if (needsTurn(now, execution)) {
      requestTurn(now, execution, out);
    } else if (deferred) {
      own.park(execution);
    } else {
      requests.resume(execution, out);
    }
  }

  private Failure starved(Execution execution) {
    return new Failure(
        FailureCode.Overloaded,
        "The method has run " + execution.runs() + " times, and each time other requests have changed meanwhile what it read or changed. "
            + "It takes longer than the " + TURN_SUSPICIONS * setup.timing().suspectNanos() / 1_000_000
            + " ms for which it may exclude them all. Nothing was executed. Retry later; make the method shorter, let it read fewer"
            + " resources, or use the strategy primary-backup.");
  }

  private boolean needsTurn(long now, Execution execution) {
    return execution.runs() > MAX_REFUSED_RUNS
        && setup.enforces(Rule.TURN_AFTER_REFUSALS)
        && own.turnOf(execution) == 0
        && mayPropose(now);
  }

  /**
   * What the turn excludes the changes of: what the last run has touched. If that did not help, because the run in the turn has touched
   * something else, the next turn excludes everything. So does each turn in the wire versions of builds that know no others.
   */
  private List<String> keysOfTurn(Execution execution) {
    boolean named =
        execution.lostTurns() == 0
            && execution.touched() != null
            && membership.wire() >= WireVersions.TURNS_OF_KEYS
            && setup.enforces(Rule.TURN_EXCLUDES_ITS_KEYS);
    return named ? execution.touched() : List.of();
  }

  private void requestTurn(long now, Execution execution, Effects out) {
    Origin origin =
        new Origin(order.epoch(), setup.self(), own.next(), Origin.Kind.TURN, 0, state.applied(), keysOfTurn(execution));
    submit(now, NOTHING.from(origin), execution, out);
  }

  private void submit(long now, StateUpdate update, Execution execution, Effects out) {
    own.add(now, update, execution);
    // A delegate places all its proposals: none may be missing between two that it has placed.
    if (order.delegate().mayPlace() || !order.multicasts().reachSequencer()) {
      send(now, update, out);
      return;
    }
    out.multicast(new Proposal(order.epoch(), update, membership.wire()));
    if (membership.role() == Role.PRIMARY) {
      // The places of its own updates need not wait until the channel has delivered them here.
      order.sequencer().place(now, setup.self(), order.epoch(), update, true, out);
    } else if (order.multicasts().sendToSequencerToo(update)) {
      send(now, update, out);
    }
  }

  private void send(long now, StateUpdate update, Effects out) {
    Proposal proposal = new Proposal(order.epoch(), update, membership.wire());
    if (membership.role() == Role.PRIMARY) {
      order.sequencer().onProposal(now, setup.self(), proposal, out);
    } else if (order.delegate().mayPlace()) {
      order.delegate().place(now, update, out);
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
    startTurns(now, out);
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
    loseTurn(now, own.turnOf(execution), execution, out);
    if (needsTurn(now, execution)) {
      requestTurn(now, execution, out);
    } else if (local.mayBeExcluded(execution)) {
      own.park(execution);
    } else {
      requests.resume(execution, out);
    }
  }

  // ------------------------------------------------------------------------------------------------ turns

  /** Runs the methods of the executions that have open turns, if they are this replica's and do not run yet. */
  private void startTurns(long now, Effects out) {
    for (Item.Turn turn : local.openTurns()) {
      boolean isNext = turn.replica().equals(setup.self()) && !started.containsKey(turn.number());
      // The end of another one may have been placed here meanwhile.
      if (isNext && local.openTurn(turn.number()) != null) {
        started.put(turn.number(), new Started(turn, now));
        Execution execution = own.withTurn(turn.number());
        boolean runs = execution != null && requests.isOpen(execution) && requests.resume(execution, out);
        if (!runs) {
          endTurn(now, turn.number(), out);
        }
      }
    }
  }

  /** Ends the turns of executions that ended without a result, or take too long. */
  void checkTurn(long now, Effects out) {
    if (started.isEmpty() || !mayPropose(now)) {
      return;
    }
    for (Started one : List.copyOf(started.values())) {
      long number = one.turn().number();
      Execution execution = own.withTurn(number);
      if (execution != null && !requests.isOpen(execution)) {
        endTurn(now, number, out);
      } else if (execution != null && execution.changes() == null && isTooLong(now, one, execution)) {
        loseTurn(now, number, execution, out);
      }
    }
  }

  private boolean isTooLong(long now, Started one, Execution execution) {
    boolean stopsAll = one.turn().keys().isEmpty();
    return execution.isOverdue() || (stopsAll && now - one.since() > TURN_SUSPICIONS * setup.timing().suspectNanos());
  }

  /** Ends a turn that has not helped, if this replica can propose that now. */
  private void loseTurn(long now, long number, Execution execution, Effects out) {
    if (number != 0 && mayPropose(now)) {
      execution.loseTurn();
      endTurn(now, number, out);
    }
  }

  private void endTurn(long now, long number, Effects out) {
    own.endTurn(number);
    Origin origin =
        new Origin(order.epoch(), setup.self(), own.next(), Origin.Kind.END, number, state.applied(), List.of());
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

  /** The proposals of this epoch after this number, in their order. */
  List<StateUpdate> proposedAfter(long number) {
    return own.after(number);
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
      started.remove(origin.turn());
    }
  }

  // ------------------------------------------------------------------------------------------------ views

  /** Called when this replica has entered a view. */
  void enter() {
    own.enter(order.epoch(), started.keySet());
    started.clear();
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
