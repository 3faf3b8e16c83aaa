package org.understudy.replication.core.primarybackup;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.api.decision.Decision;
import org.understudy.replication.api.decision.DecisionId;
import org.understudy.replication.api.decision.InDoubt;
import org.understudy.replication.core.Effects;
import org.understudy.replication.core.Input;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.Role;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.membership.Membership;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.session.ExactlyOnce;
import org.understudy.replication.core.session.Execution;
import org.understudy.replication.core.store.PreparedUpdates;
import org.understudy.replication.core.transfer.UpdateLog;
import org.understudy.replication.core.update.StateUpdate;
import org.understudy.replication.core.wire.WireVersions;

/**
 * As primary: prepares updates that the coordinators of transactions decide, reports when they may be voted for, and marks the
 * decisions in the log. A new primary keeps what its predecessors have prepared. See {@code docs/design/transactions.md}.
 */
final class CoordinatedUpdates {
  /** Updates in doubt may take this part of the limits for updates that are not stable. */
  private static final int SHARE = 2;

  private static final Failure LOST =
      new Failure(
          FailureCode.OutcomeUnknown,
          "This replica lost its role before the transaction was decided. Its next primary keeps what is prepared.");
  private static final Failure OLDER_BUILD =
      new Failure(
          FailureCode.NotReady,
          "A replica of the view runs an older build, which cannot prepare a transaction. Nothing was changed. Update that replica.");
  private static final Failure TOO_MANY =
      new Failure(FailureCode.Overloaded, "Too many prepared transactions wait for their decisions. Nothing was changed. Retry later.");
  private static final Failure WITH_DATABASE =
      new Failure(
          FailureCode.ExecutionFailed,
          "A transaction over several groups changed a database here, which is not supported. Nothing was changed.");

  private final ReplicaSetup setup;
  private final Membership membership;
  private final ExactlyOnce requests;
  private final UpdateLog log;
  private final Decisions.Placement placement;
  /** The executions at this replica whose updates are prepared, by index. */
  private final TreeMap<Long, Execution> own = new TreeMap<>();
  /** Those of them that may not be voted for yet, by index. */
  private final TreeMap<Long, DecisionId> unstable = new TreeMap<>();
  /** The decided updates whose marks are not stable, by the indexes of the marks. */
  private final TreeMap<Long, InDoubt> marks = new TreeMap<>();

  CoordinatedUpdates(
      ReplicaSetup setup, Membership membership, ExactlyOnce requests, UpdateLog log, Decisions.Placement placement) {
    this.setup = setup;
    this.membership = membership;
    this.requests = requests;
    this.log = log;
    this.placement = placement;
  }

  private PreparedUpdates prepared() {
    return requests.state().prepared();
  }

  /** Appends the update of an execution without effect, or refuses it. */
  void prepare(long now, Execution execution, Effects out) {
    Failure refusal = refusal(execution);
    if (refusal != null) {
      requests.refuse(execution, refusal, out);
      return;
    }
    DecisionId id = new DecisionId(membership.view().epoch(), log.end() + 1);
    StateUpdate update = requests.prepared().prepare(now, execution, id, out);
    own.put(id.index(), execution);
    if (setup.enforces(Rule.VOTE_AFTER_STABLE)) {
      unstable.put(id.index(), id);
    } else {
      out.prepared(execution.token(), id);
    }
    placement.place(now, update, out);
  }

  private Failure refusal(Execution execution) {
    if (membership.wire() < WireVersions.TRANSACTIONS) {
      return OLDER_BUILD;
    }
    if (execution.hasBranch()) {
      return WITH_DATABASE;
    }
    boolean room =
        prepared().inDoubtSize() < Math.max(1, setup.limits().unstableUpdates() / SHARE)
            && prepared().inDoubtBytes() < setup.limits().bytes().unstable() / SHARE;
    return room ? null : TOO_MANY;
  }

  /** Called when more updates are stable. */
  void advanced(Effects out) {
    SortedMap<Long, DecisionId> votes = unstable.headMap(log.stable(), true);
    if (!votes.isEmpty()) {
      for (Map.Entry<Long, DecisionId> vote : List.copyOf(votes.entrySet())) {
        out.prepared(own.get(vote.getKey()).token(), vote.getValue());
      }
      votes.clear();
    }
    SortedMap<Long, InDoubt> decided = marks.headMap(log.stable(), true);
    if (!decided.isEmpty()) {
      List<InDoubt> settled = new ArrayList<>(decided.values());
      decided.clear();
      settled.forEach(update -> out.settled(update.id(), true));
    }
  }

  /** Marks the decision of a prepared update. */
  void decided(long now, Input.CoordinatorDecided input, Effects out) {
    DecisionId id = input.id();
    StateUpdate update = prepared().find(id);
    boolean open = membership.role() == Role.PRIMARY && update != null && update.decision().isCoordinated();
    if (open) {
      mark(now, PreparedUpdates.inDoubt(update), input.decision(), out);
    } else if (marks.values().stream().noneMatch(one -> one.id().equals(id))) {
      out.settled(id, false);
    }
  }

  /** What is prepared, and what is decided by a mark that can still be lost. */
  List<InDoubt> undecided() {
    List<InDoubt> all = prepared().inDoubt();
    all.addAll(marks.values());
    return all;
  }

  private void mark(long now, InDoubt update, Decision decision, Effects out) {
    DecisionId id = update.id();
    Execution execution = own.remove(id.index());
    unstable.remove(id.index());
    StateUpdate mark = requests.prepared().mark(now, id, decision, log.end() + 1);
    StateUpdate effective = requests.prepared().apply(execution, mark, out);
    requests.prepared().marked(update, decision, mark.index());
    if (setup.enforces(Rule.ACKNOWLEDGE_STABLE_MARK)) {
      marks.put(mark.index(), update);
    } else {
      out.settled(id, true);
    }
    placement.place(now, mark, out);
    if (execution != null && effective == null) {
      requests.prepared().aborted(execution, false, out);
    } else if (execution != null && requests.isOpen(execution)) {
      requests.answer(now, execution, effective, out);
    }
  }

  /** Called when the view has begun at this primary, and its updates have become stable as far as they can. */
  void begin(long now, Effects out) {
    if (setup.lacksQuorum(membership.view())) {
      return;
    }
    List<InDoubt> inherited = prepared().inDoubt().stream().filter(update -> !own.containsKey(update.id().index())).toList();
    if (!setup.enforces(Rule.NO_GUESS)) {
      inherited.forEach(update -> mark(now, update, Decision.ABORTED, out));
    } else if (!inherited.isEmpty()) {
      out.inDoubt(inherited);
    }
  }

  /** Called when this replica is no longer primary: its prepared updates are the next primary's. */
  void lose(Effects out) {
    List<Execution> lost = new ArrayList<>(own.values());
    own.clear();
    unstable.clear();
    requests.prepared().lose();
    for (Execution execution : lost) {
      if (requests.isOpen(execution)) {
        requests.refuse(execution, LOST, out);
      }
    }
    List<InDoubt> unknown = new ArrayList<>(marks.values());
    marks.clear();
    unknown.forEach(update -> out.settled(update.id(), false));
  }
}
