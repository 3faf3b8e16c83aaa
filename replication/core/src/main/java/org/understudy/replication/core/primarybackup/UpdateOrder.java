package org.understudy.replication.core.primarybackup;

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
import org.understudy.replication.core.ReadConfirmation;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.Request;
import org.understudy.replication.core.Role;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.StateUpdate;
import org.understudy.replication.core.membership.Membership;
import org.understudy.replication.core.membership.MembershipMessage.Heartbeat;
import org.understudy.replication.core.membership.MembershipMessage.Nack;
import org.understudy.replication.core.primarybackup.OrderMessage.Ack;
import org.understudy.replication.core.primarybackup.OrderMessage.Update;
import org.understudy.replication.core.session.Agreement;
import org.understudy.replication.core.session.ExactlyOnce;
import org.understudy.replication.core.session.Execution;
import org.understudy.replication.core.session.PendingRead;
import org.understudy.replication.core.transfer.UpdateLog;

/**
 * Orders updates. The primary appends; an update is stable when every backup of the view has acknowledged it. A backup
 * receives updates in order and applies the stable ones.
 */
final class UpdateOrder implements Agreement {
  private static final int RESEND_MOST = 256;

  private final ReplicaSetup setup;
  private final Membership membership;
  private final UpdateLog log = new UpdateLog();
  private final ExactlyOnce requests;
  private final RequestGate gate;
  private final StateTransfer transfer;
  /** As primary: what each backup has acknowledged. */
  private final Map<ReplicaId, Long> acknowledged = new TreeMap<>();
  private final Map<ReplicaId, Long> resentAt = new TreeMap<>();

  UpdateOrder(ReplicaSetup setup, Membership membership) {
    this.setup = setup;
    this.membership = membership;
    this.requests = new ExactlyOnce(setup, this);
    this.gate = new RequestGate(setup, membership, requests, log);
    this.transfer = new StateTransfer(setup, membership, requests.state(), log);
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
  public Failure backlog() {
    return log.end() - log.stable() < setup.limits().unstableUpdates()
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
    StateUpdate update = requests.update(now, execution, log.end() + 1);
    log.add(update);
    requests.commit(execution, update, out);
    StateUpdate sent =
        setup.enforces(Rule.REPLY_TABLE_IN_UPDATES) || update.kind() != Request.Kind.UPDATE
            ? update
            : new StateUpdate(
                update.index(), update.kind(), null, 0, 0, "", 0, update.outcome(), update.changes(), Eviction.NONE);
    Update message = new Update(epoch(), log.stable(), sent, membership.wire());
    for (ReplicaId member : membership.view().members()) {
      if (!member.equals(setup.self())) {
        out.send(member, message);
      }
    }
    transfer.transfers().send(message, out);
    advance(now, out);
    requests.answer(now, execution, update, out);
  }

  /** Updates that every backup of the view holds become stable. */
  private void advance(long now, Effects out) {
    if (membership.role() != Role.PRIMARY || setup.lacksQuorum(membership.view())) {
      return;
    }
    long everywhere = log.end();
    if (setup.enforces(Rule.STABLE_ON_EVERY_BACKUP)) {
      for (ReplicaId member : membership.view().members()) {
        if (!member.equals(setup.self())) {
          everywhere = Math.min(everywhere, acknowledged.getOrDefault(member, 0L));
        }
      }
    }
    if (everywhere > log.stable()) {
      log.stable(everywhere);
      out.stable(everywhere);
      requests.answers().advance(now, out);
      truncateLog();
    }
  }

  private void truncateLog() {
    log.forgetUpTo(transfer.transfers().unneeded());
    if (log.bytes() > setup.limits().logBytes() && !transfer.transfers().isEmpty()) {
      // A joiner this slow would exhaust the memory; it will ask for a new transfer.
      transfer.transfers().clear();
      log.forgetUpTo(log.stable());
    }
  }

  void onAck(long now, ReplicaId from, Ack ack, Effects out) {
    if (!membership.inView(ack.epoch()) || !setup.self().equals(membership.view().primary())) {
      return;
    }
    if (membership.view().contains(from)) {
      acknowledged.merge(from, ack.received(), Math::max);
      membership.updateAcknowledged(now, from);
      if (membership.role() == Role.CHANGING) {
        membership.progress(now, out);
      } else {
        advance(now, out);
      }
    } else if (!transfer.transfers().received(now, from, ack.received())) {
      return;
    }
    if (ack.gap() && now - resentAt.getOrDefault(from, Long.MIN_VALUE / 2) > setup.timing().heartbeatNanos() / 4) {
      resentAt.put(from, now);
      resend(from, ack.received(), RESEND_MOST, out);
    }
  }

  private void resend(ReplicaId to, long after, int max, Effects out) {
    if (!log.reaches(after)) {
      return;
    }
    for (StateUpdate update : log.after(after, max)) {
      out.send(to, transfer.message(update));
    }
  }

  /** As the primary of a view that has not begun: sends this member its missing updates after {@code from}. */
  void synchronise(ReplicaId member, long from, Effects out) {
    acknowledged.merge(member, from, Math::max);
    if (from < log.end()) {
      resend(member, from, Integer.MAX_VALUE, out);
    }
  }

  /** The last update up to which this member acknowledged all; -1 before the first. */
  long acknowledged(ReplicaId member) {
    return acknowledged.getOrDefault(member, -1L);
  }

  /** Called when the view has begun: updates that its members hold can become stable. */
  void begin(long now, Effects out) {
    advance(now, out);
  }

  // ------------------------------------------------------------------------------------------------ backup

  /** Called when this replica is a member of the view: updates after {@code start} never became stable and are dropped. */
  void enter(View view, long start, Effects out) {
    transfer.clear(out);
    acknowledged.clear();
    resentAt.clear();
    log.truncate(start);
    gate.enter(start);
    if (setup.self().equals(view.primary())) {
      apply(log.end(), out);
    }
  }

  /** Whether this replica accepts updates of that epoch, as a backup or as a joiner that has the state. */
  private boolean follows(ReplicaId from, long epoch) {
    if (membership.fenced(epoch) || !from.equals(membership.view().primary())) {
      return false;
    }
    return transfer.isComplete() && epoch() == epoch
        && (membership.inView(epoch) || transfer.hasStateOf(epoch));
  }

  void onUpdate(long now, ReplicaId from, Update message, Effects out) {
    if (!follows(from, message.epoch())) {
      if (membership.fenced(message.epoch())) {
        out.send(from, new Nack(membership.promised()));
      }
      return;
    }
    StateUpdate update = message.update();
    boolean inOrder = update.index() == log.end() + 1;
    if (inOrder || (update.index() > log.end() && !setup.enforces(Rule.NO_GAPS))) {
      log.add(update);
    }
    boolean gap = update.index() > log.end();
    applyUpTo(now, message.stable(), out);
    out.send(from, new Ack(message.epoch(), log.end(), gap));
  }

  void onHeartbeat(long now, ReplicaId from, Heartbeat message, Effects out) {
    if (follows(from, message.epoch())) {
      applyUpTo(now, message.stable(), out);
      // An update, or the acknowledgement of the last one, may have been lost. A joiner that waits for admission reports
      // that it follows, or it would get the state again.
      if (membership.role() == Role.JOINING || message.end() > log.end() || message.stable() < log.end()) {
        out.send(from, new Ack(message.epoch(), log.end(), message.end() > log.end()));
      }
    }
  }

  /** Applies stable updates. A client's answer therefore shows here at the next message at the latest. */
  private void applyUpTo(long now, long index, Effects out) {
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
      requests.apply(update, out);
    }
  }
}
