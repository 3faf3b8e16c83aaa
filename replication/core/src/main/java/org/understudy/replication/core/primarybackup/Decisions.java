package org.understudy.replication.core.primarybackup;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.api.decision.Decision;
import org.understudy.replication.api.decision.DecisionId;
import org.understudy.replication.core.Effects;
import org.understudy.replication.core.Input;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.Role;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.membership.Membership;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.request.Response;
import org.understudy.replication.core.session.ExactlyOnce;
import org.understudy.replication.core.session.Execution;
import org.understudy.replication.core.store.PreparedUpdates;
import org.understudy.replication.core.transfer.UpdateLog;
import org.understudy.replication.core.update.StateUpdate;
import org.understudy.replication.core.wire.WireVersions;

/**
 * As primary: prepares updates that a database decides, has them decided, and marks the decisions in the log; has the database
 * fenced before anything is served. See {@code docs/design/prepared-updates.md}.
 */
final class Decisions {
  private static final Failure LOST =
      new Failure(
          FailureCode.OutcomeUnknown,
          "This replica lost its role before the database had decided the update. " + Failure.RETRY_WITH_ID);
  private static final Failure OLDER_BUILD =
      new Failure(
          FailureCode.NotReady,
          "A replica of the view runs an older build, which cannot store an update with a part in a database. Nothing was executed. "
              + "Update that replica, then retry.");

  /** Appends what this class makes, and sends it. */
  @FunctionalInterface
  interface Placement {
    void place(long now, StateUpdate update, Effects out);
  }

  private final ReplicaSetup setup;
  private final Membership membership;
  private final ExactlyOnce requests;
  private final UpdateLog log;
  private final Placement placement;
  /** The executions at this replica whose updates are prepared, by index. */
  private final TreeMap<Long, Execution> own = new TreeMap<>();
  /** The committed decisions whose marks are not stable, by the indexes of the marks. */
  private final TreeMap<Long, DecisionId> marks = new TreeMap<>();
  private final OnePhaseCommits onePhase;
  private final RowRetention rows;
  private boolean enabled;
  /** Whether the service keeps all its state in the database. */
  private boolean only;
  /** The epoch of the view for which the database is fenced; 0 for none. */
  private long fenced;
  /** The epoch in the database since then. */
  private long epoch;
  /** The index up to which updates have been given to the database. */
  private long requested;
  /** Whether rows of the database are being read. */
  private boolean recalling;
  /** The row after which reading goes on when the log is stable; null for none. */
  private DecisionId recallAfter;
  /** Whether the service's memory shows the database: since the last fence this replica has been primary. */
  private boolean loaded;
  /** Why the database could not be fenced; null for no reason so far. */
  private String trouble;

  Decisions(ReplicaSetup setup, Membership membership, ExactlyOnce requests, UpdateLog log, Placement placement) {
    this.setup = setup;
    this.membership = membership;
    this.requests = requests;
    this.log = log;
    this.placement = placement;
    this.onePhase = new OnePhaseCommits(setup, requests);
    this.rows = new RowRetention(setup);
  }

  /** Called when the service has a part of its state in a database, or all of it. */
  void enable(boolean all) {
    enabled = true;
    only = all;
  }

  boolean isEnabled() {
    return enabled;
  }

  /** Whether nothing prevents this primary from serving: the database is fenced for this view and its rows are read, or there is none. */
  boolean isServing() {
    return !enabled || fenced == membership.view().epoch() && !recalling || !setup.enforces(Rule.SERVE_AFTER_FENCE);
  }

  private boolean isFenced() {
    return enabled && membership.role() == Role.PRIMARY && fenced == membership.view().epoch();
  }

  /** Why this primary serves nothing, or null for no reason but time. */
  Failure trouble() {
    return trouble == null ? null : new Failure(FailureCode.NotReady, trouble);
  }

  private PreparedUpdates prepared() {
    return requests.state().prepared();
  }

  /** Why no further update may be prepared now, or null. */
  Failure backlog() {
    return prepared().size() < setup.limits().unstableUpdates() && prepared().bytes() < setup.limits().bytes().unstable()
        ? null
        : new Failure(FailureCode.Overloaded, "Too many updates wait for the database to decide them. Retry later.");
  }

