package org.understudy.replication.core.primarybackup;

import java.util.Iterator;
import java.util.Map;
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
  private static final long FORGET_NANOS = 1_000_000_000L;
  private static final Failure LOST =
      new Failure(
          FailureCode.OutcomeUnknown,
          "This replica lost its role before the database had decided the update. Retry with the same request id.");
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
  private boolean enabled;
  /** The epoch of the view for which the database is fenced; 0 for none. */
  private long fenced;
  /** The epoch in the database since then. */
  private long epoch;
  /** The index up to which updates have been given to the database. */
  private long requested;
  /** Whether the service's memory shows the database: since the last fence this replica has been primary. */
  private boolean loaded;
  /** Why the database could not be fenced; null for no reason so far. */
  private String trouble;
  /** The highest committed decision whose mark is stable; null for none. */
  private DecisionId lastStable;
  private DecisionId forgotten;
  private long forgetAt = Long.MIN_VALUE;

  Decisions(ReplicaSetup setup, Membership membership, ExactlyOnce requests, UpdateLog log, Placement placement) {
    this.setup = setup;
    this.membership = membership;
    this.requests = requests;
    this.log = log;
    this.placement = placement;
  }

  /** Called when the service has a part of its state in a database. */
  void enable() {
    enabled = true;
  }

  boolean isEnabled() {
    return enabled;
  }

  /** Whether nothing prevents this primary from serving: the database is fenced for this view, or there is none. */
  boolean isServing() {
    return !enabled || fenced == membership.view().epoch() || !setup.enforces(Rule.SERVE_AFTER_FENCE);
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

  /** Appends the update of an execution without effect. */
  void prepare(long now, Execution execution, Effects out) {
    if (!isFenced()) {
      requests.prepared().aborted(execution, false, out);
      return;
    }
    if (membership.wire() < WireVersions.DECISIONS) {
      requests.refuse(execution, OLDER_BUILD, out);
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

  /** Called when more updates are stable: the database may decide those that are prepared. */
  void advanced(Effects out) {
    SortedMap<Long, DecisionId> stable = marks.headMap(log.stable(), true);
    for (DecisionId id : stable.values()) {
      lastStable = lastStable == null || lastStable.compareTo(id) < 0 ? id : lastStable;
    }
    stable.clear();
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
      out.decide(execution.token(), update.decision().id(), request.key(), (Response) update.outcome());
    }
  }

  /** Called when the database has decided. What it decided before the last fence is void, because the fence has decided too. */
  void decided(long now, Input.Decided input, Effects out) {
    DecisionId id = input.id();
    Execution execution = isFenced() && id.epoch() == epoch ? own.get(id.index()) : null;
    if (execution != null && execution.token() == input.token()) {
      mark(now, input, out);
    }
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
    lastStable = prepared().lastCommitted();
    forgotten = null;
    if (enabled && !setup.lacksQuorum(membership.view())) {
      out.fence(membership.view().epoch(), prepared().lastCommitted(), prepared().ids(), !loaded);
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
    loaded = true;
    trouble = null;
    requested = log.end();
    for (DecisionId id : prepared().ids()) {
      mark(now, new Input.Decided(0, id, input.committed().contains(id) ? Decision.COMMITTED : Decision.ABORTED, false), out);
    }
    requested = log.end();
    return true;
  }

  /** Called when the database could not be fenced. Returns whether that concerns this view. */
  boolean fenceFailed(Input.FenceFailed input) {
    boolean current = membership.role() == Role.PRIMARY && input.view() == membership.view().epoch() && !isFenced();
    trouble = current ? input.why() : trouble;
    return current;
  }

  /** Called when this replica is no longer primary: its executions end, and their decisions are another primary's. */
  void lose(Effects out) {
    loaded = false;
    for (Iterator<Map.Entry<Long, Execution>> all = own.entrySet().iterator(); all.hasNext(); ) {
      Execution execution = all.next().getValue();
      all.remove();
      if (requests.isOpen(execution)) {
        requests.refuse(execution, LOST, out);
      }
    }
  }

  /** From time to time, permits the database to forget what all replicas know. */
  void tick(long now, Effects out) {
    if (!isFenced() || lastStable == null || now < forgetAt) {
      return;
    }
    forgetAt = now + FORGET_NANOS;
    // Not the last one that every replica knows: by its row the next primary recognises that the database is no older.
    DecisionId below = lastStable;
    if (setup.enforces(Rule.FORGET_WHEN_MARKED)) {
      for (DecisionId undecided : prepared().ids()) {
        below = undecided.compareTo(below) < 0 ? undecided : below;
      }
      for (DecisionId unstable : marks.values()) {
        below = unstable.compareTo(below) < 0 ? unstable : below;
      }
    } else {
      below = new DecisionId(epoch, log.end());
    }
    if (forgotten == null || forgotten.compareTo(below) < 0) {
      forgotten = below;
      out.forget(below);
    }
  }
}
