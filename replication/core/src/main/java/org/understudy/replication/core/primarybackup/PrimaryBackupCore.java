package org.understudy.replication.core.primarybackup;

import java.util.List;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.View;
import org.understudy.replication.api.decision.InDoubt;
import org.understudy.replication.core.Effects;
import org.understudy.replication.core.Input;
import org.understudy.replication.core.Message;
import org.understudy.replication.core.ReplicaCore;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.ReplicaStatus;
import org.understudy.replication.core.Role;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.SurveyedReplica;
import org.understudy.replication.core.membership.Membership;
import org.understudy.replication.core.membership.MembershipMessage;
import org.understudy.replication.core.membership.MembershipMessage.Heartbeat;
import org.understudy.replication.core.membership.ReplicatedLog;
import org.understudy.replication.core.order.OperatorRecovery;
import org.understudy.replication.core.order.OrderMessage.Ack;
import org.understudy.replication.core.order.OrderMessage.Update;
import org.understudy.replication.core.order.SessionReports;
import org.understudy.replication.core.order.StateTransfer;
import org.understudy.replication.core.session.ExactlyOnce;
import org.understudy.replication.core.session.SessionActivity;
import org.understudy.replication.core.transfer.TransferMessage.HoldingsQuery;
import org.understudy.replication.core.transfer.TransferMessage.HoldingsReply;
import org.understudy.replication.core.transfer.TransferMessage.Join;
import org.understudy.replication.core.transfer.TransferMessage.Snapshot;
import org.understudy.replication.core.transfer.TransferMessage.SnapshotAck;

/** One replica of a primary-backup group: routes inputs to membership, requests, the order of updates and state transfer. */
final class PrimaryBackupCore implements ReplicaCore, ReplicatedLog {
  private final ReplicaSetup setup;
  private final Membership membership;
  private final UpdateOrder order;
  private final ExactlyOnce requests;
  private final RequestGate gate;
  private final Decisions decisions;
  private final StateTransfer transfer;
  private final OperatorRecovery recovery;
  private final SessionReports sessions;
  /** The clock at the first step. A monotonic clock starts anywhere, also below zero. */
  private long origin;
  private boolean begun;

  PrimaryBackupCore(ReplicaSetup setup) {
    this.setup = setup;
    this.membership = new Membership(setup, this);
    this.order = new UpdateOrder(setup, membership);
    this.requests = order.requests();
    this.gate = order.gate();
    this.decisions = order.decisions();
    this.transfer = order.transfer();
    this.recovery = new OperatorRecovery(setup, membership, requests.answers());
    this.sessions = new SessionReports(membership, requests.sessions());
  }

  /** Within the core, times count from its first step. */
  @Override
  public void step(long clock, long wall, Input input, Effects out) {
    if (!begun) {
      begun = true;
      origin = clock;
      transfer.resume(out);
    }
    long now = clock - origin;
    membership.compareClocks(now, clock, wall, out);
    if (setup.enforces(Rule.LEFT_WORK_COMES_FIRST) || input instanceof Input.Continued) {
      order.settle(now, out);
    }
    if (input instanceof Input.Requested requested) {
      gate.requested(now, requested, out);
    } else if (input instanceof Input.Executed executed) {
      requests.executed(now, executed, out);
    } else if (input instanceof Input.Received received) {
      received(now, received.from(), received.message(), out);
    } else if (input instanceof Input.Tick tick) {
      membership.measured(tick.load());
      tick(now, out);
    } else if (input instanceof Input.Abandoned abandoned) {
      abandoned(abandoned.token(), out);
    } else if (input instanceof Input.Survey) {
      membership.survey(now, out);
    } else if (input instanceof Input.Recover recover) {
      recovery.recover(now, recover, order.stable(), out);
    } else if (input instanceof Input.Stored stored) {
      membership.stored(now, stored.token());
      order.stored(now, stored.token(), out);
    } else if (input instanceof Input.Suspected suspected) {
      membership.suspect(now, suspected.replica());
      membership.tick(now, out);
    } else {
      decided(now, input, out);
    }
  }

  private void decided(long now, Input input, Effects out) {
    if (input instanceof Input.Decided decided) {
      decisions.decided(now, decided, out);
    } else if (input instanceof Input.CoordinatorDecided decided) {
      order.coordinated().decided(now, decided, out);
    } else if (input instanceof Input.BranchAborted aborted) {
      decisions.aborted(aborted, out);
    } else if (input instanceof Input.UsesDatabase uses) {
      decisions.enable(uses.only());
      membership.database().seen(true);
    } else if (input instanceof Input.DatabaseSeen seen) {
      membership.database().seen(seen.answers());
    } else if (input instanceof Input.Fenced || input instanceof Input.Recalled) {
      boolean serves = input instanceof Input.Fenced fenced
          ? decisions.fenced(now, fenced, out) : decisions.recalled(now, (Input.Recalled) input, out);
      if (serves) {
        // Sessions could not be renewed meanwhile.
        requests.begin(now);
        gate.begin(now, out);
      }
    } else if (input instanceof Input.FenceFailed failed && decisions.fenceFailed(failed)) {
      gate.failHeld(decisions.trouble(), out);
    }
  }

