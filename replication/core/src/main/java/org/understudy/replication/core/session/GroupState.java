package org.understudy.replication.core.session;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;
import org.understudy.replication.api.decision.DecisionId;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.certification.Certification;
import org.understudy.replication.core.limit.KeyKind;
import org.understudy.replication.core.limit.KeyKinds;
import org.understudy.replication.core.limit.ReplicatedLimits;
import org.understudy.replication.core.request.Response;
import org.understudy.replication.core.store.Holdings;
import org.understudy.replication.core.store.Item;
import org.understudy.replication.core.store.PreparedUpdates;
import org.understudy.replication.core.store.Removals;
import org.understudy.replication.core.store.ResourceStore;
import org.understudy.replication.core.store.SortedResources;
import org.understudy.replication.core.store.StateItems;
import org.understudy.replication.core.store.StoredResource;
import org.understudy.replication.core.update.DecisionPart;
import org.understudy.replication.core.update.Eviction;
import org.understudy.replication.core.update.StateChange;
import org.understudy.replication.core.update.StateUpdate;
import org.understudy.replication.core.wire.WireVersions;

/** All resources and the reply table, as of one update; both change together atomically. */
public final class GroupState {
  private final ReplicaSetup setup;
  private ResourceStore image;
  private Removals removals = new Removals();
  private final KeyKinds kinds;
  private StateShares shares = new StateShares();
  private ReplyTable replies = new ReplyTable();
  private Certification certification = new Certification();
  private PreparedUpdates prepared = new PreparedUpdates();
  private long applied;

  public GroupState(ReplicaSetup setup) {
    this.setup = setup;
    this.kinds = setup.limits().kinds();
    this.image = new SortedResources(setup.enforces(Rule.SNAPSHOT_AT_ONE_INDEX));
  }

  public long applied() {
    return applied;
  }

  public ReplyTable replies() {
    return replies;
  }

  /** What certifies updates, for a strategy that does; otherwise empty. */
  public Certification certification() {
    return certification;
  }

  /** Updates that a database decides, and that have no effect so far. */
  public PreparedUpdates prepared() {
    return prepared;
  }

  /** Records that the update of this index has no effect, at any replica. */
  public void pass(long index) {
    applied = index;
  }

  /** The use of the state by each owner. */
  StateShares shares() {
    return shares;
  }

  /**
   * The growth that these changes would cause.
   *
   * @param writer the owner that makes them
   * @param limits by which keys are counted
   */
  StateGrowth growth(List<StateChange> changes, long writer, ReplicatedLimits limits) {
    StateGrowth growth = new StateGrowth(limits);
    for (StateChange change : changes) {
      StoredResource before = image.get(change.resource());
      if (before != null) {
        growth.add(before.kind(), before.owner(), -bytes(change.resource(), before.state()), -1);
      }
      if (change.state() != null) {
        KeyKind kind = before == null ? kinds.of(change.resource()) : before.kind();
        growth.add(kind, owner(change.resource(), kind, before, writer), change.bytes(), 1);
      }
    }
    return growth;
  }

  /** Whether the change makes the resource larger; it need not exist before or after. */
  boolean grows(StateChange change) {
    StoredResource before = image.get(change.resource());
    return change.state() != null && (before == null || change.state().length > before.state().length);
  }

  /** The owner that pays for a key that is written now. */
  private long owner(String key, KeyKind kind, StoredResource before, long writer) {
    return switch (kind.payer()) {
      case NOBODY -> 0;
      case WRITER -> writer;
      case CREATOR -> before == null ? writer : before.owner();
      case PARENT -> {
        StoredResource parent = before == null ? image.get(kind.parentOf(key)) : before;
        yield parent == null ? writer : parent.owner();
      }
    };
  }

  private static long bytes(String resource, byte[] state) {
    return StateChange.bytes(resource, state.length);
  }

  /** Applies an update at its place. Returns what takes effect: the update; for a mark, what it commits; otherwise null. */
  public StateUpdate apply(StateUpdate update) {
    StateUpdate effective = update.decision() == null ? update : decided(update);
    if (effective == null) {
      replies.evict(update.eviction());
    } else {
      for (StateChange change : effective.changes()) {
        put(change.resource(), change.state(), effective.owner(), effective.index());
      }
      replies.apply(effective, setup.enforces(Rule.IDENTITY_OUTLIVES_REPLY));
    }
    if (!setup.enforces(Rule.EVICTIONS_IN_UPDATES)) {
      long excess = replies.replyBytes() - setup.limits().bytes().replies();
      replies.discardReplies(excess > 0 ? replies.repliesToFree(excess) : 0);
    }
    applied = update.index();
    return effective;
  }

  private StateUpdate decided(StateUpdate update) {
    DecisionId id = update.decision().id();
    if (!update.decision().isMark()) {
      prepared.add(update);
      return setup.enforces(Rule.PREPARED_HAS_NO_EFFECT) ? null : update.committed(update.index(), Eviction.NONE);
    }
    boolean commits = update.decision().kind() == DecisionPart.Kind.COMMITTED;
    StateUpdate found = prepared.decided(id, commits);
    // What the log has not prepared is in the mark itself.
    return commits ? (found == null ? update : found).committed(update.index(), update.eviction()) : null;
  }

  /** @param state null removes it */
  private void put(String resource, byte[] state, long writer, long index) {
    StoredResource before = image.get(resource);
    if (state == null) {
      image.remove(resource);
      if (before != null) {
        removals.add(resource, index);
      }
    } else {
      KeyKind kind = before == null ? kinds.of(resource) : before.kind();
      put(resource, new StoredResource(state, owner(resource, kind, before, writer), kind, index));
    }
    if (before != null) {
      shares.add(before.kind(), before.owner(), -bytes(resource, before.state()), -1);
    }
  }

