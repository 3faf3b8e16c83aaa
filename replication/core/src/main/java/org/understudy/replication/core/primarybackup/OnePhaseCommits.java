package org.understudy.replication.core.primarybackup;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.understudy.replication.api.decision.Decision;
import org.understudy.replication.api.decision.DecisionId;
import org.understudy.replication.core.Effects;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.request.Response;
import org.understudy.replication.core.session.ExactlyOnce;
import org.understudy.replication.core.session.Execution;
import org.understudy.replication.core.update.StateUpdate;

/**
 * As primary: the updates of a database alone. They commit without an entry in the log, and their rows keep their answers. The log gets
 * each one afterwards, so that replicas know the reply without asking the database.
 */
final class OnePhaseCommits {
  private final ReplicaSetup setup;
  private final ExactlyOnce requests;
  /** Those that the database is deciding. */
  private final TreeMap<DecisionId, Execution> own = new TreeMap<>();
  private long last = DecisionId.ONE_PHASE;

  OnePhaseCommits(ReplicaSetup setup, ExactlyOnce requests) {
    this.setup = setup;
    this.requests = requests;
  }

  /** Has the database decide the update of an execution. */
  void begin(long now, Execution execution, long epoch, Effects out) {
    DecisionId id = new DecisionId(epoch, last++);
    own.put(id, execution);
    Request request = execution.request();
    StateUpdate update = requests.update(now, execution, 0);
    out.decide(execution.token(), id, request.key(), request.digest(), (Response) update.outcome());
    if (!setup.enforces(Rule.ANSWER_AFTER_COMMIT)) {
      requests.prepared().answerNow(now, execution, update, out);
    }
  }

  /** Those that the database is deciding. */
  List<DecisionId> undecided() {
    return new ArrayList<>(own.keySet());
  }

  /** The execution with this id, or null. */
  Execution find(DecisionId id) {
    return own.get(id);
  }

  /** The id that the next one gets in this epoch. */
  DecisionId next(long epoch) {
    return new DecisionId(epoch, last);
  }

  /**
   * Called when the database has decided: commits the execution, or executes its request again, or refuses it.
   *
   * @param index of the next update in the log
   * @return the update that the log gets, which takes effect here already; null for none
   */
  StateUpdate decided(long now, DecisionId id, Decision decision, boolean again, long index, Effects out) {
    Execution execution = own.remove(id);
    if (decision == Decision.COMMITTED) {
      return requests.prepared().committed(now, execution, id, index, out);
    }
    requests.prepared().aborted(execution, again, out);
    return null;
  }

  /** Ends all: their decisions are another primary's to find. Returns their executions. */
  List<Execution> lose() {
    List<Execution> all = new ArrayList<>(own.values());
    own.clear();
    return all;
  }
}
