package org.understudy.replication.core.group;

import java.util.Map;
import java.util.TreeMap;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.Effects;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.Role;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.group.GroupMessage.Delegation;
import org.understudy.replication.core.group.GroupMessage.Proposal;
import org.understudy.replication.core.group.GroupMessage.Recall;
import org.understudy.replication.core.group.GroupMessage.Return;
import org.understudy.replication.core.membership.Membership;
import org.understudy.replication.core.order.OrderMessage.Ack;
import org.understudy.replication.core.update.StateUpdate;
import org.understudy.replication.core.wire.WireVersions;

/**
 * As sequencer: delegates the order to the member that alone proposes. That member, the delegate, places its proposals itself, which saves
 * the message to the sequencer for which its callers would wait. The sequencer recalls the delegation for the proposal of another replica,
 * for a joiner, and when the delegate places nothing or its updates do not become stable. It places nothing itself until the delegate has
 * returned the order, and everything that the delegate has placed has arrived.
 */
final class Delegator {
  /** A delegation under which fewer updates were placed has cost more than it has saved. */
  private static final int WORTH = 4;

  /** What has happened under a delegation. */
  private static final class Current {
    private final ReplicaId delegate;
    private final long since;
    /** The last update before those that the delegate places. */
    private final long start;
    private int placed;
    private long placedAt;
    /** When everything was stable last, or something became stable. */
    private long progressAt;
    /** The ends of the log at the last tick and at the one before. */
    private long endAtTick;
    private long endBefore;
    private boolean recalled;
    private long recalledAt;
    /** Whether it was recalled because the delegate placed nothing: then no other proposal waits. */
    private boolean idle;
    /** Whether nothing became stable for a heartbeat, the delegate does not reach a member, or one may not hear this replica. */
    private boolean stuck;
    /** The last update that the delegate has placed, or -1 before it has returned the order. */
    private long end = -1;

    Current(ReplicaId delegate, long now, long start) {
      this.delegate = delegate;
      this.since = now;
      this.start = start;
      this.placedAt = now;
      this.progressAt = now;
    }
  }

  private final ReplicaSetup setup;
  private final Membership membership;
  private final CertifiedOrder order;
  private final SoleProposer sole;
  private final DelegationPolicy policy;
  /** Proposals that wait for the return, of each member by their numbers. What finds no room is proposed again. */
  private final Map<ReplicaId, TreeMap<Long, Proposal>> waiting = new TreeMap<>();
  /** The next delegation needs as many updates of one member in succession. */
  private int succession;
  /** The delegation that has not been returned, or null: then this replica may place. */
  private Current current;
  /** Of the last delegation in this epoch. */
  private long number;
  /** What was stable at the last tick under a delegation. */
  private long stable;

  Delegator(ReplicaSetup setup, Membership membership, CertifiedOrder order, SoleProposer sole, DelegationPolicy policy) {
    this.setup = setup;
    this.membership = membership;
    this.order = order;
    this.sole = sole;
    this.policy = policy;
    this.succession = policy.succession();
  }

  /** Whether a member may place updates, and this replica must not. */
  boolean isDelegated() {
    return current != null;
  }

  /** Whether this member may have placed the update. */
  boolean isOf(ReplicaId member) {
    return current != null && member.equals(current.delegate);
  }

  /** Called when this replica has placed an update that no group channel delivers: its proposer may be worth a delegation. */
  void consider(long now, StateUpdate update, Effects out) {
    ReplicaId proposer = update.origin().replica();
    boolean delegates =
        !isDelegated()
            && sole.proposes(succession)
            && membership.wire() >= WireVersions.DELEGATIONS
            && order.view().isCountedByProposer(update)
            && !isNeeded();
    if (delegates) {
      current = new Current(proposer, now, update.index());
      number++;
      out.send(proposer, new Delegation(order.epoch(), number, update.index(), update.origin().number()));
    }
  }

  /** Whether this replica needs the order itself: for a joiner, or because a group channel reaches members. */
  private boolean isNeeded() {
    return !order.transfer().transfers().isEmpty() || order.multicasts().reachSequencer();
  }

