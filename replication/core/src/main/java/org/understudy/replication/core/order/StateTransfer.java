package org.understudy.replication.core.order;

import java.util.ArrayList;
import java.util.List;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.Effects;
import org.understudy.replication.core.Message;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.Role;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.membership.Membership;
import org.understudy.replication.core.membership.MembershipRecord;
import org.understudy.replication.core.order.OrderMessage.Update;
import org.understudy.replication.core.session.GroupState;
import org.understudy.replication.core.store.Item;
import org.understudy.replication.core.store.StateItems;
import org.understudy.replication.core.transfer.JoinerTransfers;
import org.understudy.replication.core.transfer.JoiningState;
import org.understudy.replication.core.transfer.TransferMessage.Join;
import org.understudy.replication.core.transfer.TransferMessage.Snapshot;
import org.understudy.replication.core.transfer.TransferMessage.SnapshotAck;
import org.understudy.replication.core.transfer.TransferSource;
import org.understudy.replication.core.transfer.UpdateLog;
import org.understudy.replication.core.update.StateChange;
import org.understudy.replication.core.update.StateUpdate;

/** State transfers of a view: the primary sends its state to replicas outside the view. */
public final class StateTransfer implements TransferSource {
  private final ReplicaSetup setup;
  private final Membership membership;
  private final GroupState state;
  private final UpdateLog log;
  private final JoinerTransfers transfers;
  private final JoiningState joining = new JoiningState();
  /** The state that an incoming transfer has brought so far; null without a transfer. */
  private GroupState arriving;
  private boolean complete;
  /** As joiner: the update up to which it needs the log, so that it holds as much as the sender did. */
  private long needed;

  public StateTransfer(ReplicaSetup setup, Membership membership, GroupState state, UpdateLog log) {
    this.setup = setup;
    this.membership = membership;
    this.state = state;
    this.log = log;
    this.transfers = new JoinerTransfers(setup, log, this);
    // A replica that was never in a view is complete, because there is nothing to hold; one that restarted has lost its
    // state.
    this.complete = MembershipRecord.of(setup.recovered()).accepted().epoch() == 0 || !setup.enforces(Rule.RESTART_FORGETS);
  }

  /** As primary: the transfers to joiners. */
  public JoinerTransfers transfers() {
    return transfers;
  }

  /** Whether this replica has the state, as a member of a view or as a joiner. */
  public boolean hasState() {
    return complete;
  }

  /** Whether it also has every update that the log had when a transfer of the state began. */
  public boolean isComplete() {
    return complete && log.end() >= needed;
  }

  /** Whether this joiner has the state of the primary of this epoch. */
  public boolean hasStateOf(long epoch) {
    return joining.has(epoch);
  }

  /** Ends all transfers, because of another view. */
  public void clear(Effects out) {
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

  /** Called when this replica's state is void until it is brought up to date. */
  public void lose(Effects out) {
    clear(out);
    complete = false;
    needed = 0;
  }

  /** Called when this replica is a member of a view, whose primary synchronises it. */
  void entered() {
    needed = 0;
  }

  @Override
  public int wire() {
    return membership.wire();
  }

  @Override
  public long index() {
    return state.applied();
  }

  @Override
  public StateItems items() {
    StateItems items = state.snapshot(setup.enforces(Rule.REPLY_TABLE_IN_TRANSFER));
    return state.applied() == log.end() ? items : new ItemsAndEnd(items, new Item.LogEnd(log.end()));
  }

  @Override
  public Message message(StateUpdate update) {
    return new Update(membership.view().epoch(), log.stable(), update, membership.wire());
  }

  // ------------------------------------------------------------------------------------------------ primary

  public void onJoin(long now, ReplicaId from, Join join, Effects out) {
    if (membership.role() == Role.PRIMARY
        && !membership.view().contains(from)
        && membership.mayJoin(from, join, out)) {
      transfers.join(now, from, join, membership.view().epoch(), out);
    }
  }

  public void onSnapshotAck(long now, ReplicaId from, SnapshotAck ack, Effects out) {
    if (membership.role() == Role.PRIMARY && ack.epoch() == membership.view().epoch()) {
      transfers.acknowledged(now, from, ack, out);
    }
  }

  // ------------------------------------------------------------------------------------------------ joiner

  public void onSnapshot(ReplicaId from, Snapshot part, Effects out) {
    boolean forThisReplica =
        membership.role() == Role.JOINING
            && part.incarnation() == setup.incarnation()
            && !membership.fenced(part.epoch())
            && membership.view().epoch() == part.epoch()
            && from.equals(membership.view().primary());
    if (!forThisReplica) {
      return;
    }
    if (joining.take(part)) {
      restore(part, out);
    }
    if (joining.taken(part)) {
      out.send(from, new SnapshotAck(part.epoch(), part.incarnation(), part.part()));
    }
  }

  /** Builds the joiner's new state part by part, beside the old one, which stays in use until the new one is complete. */
  private void restore(Snapshot part, Effects out) {
    if (part.part() == 0) {
      arriving = new GroupState(setup);
      needed = 0;
    }
    for (Item item : part.items()) {
      needed = item instanceof Item.LogEnd end ? end.index() : needed;
    }
    arriving.restore(part.items());
    out.receiving(part.part(), part.index(), resources(part.items()));
    if (part.last()) {
      complete(part.index(), part.wire(), out);
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

  private void complete(long index, int wire, Effects out) {
    List<StateUpdate> tail = joining.tail();
    if (tail == null) {
      // A log with gaps would break replicas that continue from it; the next request to join asks for another transfer.
      stopJoining(out);
      return;
    }
    state.replace(arriving, index);
    arriving = null;
    log.reset(index - tail.size());
    tail.forEach(log::add);
    complete = true;
    membership.stateReceived(wire);
    out.replaced(index);
    out.stable(log.stable());
  }
}