  // ------------------------------------------------------------------------------------------------ one update

  /** Appends the update of an execution without effect, or has the database decide it at once if it changes nothing else. */
  void prepare(long now, Execution execution, Effects out) {
    if (!isFenced()) {
      requests.prepared().aborted(execution, false, out);
      return;
    }
    if (membership.wire() < WireVersions.DECISIONS) {
      requests.refuse(execution, OLDER_BUILD, out);
      return;
    }
    if (only && execution.changes().isEmpty() && sawStable(execution) && membership.wire() >= WireVersions.MARKS_WITH_UPDATES) {
      onePhase.begin(now, execution, epoch, out);
      return;
    }
    DecisionId id = new DecisionId(epoch, log.end() + 1);
    StateUpdate update = requests.prepared().prepare(now, execution, id, out);
    own.put(id.index(), execution);
    if (!setup.enforces(Rule.PREPARED_BEFORE_DECIDED)) {
      request(id.index(), out);
    }
    placement.place(now, update, out);
  }

  /** Whether nothing that the execution has read can be lost. The group may have other services, and a transaction several parts. */
  private boolean sawStable(Execution execution) {
    for (long version : execution.versions().values()) {
      if (version > log.stable()) {
        return false;
      }
    }
    return true;
  }

  /** Called when more updates are stable: the database may decide those that are prepared. */
  void advanced(Effects out) {
    SortedMap<Long, DecisionId> stable = marks.headMap(log.stable(), true);
    stable.values().forEach(rows::stable);
    stable.clear();
    recallWhenStable(out);
    if (isFenced() && requested < log.stable()) {
      own.subMap(requested, false, log.stable(), true).keySet().stream().toList().forEach(index -> request(index, out));
      requested = log.stable();
    }
  }

  private void request(long index, Effects out) {
    Execution execution = own.get(index);
    StateUpdate update = prepared().find(new DecisionId(epoch, index));
    if (update != null && requested < index) {
      Request request = execution.request();
      out.decide(execution.token(), update.decision().id(), request.key(), request.digest(), (Response) update.outcome());
    }
  }

  /** Called when the database has decided. What it decided before the last fence is void, because the fence has decided too. */
  void decided(long now, Input.Decided input, Effects out) {
    DecisionId id = input.id();
    Execution execution = !isFenced() || id.epoch() != epoch ? null : id.isOnePhase() ? onePhase.find(id) : own.get(id.index());
    if (execution == null || execution.token() != input.token()) {
      return;
    }
    if (id.isOnePhase()) {
      decidedInOnePhase(now, execution, input, out);
    } else {
      mark(now, input, out);
    }
  }

  private void decidedInOnePhase(long now, Execution execution, Input.Decided input, Effects out) {
    if (input.executedBefore()) {
      requests.prepared().executedBefore(execution, out);
    }
    StateUpdate update = onePhase.decided(now, input.id(), input.decision(), input.again(), log.end() + 1, out);
    if (update != null) {
      requests.prepared().answerNow(now, execution, update, out);
      record(now, input.id(), update, out);
    }
  }

  /** Appends an update that the database has committed and that takes effect here already. */
  private void record(long now, DecisionId id, StateUpdate update, Effects out) {
    marks.put(update.index(), id);
    placement.place(now, update, out);
  }

  private void mark(long now, Input.Decided decided, Effects out) {
    DecisionId id = decided.id();
    Execution execution = own.remove(id.index());
    StateUpdate mark = requests.prepared().mark(now, id, decided.decision(), log.end() + 1);
    StateUpdate effective = requests.prepared().apply(execution, mark, out);
    if (effective != null) {
      marks.put(mark.index(), id);
    }
    placement.place(now, mark, out);
    if (execution == null) {
      return;
    }
    if (decided.executedBefore()) {
      requests.prepared().executedBefore(execution, out);
    } else if (effective == null) {
      requests.prepared().aborted(execution, decided.again(), out);
    } else if (requests.isOpen(execution)) {
      requests.answer(now, execution, effective, out);
    }
  }

  /** Called when the database has ended the transaction of an execution that has not returned. */
  void aborted(Input.BranchAborted input, Effects out) {
    requests.prepared().aborted(input.token(), isFenced(), out);
  }

