package org.understudy.replication.core.group;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.Effects;
import org.understudy.replication.core.GroupView;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.Role;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.group.GroupMessage.Placed;
import org.understudy.replication.core.group.GroupMessage.Proposal;
import org.understudy.replication.core.membership.Membership;
import org.understudy.replication.core.order.OrderMessage.Ack;
import org.understudy.replication.core.order.OrderMessage.Update;
import org.understudy.replication.core.update.Origin;
import org.understudy.replication.core.update.StateUpdate;

/**
 * Proposals that a group channel delivers to all members. The sequencer places them as they arrive, its own at once, and sends the members
 * their places only. A member appends a proposal when it has both its content and its place.
 *
 * <p>The channel decides nothing: a proposal that it loses is sent to the sequencer alone after a while, and content that it does
 * not deliver comes from the sequencer's log. Its view is used for one thing: whom it reaches at present.
 */
final class MulticastProposals {
  private static final int SHORT_BYTES = 8 << 10;
  private static final GroupView NO_CHANNEL = new GroupView(0, List.of());

  /** A proposal, in the order of epochs, replicas and numbers. */
  private record Name(long epoch, ReplicaId replica, long number) implements Comparable<Name> {
    @Override
    public int compareTo(Name other) {
      int order = Long.compare(epoch, other.epoch);
      order = order == 0 ? replica.compareTo(other.replica) : order;
      return order == 0 ? Long.compare(number, other.number) : order;
    }
  }

  private final ReplicaSetup setup;
  private final Membership membership;
  private final CertifiedOrder order;
  /** The replicas that the channel reaches at present; without this one when there is no channel. */
  private GroupView channel = NO_CHANNEL;
  /** Content without a place, at most as many bytes as updates may be unstable. */
  private final TreeMap<Name, StateUpdate> contents = new TreeMap<>();
  private long bytes;
  /** The last proposal of each member that this replica has appended in this epoch. */
  private final Map<ReplicaId, Long> appended = new TreeMap<>();
  /** Places without content, by index; at most as many as updates may be unstable. */
  private final TreeMap<Long, Placed> places = new TreeMap<>();

  MulticastProposals(ReplicaSetup setup, Membership membership, CertifiedOrder order) {
    this.setup = setup;
    this.membership = membership;
    this.order = order;
  }

  /** Takes the channel's view. */
  void onView(GroupView view) {
    channel = view;
  }

  /** Whether the channel reaches the sequencer; if that is this replica, whether it reaches another member too. */
  boolean reachSequencer() {
    return membership.role() == Role.PRIMARY
        ? membership.view().members().stream().anyMatch(member -> !member.equals(setup.self()) && reach(member))
        : reach(membership.view().primary());
  }

  /**
   * Whether a member sends this proposal to the sequencer too, because the channel delivers it later: the sequencer is not the channel's
   * first member, which in some channels orders for the others. A long one is not sent twice.
   */
  boolean sendToSequencerToo(StateUpdate update) {
    return update.bytes() <= SHORT_BYTES && !channel.members().get(0).equals(membership.view().primary());
  }

  /** As sequencer: whether the channel probably delivers the content of this proposal, which its member has sent to this replica. */
  boolean isDelivered(ReplicaId from, StateUpdate update) {
    return reach(from) && sendToSequencerToo(update);
  }

  private boolean reach(ReplicaId replica) {
    return channel.contains(setup.self()) && channel.contains(replica);
  }

  private Name name(long epoch, ReplicaId replica, long number) {
    return new Name(setup.enforces(Rule.CONTENT_OF_ITS_EPOCH) ? epoch : 0, replica, number);
  }

  // ------------------------------------------------------------------------------------------------ content

  void onDelivered(long now, ReplicaId from, Proposal proposal, Effects out) {
    StateUpdate update = proposal.update();
    Origin origin = update.origin();
    boolean valid =
        origin != null
            && origin.replica().equals(from)
            && origin.epoch() == proposal.epoch()
            && (origin.epoch() > order.epoch()
                || (origin.epoch() == order.epoch() && origin.number() > appended.getOrDefault(from, 0L)))
            && membership.role() != Role.JOINING;
    if (!valid || !hold(update)) {
      return;
    }
    if (membership.role() == Role.PRIMARY) {
      placeNext(now, from, out);
    } else if (setup.enforces(Rule.PLACE_FROM_SEQUENCER)) {
      append(now, out);
    } else {
      append(now, order.log().end() + 1, order.log().stable(), update, out);
    }
  }

