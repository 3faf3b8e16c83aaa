package org.understudy.replication.core.order;

import java.util.ArrayList;
import java.util.List;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.Effects;
import org.understudy.replication.core.Message;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.Role;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.journal.Journal;
import org.understudy.replication.core.membership.Membership;
import org.understudy.replication.core.membership.MembershipRecord;
import org.understudy.replication.core.order.OrderMessage.Update;
import org.understudy.replication.core.session.GroupState;
import org.understudy.replication.core.store.Holdings;
import org.understudy.replication.core.store.Item;
import org.understudy.replication.core.store.StateItems;
import org.understudy.replication.core.transfer.JoinerTransfers;
import org.understudy.replication.core.transfer.JoiningState;
import org.understudy.replication.core.transfer.TransferMessage.HoldingsQuery;
import org.understudy.replication.core.transfer.TransferMessage.HoldingsReply;
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
  private final JoinerHoldings holdings;
  private final Journal journal;
  private final boolean naive;
  private boolean complete;
  /** Whether the journal has brought the state of the last incarnation. */
  private boolean restored;
  /** As joiner: the update up to which it needs the log, so that it holds as much as the sender did. */
  private long needed;

  /** An on-line transfer. */
  public StateTransfer(
      ReplicaSetup setup, Membership membership, GroupState state, UpdateLog log, Journal journal) {
    this(setup, membership, state, log, journal, false);
  }

  /** @param naive whether the whole state is sent to every replica, and {@link #suspendsService} until the joiner has it */
  public StateTransfer(
      ReplicaSetup setup, Membership membership, GroupState state, UpdateLog log, Journal journal, boolean naive) {
    this.journal = journal;
    this.naive = naive;
    this.setup = setup;
    this.membership = membership;
    this.state = state;
    this.log = log;
    this.transfers = new JoinerTransfers(setup, log, this);
    this.holdings = new JoinerHoldings(setup, state);
    // A replica that was never in a view is complete, because there is nothing to hold; one that restarted has lost its
    // state, unless its journal holds it.
    MembershipRecord record = MembershipRecord.of(setup.recovered());
    boolean first = record.accepted().epoch() == 0;
    this.restored = journal.restore(record.base()) && !first;
    this.complete = first || restored || !setup.enforces(Rule.RESTART_FORGETS);
  }

  /** Called at the first step: shows the state that the journal has brought. */
  public void resume(Effects out) {
    if (restored) {
      needed = journal.needed();
      holdings.follow(journal.epoch());
      out.receiving(0, state.applied(), state.resources());
      out.replaced(state.applied());
      out.stable(log.stable());
      membership.resume(journal.wire(), out);
    }
  }

  /** The group starts without state, in the view of this epoch. */
  public void startEmpty(long epoch, int wire, Effects out) {
    clear(out);
    state.replace(new GroupState(setup), 0);
    log.reset(0);
    complete = true;
    needed = 0;
    journal.replaced(epoch, wire, 0, out);
    out.receiving(0, 0, List.of());
    out.replaced(0);
  }

  /** The journal of this replica. */
  public Journal journal() {
    return journal;
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

  /** The bytes of the state that this joiner is being sent, as far as they have arrived; 0 while it is sent none. */
  public long arrivedBytes() {
    return membership.role() == Role.JOINING && !joining.has(membership.view().epoch()) ? joining.bytes() : 0;
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
    if (holdings.isReceiving()) {
      holdings.interrupt();
      out.receiving(0, 0, List.of());
    }
  }

  /** Called when this replica's state is void until it is brought up to date. */
  public void lose(Effects out) {
    clear(out);
    journal.voided(out);
    complete = false;
    needed = 0;
  }

  /** Called when this replica is a member of a view, whose primary synchronises it. */
  void entered() {
    needed = 0;
    holdings.follow(membership.view().epoch());
  }

  @Override
  public boolean isNaive() {
    return naive;
  }

  @Override
  public List<ReplicaId> audience() {
    return naive
        ? membership.view().members().stream().filter(member -> !member.equals(setup.self())).toList()
        : List.of();
  }

  /** Whether no update may be ordered now: a naive transfer sends the state. */
  public boolean suspendsService(long now) {
    return naive && membership.role() == Role.PRIMARY && transfers.isSendingParts(now);
  }

  @Override
  public long roundTrip(ReplicaId joiner) {
    return setup.enforces(Rule.PROMPT_AS_ITS_LINK) ? membership.shortestRoundTrip(joiner) : 0;
  }

  @Override
  public boolean mayInvite(long now, ReplicaId joiner) {
    return !membership.waiting(now).containsKey(joiner);
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
  public boolean reliesOn(Holdings held) {
    boolean known = held.isAny() && state.removalsFloor() <= held.oldest();
    return known
        && held.ranges().stream().allMatch(range -> range.asOf() <= index())
        && membership.continues(held.epoch());
  }

  @Override
  public StateItems items(Holdings held) {
    StateItems items =
        state.snapshot(setup.enforces(Rule.REPLY_TABLE_IN_TRANSFER), held, log.stable(), membership.wire());
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

  /** The joiner has reported what it holds. */
  public void onHoldings(long now, ReplicaId from, HoldingsReply reply, Effects out) {
    if (membership.role() == Role.PRIMARY
        && reply.epoch() == membership.view().epoch()
        && !membership.view().contains(from)) {
      transfers.start(now, from, reply, out);
    }
  }

  /** @return as {@link JoinerTransfers#acknowledged} */
  long onSnapshotAck(long now, ReplicaId from, SnapshotAck ack, Effects out) {
    boolean current = membership.role() == Role.PRIMARY && ack.epoch() == membership.view().epoch();
    return current ? transfers.acknowledged(now, from, ack, out) : -1;
  }

  // ------------------------------------------------------------------------------------------------ joiner

  private boolean isForThisReplica(ReplicaId from, long epoch, long incarnation) {
    return membership.role() == Role.JOINING
        && incarnation == setup.incarnation()
        && !membership.fenced(epoch)
        && membership.view().epoch() == epoch
        && from.equals(membership.view().primary());
  }

  /** Reports what this replica holds. The transfer that runs here is not continued by the primary: another one is. */
  public void onQuery(long now, ReplicaId from, HoldingsQuery query, Effects out) {
    boolean late = joining.hasOvertaken(now, query.epoch(), query.index(), setup.timing().suspectNanos());
    if (isForThisReplica(from, query.epoch(), query.incarnation()) && !late) {
      stopJoining(out);
      Holdings held = holdings.offer(query.index(), log.stable());
      out.send(from, new HoldingsReply(query.epoch(), query.incarnation(), held));
    }
  }

  public void onSnapshot(long now, ReplicaId from, Snapshot part, Effects out) {
    if (!isForThisReplica(from, part.epoch(), part.incarnation())) {
      return;
    }
    if (joining.has(part.epoch()) && joining.taken(part)) {
      // The acknowledgement of the last part was lost with its connection. What the parts change is held no longer as it was.
      out.send(from, new SnapshotAck(part.epoch(), part.incarnation(), joining.last()));
      return;
    }
    if (!holdings.canUse(part)) {
      return;
    }
    membership.receivesState(now);
    for (Snapshot next = joining.take(now, part); next != null; next = joining.takeAhead(now)) {
      joining.report(now, out);
      restore(next, out);
    }
    if (joining.taken(part)) {
      out.send(from, new SnapshotAck(part.epoch(), part.incarnation(), joining.last()));
    }
  }

  /** Builds the joiner's new state part by part, beside the old one, which stays in use until the new one is complete. */
  private void restore(Snapshot part, Effects out) {
    if (part.part() == 0) {
      needed = 0;
    }
    for (Item item : part.items()) {
      needed = item instanceof Item.LogEnd end ? end.index() : needed;
    }
    holdings.restore(part);
    if (!holdings.isPartial()) {
      out.receiving(part.part(), part.index(), resources(part.items()));
    }
    if (part.last()) {
      complete(part, out);
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

  private void complete(Snapshot last, Effects out) {
    long index = last.index();
    List<StateUpdate> tail = joining.tail();
    if (tail == null) {
      // A log with gaps would break replicas that continue from it; the next request to join asks for another transfer.
      stopJoining(out);
      return;
    }
    if (holdings.isPartial()) {
      out.receiving(0, index, holdings.arrived().resources());
    }
    state.replace(holdings.arrived(), index);
    holdings.follow(last.epoch());
    log.reset(index - tail.size());
    tail.forEach(log::add);
    complete = true;
    journal.replaced(last.epoch(), last.wire(), needed, out);
    membership.stateReceived(last.wire());
    out.replaced(index);
    out.stable(log.stable());
  }
}
