package org.understudy.replication.core.primarybackup;

import java.util.ArrayList;
import java.util.List;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.Effects;
import org.understudy.replication.core.Message;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.Role;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.StateChange;
import org.understudy.replication.core.StateUpdate;
import org.understudy.replication.core.membership.Membership;
import org.understudy.replication.core.membership.MembershipRecord;
import org.understudy.replication.core.primarybackup.OrderMessage.Update;
import org.understudy.replication.core.session.ReplicatedState;
import org.understudy.replication.core.store.Item;
import org.understudy.replication.core.store.StateItems;
import org.understudy.replication.core.transfer.JoinerTransfers;
import org.understudy.replication.core.transfer.JoiningState;
import org.understudy.replication.core.transfer.TransferMessage.Join;
import org.understudy.replication.core.transfer.TransferMessage.Snapshot;
import org.understudy.replication.core.transfer.TransferMessage.SnapshotAck;
import org.understudy.replication.core.transfer.TransferSource;
import org.understudy.replication.core.transfer.UpdateLog;

/** Who gives the state to whom: the primary of a view to replicas outside it. */
final class StateTransfer implements TransferSource {
  private final ReplicaSetup setup;
  private final Membership membership;
  private final ReplicatedState state;
  private final UpdateLog log;
  private final JoinerTransfers transfers;
  private final JoiningState joining = new JoiningState();
  /** What has come of the state that a transfer brings; null without one. */
  private ReplicatedState arriving;
  private boolean complete;

  StateTransfer(ReplicaSetup setup, Membership membership, ReplicatedState state, UpdateLog log) {
    this.setup = setup;
    this.membership = membership;
    this.state = state;
    this.log = log;
    this.transfers = new JoinerTransfers(setup, log, this);
    // Who was never in a view holds all of nothing; who was, and restarted, has lost what it held.
    this.complete = MembershipRecord.of(setup.recovered()).accepted().epoch() == 0 || !setup.enforces(Rule.RESTART_FORGETS);
  }

  /** As primary: the transfers to joiners. */
  JoinerTransfers transfers() {
    return transfers;
  }

  /** Whether this replica holds the state, as a member of a view or as a joiner. */
  boolean isComplete() {
    return complete;
  }

  /** Whether this joiner has the state of the primary of this epoch. */
  boolean hasStateOf(long epoch) {
    return joining.has(epoch);
  }

  /** Another view: transfers end. */
  void clear(Effects out) {
    transfers.clear();
    stopJoining(out);
  }

  private void stopJoining(Effects out) {
    joining.clear();
    if (arriving != null) {
      arriving = null;
      out.receiving(0, 0, List.of());
    }
  }

  /** What this replica holds is worthless until it is brought up to date. */
  void lose(Effects out) {
    clear(out);
    complete = false;
  }

  @Override
  public int wire() {
    return membership.wire();
  }

  @Override
  public StateItems items() {
    return state.snapshot(setup.enforces(Rule.REPLY_TABLE_IN_TRANSFER));
  }

  @Override
  public Message message(StateUpdate update) {
    return new Update(membership.view().epoch(), log.stable(), update, membership.wire());
  }

  // ------------------------------------------------------------------------------------------------ primary

  void onJoin(long now, ReplicaId from, Join join, Effects out) {
    if (membership.role() == Role.PRIMARY
        && !membership.view().contains(from)
        && membership.mayJoin(from, join, out)) {
      transfers.join(now, from, join, membership.view().epoch(), out);
    }
  }

  void onSnapshotAck(long now, ReplicaId from, SnapshotAck ack, Effects out) {
    if (membership.role() == Role.PRIMARY && ack.epoch() == membership.view().epoch()) {
      transfers.acknowledged(now, from, ack, out);
    }
  }

  // ------------------------------------------------------------------------------------------------ joiner

  void onSnapshot(ReplicaId from, Snapshot part, Effects out) {
    boolean mine =
        membership.role() == Role.JOINING
            && part.incarnation() == setup.incarnation()
            && !membership.fenced(part.epoch())
            && membership.view().epoch() == part.epoch()
            && from.equals(membership.view().primary());
    if (!mine) {
      return;
    }
    if (joining.take(part)) {
      restore(part, out);
    }
    if (joining.taken(part)) {
      out.send(from, new SnapshotAck(part.epoch(), part.incarnation(), part.part()));
    }
  }

  /** Builds the joiner's state part by part, beside the one that it has: that one counts until the other is whole. */
  private void restore(Snapshot part, Effects out) {
    if (part.part() == 0) {
      arriving = new ReplicatedState(setup);
    }
    arriving.restore(part.items());
    out.receiving(part.part(), part.index(), resources(part.items()));
    if (part.last()) {
      complete(part.index(), out);
    }
  }

  private static List<StateChange> resources(List<Item> items) {
    List<StateChange> resources = new ArrayList<>(items.size());
    for (Item item : items) {
      if (item instanceof Item.Resource resource) {
        resources.add(new StateChange(resource.id(), resource.state()));
      }
    }
    return resources;
  }

  private void complete(long index, Effects out) {
    List<StateUpdate> tail = joining.tail();
    if (tail == null) {
      // A log with gaps would break whoever builds on it; the next request to join asks for another transfer.
      stopJoining(out);
      return;
    }
    state.replace(arriving, index);
    arriving = null;
    log.reset(index - tail.size());
    tail.forEach(log::add);
    complete = true;
    out.replaced(index);
    out.stable(log.stable());
  }
}
