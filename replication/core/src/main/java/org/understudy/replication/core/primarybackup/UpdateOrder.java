package org.understudy.replication.core.primarybackup;

import java.util.Map;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.api.ReadLevel;
import org.understudy.replication.api.VersionHandle;
import org.understudy.replication.api.View;
import org.understudy.replication.core.Effects;
import org.understudy.replication.core.ReadConfirmation;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.Role;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.certification.Certification;
import org.understudy.replication.core.journal.Journal;
import org.understudy.replication.core.membership.Membership;
import org.understudy.replication.core.order.StateTransfer;
import org.understudy.replication.core.order.ViewOrder;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.session.Agreement;
import org.understudy.replication.core.session.ExactlyOnce;
import org.understudy.replication.core.session.Execution;
import org.understudy.replication.core.session.PendingRead;
import org.understudy.replication.core.transfer.UpdateLog;
import org.understudy.replication.core.update.Eviction;
import org.understudy.replication.core.update.StateUpdate;

/**
 * Orders updates. The primary appends; an update is stable when every backup of the view has acknowledged it. A backup
 * receives updates in order and applies the stable ones.
 */
final class UpdateOrder implements Agreement, ViewOrder.Listener {
  private final ReplicaSetup setup;
  private final Membership membership;
  private final UpdateLog log = new UpdateLog();
  private final ExactlyOnce requests;
  private final RequestGate gate;
  private final Journal journal;
  private final StateTransfer transfer;
  private final ViewOrder view;
  private final Decisions decisions;
  private final CoordinatedUpdates coordinated;
  /** As primary: what was sent in the last step and is to be committed in the next one; null for nothing. */
  private Uncommitted uncommitted;
  /** As backup: up to where updates were announced to be stable in the last step; 0 for nothing. */
  private long announced;
  /** As backup: when the keys changed that were applied here lately. */
  private final Certification changed = new Certification();

  private record Uncommitted(Execution execution, StateUpdate update) {}

  UpdateOrder(ReplicaSetup setup, Membership membership) {
    this.setup = setup;
    this.membership = membership;
    this.requests = new ExactlyOnce(setup, this);
    this.decisions = new Decisions(setup, membership, requests, log, this::place);
    this.coordinated = new CoordinatedUpdates(setup, membership, requests, log, this::place);
    this.gate = new RequestGate(setup, membership, requests, log, decisions);
    this.journal = new Journal(setup, requests.state(), log, membership::nextToken);
    this.transfer = new StateTransfer(setup, membership, requests.state(), log, journal);
    this.view = new ViewOrder(setup, membership, log, transfer, this);
  }

  ViewOrder view() {
    return view;
  }

  Journal journal() {
    return journal;
  }

  ExactlyOnce requests() {
    return requests;
  }

  RequestGate gate() {
    return gate;
  }

  StateTransfer transfer() {
    return transfer;
  }

  Decisions decisions() {
    return decisions;
  }

  CoordinatedUpdates coordinated() {
    return coordinated;
  }

  // ------------------------------------------------------------------------------------------------ agreement

  @Override
  public long epoch() {
    return membership.view().epoch();
  }

  /** An answer from before the view is returned when the update with which the view began is stable. */
  @Override
  public VersionHandle handle(long index) {
    if (!setup.enforces(Rule.HANDLES_ASCEND)) {
      return VersionHandle.ofGroup(epoch(), index);
    }
    return log.stable() < gate.start()
        ? VersionHandle.INITIAL
        : VersionHandle.ofGroup(epoch(), Math.max(index, gate.start()));
  }

  @Override
  public long end() {
    return log.end();
  }

  @Override
  public long stable() {
    return log.stable();
  }

  @Override
  public boolean waitsForJoiners() {
    return true;
  }

  @Override
  public Failure backlog() {
    Failure undecided = decisions.backlog();
    return undecided != null ? undecided : log.end() - log.stable() < setup.limits().unstableUpdates()
            && log.unstableBytes() < setup.limits().bytes().unstable()
        ? null
        : new Failure(FailureCode.Overloaded, "Too many updates wait for acknowledgements of the backups. Retry later.");
  }

  /** A read of another view may have seen updates that never became stable. */
  @Override
  public boolean isCurrent(Execution execution) {
    boolean sameView = execution.epoch() == epoch();
    if (!execution.isLocal()) {
      return sameView && membership.role() == Role.PRIMARY;
    }
    boolean allStable = membership.role() == Role.BACKUP && requests.state().applied() <= log.stable();
    return (sameView && allStable) || !setup.enforces(Rule.PROMOTED_READ_STABLE);
  }

  /** At the primary, the lock that a read shares keeps updates of its resource away. */
  @Override
  public boolean sawOneState(Execution execution, Map<String, Long> read) {
    return !execution.isLocal() || changed.isOneState(read, execution.began());
  }