  private void put(String resource, StoredResource kept) {
    image.put(resource, kept);
    removals.exists(resource);
    shares.add(kept.kind(), kept.owner(), bytes(resource, kept.state()), 1);
  }

  /**
   * Everything as of the last update applied, for a state transfer.
   *
   * @param held resources that are left out
   * @param stable the last update that is known to be stable
   * @param wire the wire version in which the items are written
   */
  public StateItems snapshot(boolean withReplies, Holdings held, long stable, int wire) {
    boolean negotiated = wire >= WireVersions.HOLDINGS;
    List<Item> first = new ArrayList<>();
    if (negotiated) {
      first.add(new Item.Basis(stable, removals.floor()));
      if (setup.enforces(Rule.REMOVALS_IN_TRANSFER)) {
        first.addAll(removals.after(held.isAny() ? held.oldest() : 0));
      }
    }
    return snapshot(first, held, negotiated, withReplies, setup.enforces(Rule.OWNERS_IN_TRANSFER));
  }

  private StateItems snapshot(List<Item> first, Holdings held, boolean versions, boolean withReplies, boolean owners) {
    ResourceItems resources = new ResourceItems(image.snapshot(), held, owners, versions);
    return new StateSnapshot(first.iterator(), resources, replies.snapshot(), withReplies, certified());
  }

  /** The update up to which removals of resources may be unknown. */
  public long removalsFloor() {
    return removals.floor();
  }

  private Iterator<Item> certified() {
    List<Item> items = new ArrayList<>(setup.enforces(Rule.VERSIONS_IN_TRANSFER) ? certification.items() : List.of());
    items.addAll(setup.enforces(Rule.PREPARED_IN_TRANSFER) ? prepared.items() : List.of());
    return items.iterator();
  }

  /**
   * Adds items of another replica's {@link #snapshot}, in their order, to a state that is empty at first or holds resources
   * of a joiner.
   *
   * @param index the update as of which they are
   */
  public void restore(List<Item> items, long index) {
    for (Item item : items) {
      if (item instanceof Item.Resource resource) {
        restore(resource, resource.version() == 0 ? index : resource.version());
      } else if (item instanceof Item.Removed removed) {
        remove(removed.id());
        removals.add(removed.id(), removed.index());
      } else {
        replies.restore(item);
        certification.restore(item);
        prepared.restore(item);
      }
    }
  }

  private void restore(Item.Resource item, long version) {
    remove(item.id());
    put(item.id(), new StoredResource(item.state(), item.owner(), kinds.of(item.id()), version));
  }

  private void remove(String resource) {
    StoredResource before = image.get(resource);
    if (before != null) {
      image.remove(resource);
      shares.add(before.kind(), before.owner(), -bytes(resource, before.state()), -1);
    }
  }

  /** Records that removals up to this update may be unknown. */
  public void forgetRemovals(long upTo) {
    removals.raise(upTo);
  }

  /** The resources as they are, shared with this state, that no update after this one changed. */
  public GroupState resourcesUpTo(long index) {
    GroupState copy = new GroupState(setup);
    image.forEach((key, resource) -> {
      if (resource.version() <= index) {
        copy.put(key, resource);
      }
    });
    copy.removals = removals.upTo(index);
    return copy;
  }

  /** The keys that updates after this one changed, in ascending order; removed ones too. */
  public SortedSet<String> changedAfter(long index) {
    SortedSet<String> changed = new TreeSet<>();
    image.forEach((key, resource) -> {
      if (resource.version() > index) {
        changed.add(key);
      }
    });
    for (Item.Removed removed : removals.after(index)) {
      changed.add(removed.id());
    }
    return changed;
  }

  /** All resources, in ascending order of their keys. */
  public List<StateChange> resources() {
    List<StateChange> all = new ArrayList<>();
    image.forEach((key, resource) -> all.add(new StateChange(key, resource.state())));
    return all;
  }

  /** Replaces this state by another one, which must not be used afterwards. */
  public void replace(GroupState whole, long index) {
    image = whole.image;
    removals = whole.removals;
    shares = whole.shares;
    replies = whole.replies;
    certification = whole.certification;
    prepared = whole.prepared;
    applied = index;
  }

  private static long digest(Item item) {
    if (item instanceof Item.Resource resource) {
      return Objects.hash(resource.id(), resource.owner(), Arrays.hashCode(resource.state()));
    } else if (item instanceof Item.Identities some) {
      return Arrays.hashCode(some.words());
    } else if (item instanceof Item.Versions versions) {
      return Objects.hash(versions.floor(), versions.keys(), versions.indexes());
    } else if (item instanceof Item.Prepared prepared) {
      return Objects.hash(prepared.update().decision(), prepared.update().key(), prepared.update().digest());
    } else if (item instanceof Item.StoredReply stored) {
      Object outcome = stored.outcome() instanceof Response response ? Arrays.hashCode(response.body()) : stored.outcome();
      return Objects.hash(stored.key(), stored.digest(), stored.index(), outcome);
    }
    return item.hashCode();
  }

  /** A digest that depends on the state alone, not on its history. */
  public long digest() {
    long digest = applied;
    try (StateItems snapshot = snapshot(List.of(), Holdings.NOTHING, false, true, true)) {
      for (Item item = snapshot.next(); item != null; item = snapshot.next()) {
        digest = 31 * digest + digest(item);
      }
    }
    return digest;
  }
}
