package org.understudy.replication.core.order;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.View;
import org.understudy.replication.core.Effects;
import org.understudy.replication.core.Message;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.Role;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.membership.Membership;
import org.understudy.replication.core.membership.MembershipMessage.Heartbeat;
import org.understudy.replication.core.membership.MembershipMessage.Nack;
import org.understudy.replication.core.order.OrderMessage.Ack;
import org.understudy.replication.core.order.OrderMessage.Update;
import org.understudy.replication.core.transfer.TransferMessage.SnapshotAck;
import org.understudy.replication.core.transfer.UpdateLog;
import org.understudy.replication.core.update.Origin;
import org.understudy.replication.core.update.StateUpdate;
import org.understudy.replication.core.wire.WireVersions;

/**
 * Replicates the log of a view: the view's primary sends each update to every member, which acknowledges it. An update is
 * stable when every member has acknowledged it. The strategy decides what to append, and what to do with stable updates.
 *
 * <p>A member whose proposal an update was counts the acknowledgements too, so its callers wait for one message less. What it counts
 * stays true in later views: each of them begins with all that a complete member of this view holds, also if an acknowledgement
 * arrives after its sender has promised another view. Only replicas without journals count so: what they have received, they hold, and a
 * proposer does not know what the sequencer has synced.
 */
public final class ViewOrder {
  /** What a strategy does when more updates are stable. */
  public interface Listener {
    /** As primary: {@link UpdateLog#stable} has advanced. */
    void advanced(long now, Effects out);

    /** As another replica: updates up to this index, as far as they have arrived, are stable. Called with any progress. */
    void informed(long now, long index, Effects out);

    /** Whether clients can be made to wait for a joiner: the primary alone answers them. */
    default boolean waitsForJoiners() {
      return false;
    }

    /** As {@link #informed}, by an update that this step acknowledges. */
    default void informedWithUpdate(long now, long index, Effects out) {
      informed(now, index, out);
    }
  }

  private final ReplicaSetup setup;
  private final Membership membership;
  private final UpdateLog log;
  private final StateTransfer transfer;
  private final Listener listener;
  /** What each other member has acknowledged to this replica in this view: all updates to the primary, others to their proposer. */
  private final Map<ReplicaId, Long> acknowledged = new TreeMap<>();
  /** The last update here that this replica has proposed in this view, not as primary; 0 for none. */
  private long ownEnd;
  private final Map<ReplicaId, CatchUp> catchUps = new TreeMap<>();

  public ViewOrder(
      ReplicaSetup setup, Membership membership, UpdateLog log, StateTransfer transfer, Listener listener) {
    this.setup = setup;
    this.membership = membership;
    this.log = log;
    this.transfer = transfer;
    this.listener = listener;
  }

  /** Appends an update to the log, and to the journal if there is one. */
  public void append(StateUpdate update, Effects out) {
    log.add(update);
    transfer.journal().appended(update, out);
  }

  // ------------------------------------------------------------------------------------------------ primary

  /** Sends an update that was appended to the log to all members and to the joiners that have the state. */
  public void send(StateUpdate update, Effects out) {
    send(update, null, member -> false, out);
  }

  /**
   * Sends an update that was appended to the log to all members and to the joiners that have the state. Some of the members
   * receive the update's content otherwise.
   *
   * @param place for those members, instead of the update
   */
  public void send(StateUpdate update, Message place, Predicate<ReplicaId> receivesContent, Effects out) {
    Update message = new Update(membership.view().epoch(), log.stable(), update, membership.wire());
    for (ReplicaId member : membership.view().members()) {
      if (member.equals(setup.self())) {
        continue;
      }
      if (receivesContent.test(member)) {
        out.send(member, place);
      } else if (isTaken(member, update)) {
        out.send(member, message);
      }
    }
    sendToJoiners(message, update, out);
  }

  private void sendToJoiners(Message message, StateUpdate update, Effects out) {
    for (ReplicaId joiner : transfer.transfers().streaming()) {
      if (isTaken(joiner, update)) {
        out.send(joiner, message);
      }
    }
  }

  private boolean isTaken(ReplicaId receiver, StateUpdate update) {
    CatchUp catchUp = catchUps.get(receiver);
    return catchUp == null || catchUp.takes(update.index());
  }

  /** Updates that every member holds become stable; only so many that a joiner which does not catch up otherwise does. */
  public void advance(long now, Effects out) {
    if (membership.role() != Role.PRIMARY || setup.lacksQuorum(membership.view())) {
      return;
    }
    long everywhere = transfer.journal().durable();
    if (listener.waitsForJoiners()) {
      everywhere = Math.min(everywhere, transfer.transfers().paced(now));
    }
    if (setup.enforces(Rule.STABLE_ON_EVERY_BACKUP)) {
      for (ReplicaId member : membership.view().members()) {
        if (!member.equals(setup.self())) {
          everywhere = Math.min(everywhere, acknowledged.getOrDefault(member, 0L));
        }
      }
    }
    if (everywhere > log.stable()) {
      log.stable(everywhere);
      listener.advanced(now, out);
      truncateLog();
    }
  }