  @Override
  public boolean endsSessions() {
    return membership.role() == Role.PRIMARY;
  }

  @Override
  public long confirmation(long now, ReadLevel level, Effects out) {
    boolean rounds = level == ReadLevel.LINEARIZABLE && setup.reads() == ReadConfirmation.ALWAYS;
    return rounds ? membership.joinRound(now, out) : 0;
  }

  @Override
  public boolean confirmed(long now, PendingRead read) {
    return read.level() != ReadLevel.LINEARIZABLE
        || !setup.enforces(Rule.READ_UNDER_LEASE)
        || (setup.reads() == ReadConfirmation.ALWAYS
            ? membership.confirmed(read.confirmation())
            : read.doneAt() <= membership.leaseUntil(now));
  }

  // ------------------------------------------------------------------------------------------------ primary

  @Override
  public void append(long now, Execution execution, Effects out) {
    if (execution.participant() != null) {
      coordinated.prepare(now, execution, out);
      return;
    }
    if (execution.hasBranch()) {
      decisions.prepare(now, execution, out);
      return;
    }
    settle(now, out);
    StateUpdate update = requests.update(now, execution, log.end() + 1);
    view.append(update, out);
    StateUpdate sent =
        setup.enforces(Rule.REPLY_TABLE_IN_UPDATES) || update.kind() != Request.Kind.UPDATE
            ? update
            : new StateUpdate(
                update.index(), update.kind(), null, 0, 0, "", 0, update.outcome(), update.changes(), Eviction.NONE);
    view.send(sent, out);
    uncommitted = new Uncommitted(execution, update);
    if (execution.isRun() && membership.view().members().size() > 1) {
      // The backups need not wait until the update is applied here.
      out.stepAgain();
    } else {
      commit(now, out);
    }
  }

  private void commit(long now, Effects out) {
    Uncommitted sent = uncommitted;
    uncommitted = null;
    requests.commit(sent.execution(), sent.update(), out);
    view.advance(now, out);
    requests.answer(now, sent.execution(), sent.update(), out);
  }

  /** Does what the last step has left. Called at the beginning of each step. */
  void settle(long now, Effects out) {
    if (uncommitted != null) {
      commit(now, out);
    }
    if (announced > 0) {
      long index = announced;
      announced = 0;
      informed(now, index, out);
    }
  }

  /** Appends an update that has been applied here already. */
  private void place(long now, StateUpdate update, Effects out) {
    view.append(update, out);
    view.send(update, out);
    view.advance(now, out);
  }

  @Override
  public void advanced(long now, Effects out) {
    out.stable(log.stable());
    requests.answers().advance(now, out);
    decisions.advanced(out);
    coordinated.advanced(out);
  }

  /** Called when records up to this token are durable. */
  void stored(long now, long token, Effects out) {
    long before = journal.durable();
    journal.stored(token, out);
    if (journal.durable() != before) {
      view.onDurable(now, out);
    }
  }

  /** Called when the view has begun: updates that its members hold can become stable. */
  void begin(long now, Effects out) {
    view.advance(now, out);
    decisions.begin(out);
    coordinated.begin(now, out);
  }

  /** Called when this replica is no longer primary: what is prepared is decided by another one. */
  void lose(Effects out) {
    decisions.lose(out);
    coordinated.lose(out);
  }

  // ------------------------------------------------------------------------------------------------ backup

  /** Called when this replica is a member of the view: updates after {@code start} never became stable and are dropped. */
  void enter(View entered, long start, Effects out) {
    view.enter(start, out);
    gate.enter(start);
    if (setup.self().equals(entered.primary())) {
      apply(log.end(), out);
    }
  }

  /** Callers of the primary wait for the acknowledgement, but not until earlier updates are applied here. */
  @Override
  public void informedWithUpdate(long now, long index, Effects out) {
    announced = index;
    out.stepAgain();
  }

  /** Applies stable updates. A client's answer therefore shows here at the next message at the latest. */
  @Override
  public void informed(long now, long index, Effects out) {
    long before = log.stable();
    long stable = Math.max(before, Math.min(index, log.end()));
    long to = setup.enforces(Rule.APPLY_WHEN_STABLE) ? stable : log.end();
    log.stable(stable);
    if (to > requests.state().applied()) {
      apply(to, out);
    }
    if (stable > before) {
      out.stable(stable);
      log.forgetUpTo(Math.min(stable, requests.state().applied()));
      gate.applied(now, out);
    }
  }

  private void apply(long to, Effects out) {
    for (StateUpdate update : log.after(requests.state().applied(), Integer.MAX_VALUE)) {
      if (update.index() > to) {
        break;
      }
      StateUpdate effective = requests.apply(update, out);
      if (effective != null) {
        changed.record(effective);
      }
    }
  }
}