  private boolean hold(StateUpdate update) {
    if (bytes + update.bytes() > setup.limits().bytes().unstable()) {
      return false;
    }
    Origin origin = update.origin();
    StateUpdate earlier = contents.put(name(origin.epoch(), origin.replica(), origin.number()), update);
    bytes += update.bytes() - (earlier == null ? 0 : earlier.bytes());
    return true;
  }

  /** Removes the content of a proposal that has been appended, and of all before it by the same replica. */
  void remove(Origin origin) {
    if (origin.epoch() == order.epoch()) {
      appended.merge(origin.replica(), origin.number(), Math::max);
    }
    drop(contents.subMap(
        name(origin.epoch(), origin.replica(), 0), true, name(origin.epoch(), origin.replica(), origin.number()), true));
  }

  private void drop(Map<Name, StateUpdate> some) {
    some.values().forEach(update -> bytes -= update.bytes());
    some.clear();
  }

  /** Called when this replica has entered a view: what was proposed in earlier ones has no place in it. */
  void enter(long epoch) {
    places.clear();
    appended.clear();
    if (setup.enforces(Rule.CONTENT_OF_ITS_EPOCH)) {
      drop(contents.headMap(new Name(epoch, new ReplicaId(1), 0), false));
    }
  }

  // ------------------------------------------------------------------------------------------------ the sequencer

  /** Places what the channel has delivered of all members, as far as it is the next. */
  void placeNext(long now, Effects out) {
    if (!contents.isEmpty() && membership.role() == Role.PRIMARY) {
      membership.view().members().forEach(member -> placeNext(now, member, out));
    }
  }

  /** Places what the channel has delivered of a member, as far as it is the next. */
  void placeNext(long now, ReplicaId member, Effects out) {
    boolean more = !contents.isEmpty();
    while (more) {
      long epoch = order.epoch();
      StateUpdate next = contents.get(name(epoch, member, order.sequencer().lastPlaced(member) + 1));
      more = next != null && order.sequencer().place(now, member, next.origin().epoch(), next, true, out);
    }
  }

  /** Sends an update to the members: its place only to those whom the channel reaches. */
  void announce(long now, StateUpdate update, Effects out) {
    Origin origin = update.origin();
    Placed place = new Placed(order.epoch(), order.log().stable(), update.index(), origin.replica(), origin.number());
    order.view().send(update, place, this::reach, out);
    if (!setup.enforces(Rule.DELIVERY_IS_NO_ACKNOWLEDGEMENT)) {
      for (ReplicaId member : membership.view().members()) {
        if (reach(member) && !member.equals(setup.self())) {
          order.view().onAck(now, member, new Ack(order.epoch(), update.index(), false), out);
        }
      }
    }
  }

  // ------------------------------------------------------------------------------------------------ a member

  void onPlaced(long now, ReplicaId from, Placed place, Effects out) {
    boolean valid =
        membership.inView(place.epoch())
            && from.equals(membership.view().primary())
            && membership.role() != Role.PRIMARY
            && place.index() > order.log().end();
    places.headMap(order.log().end(), true).clear();
    if (valid && places.size() < setup.limits().unstableUpdates()) {
      places.put(place.index(), place);
      append(now, out);
      order.view().onStable(now, from, place.epoch(), place.stable(), out);
      if (order.log().end() < place.index() && !setup.enforces(Rule.PLACE_NEEDS_CONTENT)) {
        out.send(from, new Ack(place.epoch(), place.index(), false));
      }
    }
  }

  /** Appends the proposals whose content and place are here, in the order of the places. */
  void append(long now, Effects out) {
    if (places.isEmpty()) {
      return;
    }
    places.headMap(order.log().end(), true).clear();
    boolean more = true;
    while (more) {
      Placed next = places.get(order.log().end() + 1);
      StateUpdate content = next == null ? null : contents.get(name(next.epoch(), next.replica(), next.number()));
      more = content != null;
      if (more) {
        places.remove(next.index());
        append(now, next.index(), next.stable(), content, out);
      }
    }
  }

  /** As if the sequencer had sent the update. */
  private void append(long now, long index, long stable, StateUpdate content, Effects out) {
    StateUpdate update = order.requests().placed(content, order.epoch(), index);
    order.view().onUpdate(now, membership.view().primary(), new Update(order.epoch(), stable, update, membership.wire()), out);
    order.received(update);
  }
}