  /** As primary whose clients may wait for joiners, at each tick: they may wait no longer. */
  public void tick(long now, Effects out) {
    if (log.stable() < log.end() && !transfer.transfers().isEmpty()) {
      advance(now, out);
    }
  }

  private void truncateLog() {
    // With a journal, the members may have synced less than the start of a view: then nothing of it is applied.
    log.forgetUpTo(Math.min(transfer.transfers().unneeded(), transfer.index()));
    if (log.bytes() > setup.limits().logBytes() && !transfer.transfers().isEmpty()) {
      // A joiner this slow would exhaust the memory; it will ask for a new transfer.
      transfer.transfers().clear();
      log.forgetUpTo(Math.min(log.stable(), transfer.index()));
    }
  }

  public void onAck(long now, ReplicaId from, Ack ack, Effects out) {
    if (!membership.inView(ack.epoch())) {
      return;
    }
    if (!setup.self().equals(membership.view().primary())) {
      if (membership.view().contains(from)) {
        // It may precede the update.
        acknowledged.merge(from, ack.received(), Math::max);
        advanceOwn(now, out);
        resendMissing(now, from, ack.received(), ack.gap(), out);
      }
      return;
    }
    if (membership.view().contains(from)) {
      acknowledged.merge(from, ack.received(), Math::max);
      membership.updateAcknowledged(now, from, ack.received());
      if (membership.role() == Role.CHANGING) {
        membership.progress(now, out);
      } else {
        advance(now, out);
      }
    } else if (!transfer.transfers().received(now, from, ack.received(), ack.gap())) {
      return;
    } else if (log.stable() < log.end()) {
      advance(now, out);
    }
    resendMissing(now, from, ack.received(), ack.gap(), out);
  }

  private void resendMissing(long now, ReplicaId from, long received, boolean gap, Effects out) {
    CatchUp catchUp = catchUps.get(from);
    if (catchUp == null && gap) {
      catchUp = new CatchUp(log, setup.timing().heartbeatNanos());
      catchUps.put(from, catchUp);
    }
    if (catchUp != null) {
      for (StateUpdate update : catchUp.acknowledged(now, received, gap, membership.longestRoundTrip(from))) {
        out.send(from, transfer.message(update));
      }
    }
  }

  /** A joiner has a part of the state: with the last one, it gets the updates since. */
  public void onSnapshotAck(long now, ReplicaId joiner, SnapshotAck ack, Effects out) {
    long index = transfer.onSnapshotAck(now, joiner, ack, out);
    if (index >= 0) {
      catchUps.remove(joiner);
      resendMissing(now, joiner, index, index < log.end(), out);
    }
  }

  /**
   * Whether the update's proposer counts its acknowledgements: a member that has proposed it in this view, except the primary. The view
   * has no member of a build whose primary answers reads without regard to that, and its members keep no journals.
   */
  public boolean isCountedByProposer(StateUpdate update) {
    Origin origin = update.origin();
    View view = membership.view();
    return origin != null
        && origin.epoch() == view.epoch()
        && membership.inView(origin.epoch())
        && membership.wire() >= WireVersions.PROPOSERS_COUNT
        && !setup.journal()
        && view.contains(origin.replica())
        && !origin.replica().equals(view.primary());
  }

  /**
   * As proposer: this replica's own updates that every member holds become stable, and what precedes them. Never more than the own
   * ones: the primary knows that readers may have seen those.
   */
  private void advanceOwn(long now, Effects out) {
    if (ownEnd <= log.stable() || membership.role() != Role.BACKUP || setup.lacksQuorum(membership.view())) {
      return;
    }
    long everywhere = ownEnd;
    if (setup.enforces(Rule.PROPOSER_COUNTS_EVERY_MEMBER)) {
      for (ReplicaId member : membership.view().members()) {
        boolean counts = !member.equals(membership.view().primary()) || setup.enforces(Rule.PROPOSER_COUNTS_THE_SEQUENCER);
        if (!member.equals(setup.self()) && counts) {
          everywhere = Math.min(everywhere, acknowledged.getOrDefault(member, 0L));
        }
      }
    }
    if (everywhere > log.stable()) {
      listener.informed(now, everywhere, out);
    }
  }

  /** As the primary of a view that has not begun: sends this member its missing updates after {@code from}. */
  public void synchronise(long now, ReplicaId member, long from, Effects out) {
    acknowledged.merge(member, from, Math::max);
    resendMissing(now, member, from, from < log.end(), out);
  }

