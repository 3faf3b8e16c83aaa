package org.understudy.replication.core.session;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.api.decision.Decision;
import org.understudy.replication.api.decision.DecisionId;
import org.understudy.replication.api.decision.InDoubt;
import org.understudy.replication.core.Effects;
import org.understudy.replication.core.Input;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Outcome;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.request.RequestKey;
import org.understudy.replication.core.update.Eviction;
import org.understudy.replication.core.update.StateChange;
import org.understudy.replication.core.update.StateUpdate;

/** What happens to an execution whose update a database or a coordinator decides: it is committed, executed again, or refused. */
public final class PreparedExecutions {
  /** How often a request is executed before it is refused, because the database aborts its transactions. */
  static final int MAX_RUNS = 5;

  private static final Failure ABORTED_TOO_OFTEN =
      new Failure(
          FailureCode.Overloaded,
          "The database ended the request's transaction " + MAX_RUNS + " times, for example because of deadlocks. Nothing was "
              + "executed. Retry later.");

  private static final Failure EXECUTED_BEFORE =
      new Failure(
          FailureCode.ReplyDiscarded,
          "The database shows that this request was executed before, and its reply has been discarded, for example because all replicas "
              + "were restarted. It was not executed again.");

  private static final Failure OVERTAKEN =
      new Failure(
          FailureCode.NotReady,
          "A transaction over several calls or groups has changed what the request had read. The execution was rolled back and changed "
              + "nothing. Retry the request.");

  private static final Failure IN_DOUBT =
      new Failure(
          FailureCode.Overloaded,
          "The request needs objects that a prepared transaction has changed, and the decision is not known here yet. Nothing was "
              + "executed. Retry later.");

  private final ReplicaSetup setup;
  private final ExactlyOnce requests;
  private final Executions executions;
  private final CapacityLimits capacity;
  /**
   * The keys that updates have changed when they were decided, with the indexes of the marks. What ran meanwhile may have read them
   * before: no lock of this replica keeps it away from what a former primary has prepared, nor a read from a copy of an object. The
   * caller of the transaction may have known the decision earlier than this replica, so such a read would be too old. Each key stays
   * while an execution runs that began before its mark.
   */
  private final TreeMap<String, Long> changedByMarks = new TreeMap<>();

  PreparedExecutions(ReplicaSetup setup, ExactlyOnce requests, Executions executions, CapacityLimits capacity) {
    this.setup = setup;
    this.requests = requests;
    this.executions = executions;
    this.capacity = capacity;
  }

  /**
   * Why an execution cannot stand: it has read or changed what an update changes, or has changed meanwhile, that a coordinator decides.
   * Null: it can.
   */
  Failure conflict(Input.Executed input, Execution execution) {
    if (!setup.enforces(Rule.IN_DOUBT_STAYS_LOCKED)) {
      return null;
    }
    if (requests.state().prepared().locked(input.versions().keySet(), input.changes()) != null) {
      return IN_DOUBT;
    }
    return !changedByMarks.isEmpty() && isOvertaken(input, execution) ? OVERTAKEN : null;
  }

  private boolean isOvertaken(Input.Executed input, Execution execution) {
    for (Map.Entry<String, Long> read : input.versions().entrySet()) {
      String key = read.getKey();
      boolean prefix = key.endsWith("/");
      for (Map.Entry<String, Long> changed : changedByMarks.tailMap(key, true).entrySet()) {
        if (prefix ? !changed.getKey().startsWith(key) : !changed.getKey().equals(key)) {
          break;
        }
        if (read.getValue() < changed.getValue()) {
          return true;
        }
      }
    }
    return input.changes().stream()
        .map(StateChange::resource)
        .filter(key -> !input.versions().containsKey(key) && !key.endsWith(StateChange.NUMBERED))
        .anyMatch(key -> execution.began() < changedByMarks.getOrDefault(key, 0L));
  }

  /** A mark at this index has decided an update that a coordinator decides. */
  public void marked(InDoubt update, Decision decision, long index) {
    long oldest = executions.oldestRun();
    changedByMarks.values().removeIf(changed -> changed <= oldest);
    if (decision == Decision.COMMITTED && oldest < index) {
      update.resources().forEach(key -> changedByMarks.put(key, index));
    }
  }

  /** Called when this replica is no longer primary: what runs here does not stand. */
  public void lose() {
    changedByMarks.clear();
  }

