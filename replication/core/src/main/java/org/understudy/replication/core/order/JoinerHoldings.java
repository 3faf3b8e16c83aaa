package org.understudy.replication.core.order;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.session.GroupState;
import org.understudy.replication.core.store.Holdings;
import org.understudy.replication.core.store.Holdings.Range;
import org.understudy.replication.core.store.Item;
import org.understudy.replication.core.transfer.TransferMessage.Snapshot;

/**
 * What a joiner holds of the group's resources: its last state, or what an interrupted transfer has brought. Builds the new
 * state from that and the parts of a transfer. Only stable updates count, because others may have been lost since.
 */
final class JoinerHoldings {
  private static final int MAX_RANGES = 8;
  /** A joiner with more to say about what it lacks offers nothing. */
  private static final long MAX_BYTES = 128 << 10;

  /**
   * Resources with the ranges in which they are held.
   *
   * @param stable later changes in the resources do not count
   */
  private record Base(Holdings holdings, GroupState resources, long stable) {}

  private final ReplicaSetup setup;
  private final GroupState state;
  /** The last view in which the state followed. */
  private long epoch;
  /** What an interrupted transfer has brought; null when the state counts. */
  private Base interrupted;
  /** What was last offered to a donor, until a transfer relies on it. */
  private Base offered;
  /** The update as of which the state was when it was offered. */
  private long offeredAt;
  private long offers;

  /** The new state; null without a transfer. */
  private GroupState arriving;
  /** The holdings that the running transfer changes. */
  private Holdings changed = Holdings.NOTHING;
  private Item.Basis basis;
  /** The last part. */
  private Snapshot last;
  /** The last key of the resources that have arrived; null before the first. */
  private String lastKey;
  private boolean hasAllResources;

  JoinerHoldings(ReplicaSetup setup, GroupState state) {
    this.setup = setup;
    this.state = state;
  }

  /** Called when this replica's state is that of a view: nothing else is needed. */
  void follow(long view) {
    epoch = view;
    interrupted = null;
    offered = null;
    end();
  }

  private void end() {
    arriving = null;
    changed = Holdings.NOTHING;
    basis = null;
    last = null;
    lastKey = null;
    hasAllResources = false;
  }

  // ------------------------------------------------------------------------------------------------ offers

  /**
   * What this joiner holds.
   *
   * @param index later changes do not count: the donor's state is as of this update
   * @param stable the last update that this replica knows to be stable
   */
  Holdings offer(long index, long stable) {
    Base base = interrupted != null ? interrupted : ofState(Math.min(state.applied(), stable));
    long limit = Math.min(index, base.stable());
    if (offered != null && offered.stable() == limit && offeredAt == state.applied()) {
      return offered.holdings();
    }
    offeredAt = state.applied();
    offered = base.resources().removalsFloor() > limit ? null : limited(base, limit);
    if (offered != null && (!offered.holdings().isAny() || offered.holdings().encodedBytes() > MAX_BYTES)) {
      offered = null;
    }
    return offered == null ? Holdings.NOTHING : offered.holdings();
  }

  private Base ofState(long stable) {
    return new Base(new Holdings(0, epoch, List.of(new Range(null, stable)), List.of()), state, stable);
  }

  private Base limited(Base base, long limit) {
    List<Range> ranges = new ArrayList<>();
    for (Range range : base.holdings().ranges()) {
      ranges.add(new Range(range.last(), Math.min(range.asOf(), limit)));
    }
    SortedSet<String> lacking = base.resources().changedAfter(limit);
    lacking.addAll(base.holdings().lacking());
    if (!setup.enforces(Rule.UNSTABLE_RESOURCES_ARE_LACKING)) {
      return new Base(new Holdings(++offers, base.holdings().epoch(), ranges, List.of()),
          base.resources().resourcesUpTo(Long.MAX_VALUE), limit);
    }
    Holdings holdings = new Holdings(++offers, base.holdings().epoch(), ranges, List.copyOf(lacking));
    return new Base(holdings, base.resources().resourcesUpTo(limit), limit);
  }

  // ------------------------------------------------------------------------------------------------ a transfer

  /** Whether the parts of this transfer can be used here: they change nothing, or what was offered last. */
  boolean canUse(Snapshot part) {
    boolean running = last != null && part.epoch() == last.epoch() && part.index() == last.index();
    return part.number() == 0
        || (running && part.number() == changed.number())
        || (offered != null && part.number() == offered.holdings().number());
  }

  boolean isReceiving() {
    return arriving != null;
  }

  /** Whether the running transfer has parts that change what is held, so they are not the whole state. */
  boolean isPartial() {
    return changed.number() != 0;
  }

  /** Takes the next part. The first one begins a new state beside the old one, which stays in use until the new one is complete. */
  void restore(Snapshot part) {
    if (part.part() == 0) {
      end();
      boolean partial = part.number() != 0;
      changed = partial ? offered.holdings() : Holdings.NOTHING;
      arriving = partial ? offered.resources() : new GroupState(setup);
      offered = null;
    }
    last = part;
    for (Item item : part.items()) {
      if (item instanceof Item.Basis some) {
        basis = some;
      } else if (item instanceof Item.Resource resource) {
        lastKey = resource.id();
      } else if (item instanceof Item.Held held) {
        lastKey = held.upTo();
      } else if (!(item instanceof Item.Removed)) {
        hasAllResources = true;
      }
    }
    arriving.restore(part.items(), part.index());
    if (part.part() == 0 && !isPartial()) {
      arriving.forgetRemovals(basis == null ? part.index() : basis.floor());
    }
  }

  /** The state that the parts have brought. */
  GroupState arrived() {
    return arriving;
  }

  /** Ends the transfer. Another one can continue from what has arrived. */
  void interrupt() {
    if (arriving != null && basis != null && (lastKey != null || hasAllResources || isPartial())) {
      interrupted = new Base(held(), arriving, basis.stable());
      offered = null;
    }
    end();
  }

  private Holdings held() {
    long asOf = Math.min(last.index(), basis.stable());
    boolean all = hasAllResources || !setup.enforces(Rule.INTERRUPTED_UP_TO_LAST_KEY);
    List<Range> ranges = new ArrayList<>();
    List<String> lacking = new ArrayList<>();
    if (all || lastKey != null) {
      ranges.add(new Range(all ? null : lastKey, asOf));
    }
    if (!all) {
      addRest(ranges, lacking);
    }
    long oldest = changed.isAny() ? Math.min(changed.epoch(), last.epoch()) : last.epoch();
    return new Holdings(0, oldest, ranges, lacking);
  }

  /** Adds what the joiner held before behind the last key. */
  private void addRest(List<Range> ranges, List<String> lacking) {
    for (Range range : changed.ranges()) {
      if (range.last() == null || lastKey == null || range.last().compareTo(lastKey) > 0) {
        ranges.add(range);
      }
    }
    if (changed.ranges().isEmpty()) {
      ranges.add(new Range(null, 0));
    }
    for (String key : changed.lacking()) {
      if (lastKey == null || key.compareTo(lastKey) > 0) {
        lacking.add(key);
      }
    }
    while (ranges.size() > MAX_RANGES) {
      Range second = ranges.remove(1);
      ranges.set(0, new Range(second.last(), Math.min(ranges.get(0).asOf(), second.asOf())));
    }
  }
}