  // ------------------------------------------------------------------------------------------------ the fence

  /** Called when the view has begun at this primary. */
  void begin(Effects out) {
    trouble = null;
    marks.clear();
    recalling = false;
    recallAfter = null;
    if (enabled && !setup.lacksQuorum(membership.view())) {
      List<DecisionId> undecided = prepared().ids();
      undecided.addAll(onePhase.undecided());
      out.fence(membership.view().epoch(), prepared().lastCommitted(), undecided, !loaded);
    }
  }

  /**
   * Called when the database is fenced: marks every prepared update.
   *
   * @return whether this primary may serve now
   */
  boolean fenced(long now, Input.Fenced input, Effects out) {
    if (membership.role() != Role.PRIMARY || input.view() != membership.view().epoch() || isFenced()) {
      return false;
    }
    fenced = input.view();
    epoch = input.epoch();
    recalling = !loaded && setup.enforces(Rule.RECALL_BEFORE_SERVING);
    loaded = !recalling;
    trouble = null;
    requested = log.end();
    rows.begin(now, epoch, prepared().lastCommitted());
    for (DecisionId id : prepared().ids()) {
      mark(now, new Input.Decided(0, id, input.committed().contains(id) ? Decision.COMMITTED : Decision.ABORTED, false), out);
    }
    for (DecisionId id : onePhase.undecided()) {
      Decision decision = input.committed().contains(id) ? Decision.COMMITTED : Decision.ABORTED;
      decidedInOnePhase(now, onePhase.find(id), new Input.Decided(0, id, decision, false), out);
    }
    requested = log.end();
    if (recalling) {
      out.recall(input.view(), null);
    }
    return !recalling;
  }

  /**
   * Called with rows of the database: puts the replies that the reply table lacks into the log. Then reads on when every replica has them.
   *
   * @return whether this primary may serve now
   */
  boolean recalled(long now, Input.Recalled input, Effects out) {
    if (!isFenced() || !recalling || input.view() != fenced) {
      return false;
    }
    trouble = null;
    for (Input.RecalledReply row : input.replies()) {
      boolean readable = row.response().format() <= membership.wire();
      StateUpdate update = requests.prepared().recalled(now, row, readable, log.end() + 1);
      if (update != null) {
        StateUpdate decided = membership.wire() < WireVersions.MARKS_WITH_UPDATES ? update : update.decidedAs(row.id());
        requests.apply(decided, out);
        record(now, row.id(), decided, out);
      }
    }
    recalling = input.last() != null;
    loaded = !recalling;
    recallAfter = input.last();
    recallWhenStable(out);
    return !recalling;
  }

  /** Reads more rows, of which so many may be missing in the log that it must not grow without a bound. */
  private void recallWhenStable(Effects out) {
    if (recallAfter != null && isFenced() && log.stable() == log.end()) {
      DecisionId after = recallAfter;
      recallAfter = null;
      out.recall(fenced, after);
    }
  }

  /** Called when the database could not be fenced. Returns whether that concerns this view. */
  boolean fenceFailed(Input.FenceFailed input) {
    boolean current = membership.role() == Role.PRIMARY && input.view() == membership.view().epoch()
        && (!isFenced() || recalling);
    trouble = current ? input.why() : trouble;
    return current;
  }

  /** Called when this replica is no longer primary: its executions end, and their decisions are another primary's. */
  void lose(Effects out) {
    loaded = false;
    List<Execution> all = new ArrayList<>(own.values());
    own.clear();
    all.addAll(onePhase.lose());
    for (Execution execution : all) {
      if (requests.isOpen(execution)) {
        requests.refuse(execution, LOST, out);
      }
    }
  }

  /** From time to time, permits the database to forget what all replicas know. */
  void tick(long now, Effects out) {
    if (isFenced() && !recalling) {
      List<DecisionId> needed = prepared().ids();
      needed.addAll(marks.values());
      needed.addAll(onePhase.undecided());
      rows.tick(now, needed, new DecisionId[] {new DecisionId(epoch, Math.max(1, log.end())), onePhase.next(epoch)}, out);
    }
  }
}
