package org.understudy.replication.core.group;

import java.util.List;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.View;
import org.understudy.replication.core.Effects;
import org.understudy.replication.core.Input;
import org.understudy.replication.core.Message;
import org.understudy.replication.core.ReplicaCore;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.ReplicaStatus;
import org.understudy.replication.core.Role;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.SurveyedReplica;
import org.understudy.replication.core.group.GroupMessage.Delegation;
import org.understudy.replication.core.group.GroupMessage.IndexQuery;
import org.understudy.replication.core.group.GroupMessage.IndexReply;
import org.understudy.replication.core.group.GroupMessage.Placed;
import org.understudy.replication.core.group.GroupMessage.Proposal;
import org.understudy.replication.core.group.GroupMessage.Recall;
import org.understudy.replication.core.group.GroupMessage.RenewalQuery;
import org.understudy.replication.core.group.GroupMessage.Return;
import org.understudy.replication.core.group.GroupMessage.Stable;
import org.understudy.replication.core.membership.Membership;
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

/** One replica of a group in which every member executes: routes inputs to membership, requests, order and transfer. */
final class GroupCore implements ReplicaCore, ReplicatedLog {
  private final ReplicaSetup setup;
  private final Membership membership;
  private final CertifiedOrder order;
  private final ExactlyOnce requests;
  private final GroupGate gate;
  private final StateTransfer transfer;
  private final OperatorRecovery recovery;
  private final SessionReports sessions;
  /** The clock at the first step. A monotonic clock starts anywhere, also below zero. */
  private long origin;
  private boolean begun;

  /** @param naiveTransfer whether state transfers are naive */
  GroupCore(ReplicaSetup setup, DelegationPolicy delegations, boolean naiveTransfer) {
    this.setup = setup;
    this.membership = new Membership(setup, this);
    this.order = new CertifiedOrder(setup, membership, delegations, naiveTransfer);
    this.requests = order.requests();
    this.gate = new GroupGate(setup, membership, order);
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
    long before = order.stable();
    membership.compareClocks(now, clock, wall, out);
    if (input instanceof Input.Requested requested) {
      gate.requested(now, requested, out);
    } else if (input instanceof Input.Executed executed) {
      requests.executed(now, executed, out);
      order.checkTurn(now, out);
    } else if (input instanceof Input.Received received) {
      received(now, received.from(), received.message(), out);
    } else if (input instanceof Input.Delivered delivered) {
      if (delivered.message() instanceof Proposal proposal) {
        order.multicasts().onDelivered(now, delivered.from(), proposal, out);
      }
    } else if (input instanceof Input.ViewInstalled installed) {
      order.multicasts().onView(installed.view());
    } else if (input instanceof Input.Tick tick) {
      membership.measured(tick.load());
      tick(now, out);
    } else if (input instanceof Input.Abandoned abandoned) {
      requests.abandoned(abandoned.token(), out);
      gate.abandoned(abandoned.token());
      recovery.abandoned(abandoned.token());
      order.checkTurn(now, out);
    } else if (input instanceof Input.Overdue overdue) {
      requests.overdue(overdue.token());
      order.checkTurn(now, out);
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
    }
    if (order.stable() != before) {
      gate.applied(now, out);
    }
  }

  @Override
  public List<SurveyedReplica> surveyed() {
    return membership.surveyed();
  }

  @Override
  public ReplicaStatus status(long clock) {
    boolean member = membership.hearsPrimary(clock - origin);
    return new ReplicaStatus(
        membership.role(),
        membership.view(),
        order.log().end(),
        order.stable(),
        begun && (membership.writable(clock - origin) || (member && !setup.lacksQuorum(membership.view()))),
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
    if (message instanceof Update update && membership.role() == Role.PRIMARY && order.sequencer().delegator().isOf(from)) {
      order.sequencer().onPlacedByDelegate(now, from, update, out);
    } else if (message instanceof Update update) {
      order.view().onUpdate(now, from, update, out);
      order.received(update.update());
      order.multicasts().append(now, out);
      order.delegate().begin(now, out);
    } else if (message instanceof Ack ack) {
      order.view().onAck(now, from, ack, out);
      if (ack.gap()) {
        order.sequencer().delegator().onGap(now, from, ack, out);
      }
    } else if (message instanceof Stable stable) {
      order.view().onStable(now, from, stable.epoch(), stable.index(), out);
    } else if (message instanceof Proposal proposal) {
      order.sequencer().onProposal(now, from, proposal, out);
    } else if (message instanceof Placed placed) {
      order.multicasts().onPlaced(now, from, placed, out);
    } else if (message instanceof Delegation delegation) {
      order.delegate().onDelegation(now, from, delegation, out);
    } else if (message instanceof Recall recall) {
      order.delegate().onRecall(from, recall, out);
    } else if (message instanceof Return returned) {
      order.sequencer().delegator().onReturn(now, from, returned, out);
    } else if (message instanceof IndexQuery query) {
      gate.onQuery(now, from, query, out);
    } else if (message instanceof RenewalQuery renewal) {
      gate.onRenewal(now, from, renewal, out);
    } else if (message instanceof IndexReply reply) {
      gate.onReply(now, reply, out);
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
      } else {
        gate.answerQueries(now, out);
      }
    }
  }

  private void tick(long now, Effects out) {
    membership.tick(now, out);
    order.tick(now, out);
    gate.tick(now, out);
    if (membership.role() == Role.BACKUP) {
      sessions.send(now, out);
    } else if (membership.mayExecute(now)) {
      requests.expire(now, out);
    }
  }

  // ------------------------------------------------------------------------------------------------ replicated log

  @Override
  public boolean complete() {
    return transfer.isComplete();
  }

  @Override
  public long received() {
    return order.log().end();
  }

  @Override
  public long durable() {
    return order.journal().durable();
  }

  @Override
  public long stable() {
    return order.log().stable();
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
    order.enter(now, view, start, out);
    if (!setup.self().equals(view.primary())) {
      recovery.recovered(order.stable(), out);
    }
  }

  @Override
  public void leave(long now, View view, Effects out) {
    recovery.fail("The group has formed a view without this replica.", out);
    gate.lose(out);
    order.lose(out);
  }

  @Override
  public void suspend(long now, Effects out) {
    transfer.clear(out);
    gate.lose(out);
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
  public boolean sendsUpdates() {
    return !order.sequencer().delegator().isDelegated();
  }

  @Override
  public void begin(long now, Effects out) {
    requests.begin(now);
    recovery.recovered(order.stable(), out);
    order.begin(now, out);
    gate.reconsider(now, out);
  }

  /**
   * A joiner is invited when it lacks few updates. The sequencer places none while the view is agreed upon, so the joiner
   * holds them all when it promises, and the pause does not depend on the size of the state. In a view without a majority the
   * log does not grow.
   */
  @Override
  public List<ReplicaId> ready(long now) {
    if (setup.lacksQuorum(membership.view())) {
      return transfer.transfers().ready(now, order.log().end());
    }
    return transfer.transfers().ready(now, setup.enforces(Rule.JOINER_INVITED_UNDER_LOAD) ? 0 : order.log().stable());
  }
}
