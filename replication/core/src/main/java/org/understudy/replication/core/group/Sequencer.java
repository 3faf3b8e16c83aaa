package org.understudy.replication.core.group;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.Effects;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.Role;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.group.GroupMessage.Proposal;
import org.understudy.replication.core.group.GroupMessage.Stable;
import org.understudy.replication.core.membership.Membership;
import org.understudy.replication.core.order.OrderMessage.Ack;
import org.understudy.replication.core.order.OrderMessage.Update;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.request.RequestKey;
import org.understudy.replication.core.update.Origin;
import org.understudy.replication.core.update.StateUpdate;

/** As the primary of a view: gives each proposal its place, those of a member in the order of their numbers, or lets a delegate do so. */
final class Sequencer {
  private final ReplicaSetup setup;
  private final Membership membership;
  private final CertifiedOrder order;
  private final SoleProposer sole = new SoleProposer();
  private final StableNotices notices;
  private final Delegator delegator;
  /** The last proposal of each member that has its place. */
  private final Map<ReplicaId, Long> placed = new TreeMap<>();
  /** The last update of this view whose proposer counts its acknowledgements, or 0. With journals, none does. */
  private long placedForCounting;

  Sequencer(ReplicaSetup setup, Membership membership, CertifiedOrder order, DelegationPolicy delegations) {
    this.setup = setup;
    this.membership = membership;
    this.order = order;
    this.notices = new StableNotices(setup, membership, order.view(), sole);
    this.delegator = new Delegator(setup, membership, order, sole, delegations);
  }

  Delegator delegator() {
    return delegator;
  }

  /**
   * The last update that any client can have seen. A member may have counted the acknowledgements of its own updates before they are all
   * here.
   */
  long seen() {
    return setup.enforces(Rule.READ_INDEX_OF_EVERY_PLACE) ? Math.max(order.stable(), placedForCounting) : order.stable();
  }

  /** Takes a proposal that its member has sent to the sequencer. */
  void onProposal(long now, ReplicaId from, Proposal proposal, Effects out) {
    if (!hasOrder()) {
      delegator.hold(now, from, proposal, out);
    } else if (place(now, from, proposal.epoch(), proposal.update(), order.multicasts().isDelivered(from, proposal.update()), out)) {
      order.multicasts().placeNext(now, from, out);
    }
  }

  private boolean hasOrder() {
    return !delegator.isDelegated() || !setup.enforces(Rule.DELEGATED_ORDER_IS_NOT_USED);
  }

  /** The number of the last proposal of a member that has its place in this epoch. */
  long lastPlaced(ReplicaId member) {
    return placed.getOrDefault(member, 0L);
  }

  /**
   * Gives a proposal its place, if it is the next one of its member.
   *
   * @param multicast whether a group channel delivers it, so that the members may have it
   * @return whether it has its place now
   */
  boolean place(long now, ReplicaId from, long proposed, StateUpdate proposal, boolean multicast, Effects out) {
    if (!hasOrder()) {
      delegator.recall(now, out);
      return false;
    }
    boolean valid = isNext(from, proposed, proposal);
    // What this replica has admitted itself fits.
    if (!valid || order.transfer().suspendsService(now) || (order.isFull() && !from.equals(setup.self()))) {
      return false;
    }
    // What a channel has delivered elsewhere keeps its content.
    StateUpdate content = multicast ? proposal : order.requests().sessions().unlessHeard(proposal);
    StateUpdate update = order.requests().placed(content, order.epoch(), order.log().end() + 1);
    append(now, from, update, out);
    if (multicast) {
      order.multicasts().announce(now, update, out);
    } else {
      order.view().send(update, out);
      delegator.consider(now, update, out);
    }
    notices.carried(order.log().stable());
    order.view().advance(now, out);
    return true;
  }

  private boolean isNext(ReplicaId from, long proposed, StateUpdate proposal) {
    Origin origin = proposal.origin();
    return membership.role() == Role.PRIMARY
        && membership.inView(proposed)
        && membership.view().contains(from)
        && !setup.lacksQuorum(membership.view())
        && origin != null
        && origin.replica().equals(from)
        && origin.epoch() == proposed
        && origin.number() == lastPlaced(from) + 1;
  }

  private void append(long now, ReplicaId proposer, StateUpdate update, Effects out) {
    placed.put(proposer, update.origin().number());
    order.view().append(update, out);
    placedForCounting = order.view().isCountedByProposer(update) ? update.index() : placedForCounting;
    order.received(update);
    if (update.key() instanceof RequestKey.OfSession of && update.kind() != Request.Kind.CLOSE_SESSION) {
      order.requests().sessions().activeElsewhere(now, List.of(of.session()));
    }
    sole.placed(proposer);
  }

  /** Takes an update that a member has placed, to which this replica has delegated the order. */
  void onPlacedByDelegate(long now, ReplicaId from, Update message, Effects out) {
    if (!membership.inView(message.epoch())) {
      return;
    }
    StateUpdate update = message.update();
    boolean next = update.index() == order.log().end() + 1 && isNext(from, message.epoch(), update);
    if (next) {
      append(now, from, update, out);
    }
    // It counts the acknowledgements; its callers wait.
    out.send(from, new Ack(order.epoch(), order.log().end(), update.index() > order.log().end()));
    if (next) {
      notices.carried(message.stable());
      order.view().placedByMember(from, update, out);
      order.view().advance(now, out);
      delegator.placed(now, out);
    }
  }

  /** Called when updates have become stable: informs the members. */
  void announce(List<StateUpdate> updates, Effects out) {
    notices.send(new Stable(order.epoch(), order.log().stable()), updates, out);
  }

  /** Called when a member asks what is stable. */
  void asked(ReplicaId member, Effects out) {
    notices.asked(member, out);
  }

  void tick(long now, Effects out) {
    notices.tick(out);
    delegator.tick(now, out);
  }

  /** Called when this replica enters a view, as its primary or not. */
  void enter() {
    placed.clear();
    placedForCounting = 0;
    sole.enter();
    delegator.clear();
    notices.enter();
  }

  /** Called when this replica has lost its state. */
  void lose() {
    delegator.clear();
  }
}