  @Override
  public List<SurveyedReplica> surveyed() {
    return membership.surveyed();
  }

  @Override
  public List<InDoubt> undecided() {
    return order.coordinated().undecided();
  }

  @Override
  public ReplicaStatus status(long clock) {
    return new ReplicaStatus(
        membership.role(),
        membership.view(),
        order.end(),
        order.stable(),
        begun && membership.writable(clock - origin) && decisions.isServing() && !membership.database().isLost(),
        requests.sessions().size(),
        membership.wire(),
        requests.replayed(),
        membership.waiting(clock - origin),
        membership.refusal(),
        membership.hasLostMajority(clock - origin),
        transfer.arrivedBytes(),
        membership.awaited(clock - origin));
  }

  @Override
  public long digest() {
    return requests.state().digest();
  }

  private void received(long now, ReplicaId from, Message message, Effects out) {
    if (message instanceof Update update) {
      order.view().onUpdate(now, from, update, out);
    } else if (message instanceof Ack ack) {
      order.view().onAck(now, from, ack, out);
    } else if (message instanceof Snapshot snapshot) {
      transfer.onSnapshot(now, from, snapshot, out);
    } else if (message instanceof HoldingsQuery query) {
      transfer.onQuery(now, from, query, out);
    } else if (message instanceof HoldingsReply reply) {
      transfer.onHoldings(now, from, reply, out);
    } else if (message instanceof SnapshotAck ack) {
      order.view().onSnapshotAck(now, from, ack, out);
    } else if (message instanceof SessionActivity activity) {
      sessions.onReport(now, from, activity);
    } else {
      if (membership.receive(now, from, message, out) && message instanceof Heartbeat heartbeat) {
        order.view().onHeartbeat(now, from, heartbeat, out);
      } else if (message instanceof Join join) {
        transfer.onJoin(now, from, join, out);
      } else if (confirms(message)) {
        requests.answers().answerReads(now, out);
      }
    }
  }

  private static boolean confirms(Message message) {
    return message instanceof MembershipMessage.HeartbeatAck || message instanceof MembershipMessage.ReadRoundAck;
  }

  private void tick(long now, Effects out) {
    membership.tick(now, out);
    if (membership.role() == Role.PRIMARY) {
      order.view().tick(now, out);
      requests.answers().answerReads(now, out);
    }
    gate.tick(now, out);
    if (membership.role() == Role.BACKUP) {
      sessions.send(now, out);
    } else if (membership.mayExecute(now) && decisions.isServing()) {
      decisions.tick(now, out);
      requests.expire(now, out);
    }
  }

  private void abandoned(long token, Effects out) {
    requests.abandoned(token, out);
    recovery.abandoned(token);
  }

  // ------------------------------------------------------------------------------------------------ replicated log

  @Override
  public boolean complete() {
    return transfer.isComplete();
  }

  @Override
  public long received() {
    return order.end();
  }

  @Override
  public long durable() {
    return order.journal().durable();
  }

  @Override
  public long stable() {
    return order.stable();
  }

  @Override
  public void startEmpty(long epoch, int wire, Effects out) {
    transfer.startEmpty(epoch, wire, out);
  }

  @Override
  public void entering(View view, long start, int wire, Effects out) {
    order.journal().entered(view.epoch(), start, wire, out);
  }

  @Override
  public void freeze(long now, Effects out) {
    gate.freeze(out);
  }

  @Override
  public void enter(long now, View view, long start, Effects out) {
    requests.sessions().forgetActive();
    order.enter(view, start, out);
    if (!setup.self().equals(view.primary())) {
      order.lose(out);
      gate.lose(FailureCode.NotPrimary, out);
      recovery.recovered(order.stable(), out);
    }
  }

  @Override
  public void leave(long now, View view, Effects out) {
    transfer.lose(out);
    recovery.fail("The group has formed a view without this replica.", out);
    order.lose(out);
    gate.lose(FailureCode.NotReady, out);
  }

  @Override
  public void suspend(long now, Effects out) {
    transfer.clear(out);
    order.lose(out);
    gate.lose(FailureCode.NotReady, out);
  }

  @Override
  public void synchronise(long now, ReplicaId member, long from, Effects out) {
    order.view().synchronise(now, member, from, out);
  }

  @Override
  public long acknowledged(ReplicaId member) {
    return order.view().acknowledged(member);
  }

  @Override
  public void begin(long now, Effects out) {
    requests.begin(now);
    recovery.recovered(order.stable(), out);
    order.begin(now, out);
    gate.begin(now, out);
  }

  @Override
  public List<ReplicaId> ready(long now) {
    return transfer.transfers().ready(now);
  }
}