  /** Keeps a proposal that can have no place yet, and recalls the delegation for it. */
  void hold(long now, ReplicaId from, Proposal proposal, Effects out) {
    TreeMap<Long, Proposal> some = waiting.computeIfAbsent(from, none -> new TreeMap<>());
    if (some.size() < setup.limits().unstableUpdates() && proposal.update().origin() != null) {
      some.put(proposal.update().origin().number(), proposal);
    }
    // The delegate has sent its own before it received the delegation; later, because that is lost, or has been returned.
    if (!isOf(from) || now - current.since > setup.timing().heartbeatNanos()) {
      recall(now, out);
    }
  }

  /** Asks for the order, because another proposal needs a place. */
  void recall(long now, Effects out) {
    if (!current.recalled || now - current.recalledAt >= setup.timing().heartbeatNanos() / 2) {
      current.recalled = true;
      current.recalledAt = now;
      out.send(current.delegate, new Recall(order.epoch(), number));
    }
  }

  /** Called when an update has arrived that the delegate has placed. */
  void placed(long now, Effects out) {
    current.placed++;
    current.placedAt = now;
    takeBack(now, out);
  }

  void onReturn(long now, ReplicaId from, Return message, Effects out) {
    if (membership.role() == Role.PRIMARY && membership.inView(message.epoch()) && isOf(from) && message.number() == number) {
      current.end = message.index();
      if (order.log().end() < current.end && setup.enforces(Rule.RETURN_AWAITS_UPDATES)) {
        out.send(from, new Ack(order.epoch(), order.log().end(), true));
      }
      takeBack(now, out);
    }
  }

  private void takeBack(long now, Effects out) {
    boolean complete = order.log().end() >= current.end || !setup.enforces(Rule.RETURN_AWAITS_UPDATES);
    if (current.end >= 0 && complete) {
      boolean worth = !current.stuck && (current.placed >= WORTH || current.idle);
      current = null;
      succession = worth ? policy.succession() : (int) Math.min(4L * succession, policy.longest());
      placeWaiting(now, out);
    }
  }

  /** Each of them may be the one after which the order is delegated again: then the rest waits on. */
  private void placeWaiting(long now, Effects out) {
    Map<ReplicaId, TreeMap<Long, Proposal>> all = new TreeMap<>(waiting);
    waiting.clear();
    all.forEach((member, some) -> some.values().forEach(one -> order.sequencer().onProposal(now, member, one, out)));
  }

  /**
   * Called when a member has asked for updates that it lacks. If the delegate has sent it one of them longer than a tick ago, it does not
   * reach the member. Then each update waits for a heartbeat, so this delegation costs more than it saves.
   */
  void onGap(long now, ReplicaId member, Ack ack, Effects out) {
    boolean ofView = membership.inView(ack.epoch()) && membership.view().contains(member);
    if (isDelegated() && ofView && !isOf(member) && ack.received() >= current.start && ack.received() < current.endBefore) {
      current.stuck = true;
      recall(now, out);
    }
  }

  void tick(long now, Effects out) {
    if (!isDelegated()) {
      return;
    }
    long last = order.log().stable();
    if (last != stable || last == order.log().end()) {
      stable = last;
      current.progressAt = now;
    }
    current.endBefore = current.endAtTick;
    current.endAtTick = order.log().end();
    long heartbeat = setup.timing().heartbeatNanos();
    // A member that acknowledges no heartbeats can show by acknowledging updates of this replica that it hears it.
    current.stuck |= now - current.progressAt > heartbeat || membership.isSomeUnheard(now);
    current.idle |= !current.recalled && now - current.placedAt > 2 * heartbeat;
    if (current.recalled || current.idle || current.stuck || isNeeded()) {
      recall(now, out);
    }
  }

  /** Called when this replica enters a view, or has lost its state. */
  void clear() {
    current = null;
    number = 0;
    waiting.clear();
  }
}