  /** The last update up to which this member acknowledged all; -1 before the first. */
  public long acknowledged(ReplicaId member) {
    return acknowledged.getOrDefault(member, -1L);
  }

  // ------------------------------------------------------------------------------------------------ backup

  /** Called when this replica is a member of the view: updates after {@code start} never became stable and are dropped. */
  public void enter(long start, Effects out) {
    transfer.clear(out);
    acknowledged.clear();
    ownEnd = 0;
    catchUps.clear();
    log.truncate(start);
    transfer.entered();
  }

  /** Whether this replica accepts updates of that epoch, as a backup or as a joiner that has the state. */
  private boolean follows(ReplicaId from, long epoch) {
    if (membership.fenced(epoch) || !from.equals(membership.view().primary())) {
      return false;
    }
    return transfer.hasState() && membership.view().epoch() == epoch
        && (membership.inView(epoch) || transfer.hasStateOf(epoch));
  }

  /** Whether a member may have sent the update, which places its proposals itself: it has the order of the view. */
  private boolean isOfMember(ReplicaId from, Update message) {
    return membership.role() == Role.BACKUP
        && membership.inView(message.epoch())
        && membership.wire() >= WireVersions.DELEGATIONS
        && membership.view().contains(from)
        && transfer.hasState();
  }

  public void onUpdate(long now, ReplicaId from, Update message, Effects out) {
    boolean follows = follows(from, message.epoch());
    if (!follows && !isOfMember(from, message)) {
      if (membership.fenced(message.epoch())) {
        out.send(from, new Nack(membership.promised()));
      }
      return;
    }
    StateUpdate update = message.update();
    boolean inOrder = update.index() == log.end() + 1;
    boolean added = inOrder || (update.index() > log.end() && !setup.enforces(Rule.NO_GAPS));
    if (added) {
      append(update, out);
    }
    boolean gap = update.index() > log.end();
    if (update.origin() != null) {
      // Whoever sends an update holds all before it; only proposers count that.
      acknowledged.merge(from, update.index(), Math::max);
    }
    listener.informedWithUpdate(now, message.stable(), out);
    long durable = transfer.journal().durable();
    if (!added || durable == log.end()) {
      Ack ack = new Ack(message.epoch(), durable, gap);
      if (added && isCountedByProposer(update)) {
        // Its callers wait there. A repeated update is reported to the primary alone, which announces what is stable in any case.
        acknowledgeToProposer(update, ack, out);
      } else if (!follows) {
        out.send(from, ack);
      }
      if (follows || !gap) {
        out.send(membership.view().primary(), ack);
      }
    }
    advanceOwn(now, out);
  }

  /** As a member that places its proposals itself: appends one, and sends it to the others. */
  public void place(long now, StateUpdate update, Effects out) {
    append(update, out);
    ownEnd = update.index();
    send(update, out);
  }

  /** As primary: a member has placed an update itself, sent it to the members, and holds it. */
  public void placedByMember(ReplicaId member, StateUpdate update, Effects out) {
    acknowledged.merge(member, update.index(), Math::max);
    sendToJoiners(transfer.message(update), update, out);
  }

  private void acknowledgeToProposer(StateUpdate update, Ack ack, Effects out) {
    ReplicaId proposer = update.origin().replica();
    if (proposer.equals(setup.self())) {
      ownEnd = update.index();
    } else {
      out.send(proposer, ack);
    }
  }

  /** Called when more updates are durable at this replica. */
  public void onDurable(long now, Effects out) {
    View current = membership.view();
    if (membership.role() == Role.PRIMARY) {
      advance(now, out);
    } else if (current.epoch() > 0 && !setup.self().equals(current.primary()) && follows(current.primary(), current.epoch())) {
      out.send(current.primary(), new Ack(current.epoch(), transfer.journal().durable(), false));
    }
  }

  /** Called when the primary has announced its stable index in another message of the view. */
  public void onStable(long now, ReplicaId from, long epoch, long stable, Effects out) {
    if (follows(from, epoch)) {
      listener.informed(now, stable, out);
    }
  }

  public void onHeartbeat(long now, ReplicaId from, Heartbeat message, Effects out) {
    if (follows(from, message.epoch())) {
      listener.informed(now, message.stable(), out);
      // An update, or the acknowledgement of the last one, may have been lost. A joiner that waits for admission reports
      // that it follows, or it would get the state again.
      if (membership.role() == Role.JOINING || message.end() > log.end() || message.stable() < log.end()) {
        out.send(from, new Ack(message.epoch(), transfer.journal().durable(), message.end() > log.end()));
      }
    }
  }
}