  /** The update of an execution at its place in the log, without effect so far. */
  public StateUpdate prepare(long now, Execution execution, DecisionId id, Effects out) {
    StateUpdate update = requests.update(now, execution, 0).prepared(id, execution.participant());
    StateUpdate effective = requests.state().apply(update);
    if (effective != null || !setup.enforces(Rule.LOCKED_UNTIL_DECIDED)) {
      out.commit(execution.token(), update.index(), update.committed(update.index(), Eviction.NONE).changes());
    }
    if (!setup.enforces(Rule.REPLY_AFTER_MARK)) {
      requests.answer(now, execution, update, out);
    }
    return update;
  }

  /** The mark of a prepared update at this index. */
  public StateUpdate mark(long now, DecisionId id, Decision decision, long index) {
    StateUpdate prepared = requests.state().prepared().find(id);
    Eviction eviction =
        decision == Decision.ABORTED || prepared == null
            ? Eviction.NONE
            : capacity.eviction(now, prepared.kind(), prepared.key(), prepared.outcome());
    return StateUpdate.mark(index, decision, id, eviction);
  }

  /**
   * Applies a mark: commits or rolls back the execution at this replica, if there is one.
   *
   * @param execution or null
   * @return what takes effect; null for nothing
   */
  public StateUpdate apply(Execution execution, StateUpdate mark, Effects out) {
    if (execution == null) {
      return requests.apply(mark, out);
    }
    StateUpdate effective = requests.state().apply(mark);
    if (effective != null) {
      requests.committed(execution, effective, out);
    } else if (!setup.enforces(Rule.ABORT_UNDOES_MEMORY)) {
      out.commit(execution.token(), mark.index(), execution.changes());
    }
    return effective;
  }

  /** Ends the execution of an aborted update: executes its request again, or refuses it. */
  public void aborted(Execution execution, boolean again, Effects out) {
    if (!requests.isOpen(execution)) {
      return;
    }
    if (!again) {
      requests.refuse(execution, ExactlyOnce.UNDONE, out);
    } else if (execution.runs() >= MAX_RUNS) {
      requests.refuse(execution, ABORTED_TOO_OFTEN, out);
    } else {
      requests.suspend(execution, out);
      requests.resume(execution, out);
    }
  }

  /** Ends an execution of a request that, as the database shows, was executed before. */
  public void executedBefore(Execution execution, Effects out) {
    if (requests.isOpen(execution)) {
      requests.refuse(execution, EXECUTED_BEFORE, out);
    }
  }

  // ------------------------------------------------------------------------------------------------ in one phase

  /** Commits an execution that the database has committed in one phase. Returns its update, at this index of the log. */
  public StateUpdate committed(long now, Execution execution, DecisionId id, long index, Effects out) {
    StateUpdate update = requests.update(now, execution, index).decidedAs(id);
    requests.commit(execution, update, out);
    return update;
  }

  /** Answers an execution whose row is committed: no update need be stable, because the row keeps the answer. */
  public void answerNow(long now, Execution execution, StateUpdate update, Effects out) {
    if (requests.isOpen(execution)) {
      requests.answer(now, execution, update, requests.agreement().stable(), out);
    }
  }

  /**
   * The update that puts the reply of a row into the reply table.
   *
   * @param readable whether every replica can read the response; if not, the request is only known as executed
   * @return null when the table has it, or the request can be recognised otherwise
   */
  public StateUpdate recalled(long now, Input.RecalledReply row, boolean readable, long index) {
    ReplyTable replies = requests.state().replies();
    boolean recognised =
        row.key() instanceof RequestKey.OfSession of
            ? !replies.knows(of.session()) || of.sequence() < replies.ackBelow(of.session())
            : !(row.key() instanceof RequestKey.OfMessageId);
    if (recognised || replies.find(row.key()) != null) {
      return null;
    }
    Outcome outcome = readable ? row.response() : EXECUTED_BEFORE;
    Eviction eviction = capacity.eviction(now, Request.Kind.UPDATE, row.key(), outcome);
    return new StateUpdate(index, Request.Kind.UPDATE, row.key(), row.digest(), 0, "", 0, outcome, List.of(), eviction);
  }

  // ------------------------------------------------------------------------------------------------ deadlocks

  /** Called when the database has ended the transaction of an execution that has no result yet. */
  public void aborted(long token, boolean current, Effects out) {
    Execution execution = executions.find(token);
    out.rollback(token);
    if (execution != null) {
      aborted(execution, current, out);
    }
  }
}
