package org.understudy.replication.core.session;

import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.certification.Certification;
import org.understudy.replication.core.limit.KeyKind;
import org.understudy.replication.core.limit.KeyKinds;
import org.understudy.replication.core.limit.ReplicatedLimits;
import org.understudy.replication.core.request.Response;
import org.understudy.replication.core.store.Item;
import org.understudy.replication.core.store.ResourceStore;
import org.understudy.replication.core.store.SortedResources;
import org.understudy.replication.core.store.StateItems;
import org.understudy.replication.core.store.StoredResource;
import org.understudy.replication.core.update.StateChange;
import org.understudy.replication.core.update.StateUpdate;

/** All resources and the reply table, as of one update; both change together atomically. */
public final class GroupState {
  private final ReplicaSetup setup;
  private ResourceStore image;
  private final KeyKinds kinds;
  private StateShares shares = new StateShares();
  private ReplyTable replies = new ReplyTable();
  private Certification certification = new Certification();
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

  public void apply(StateUpdate update) {
    for (StateChange change : update.changes()) {
      put(change.resource(), change.state(), update.owner());
    }
    replies.apply(update, setup.enforces(Rule.IDENTITY_OUTLIVES_REPLY));
    if (!setup.enforces(Rule.EVICTIONS_IN_UPDATES)) {
      long excess = replies.replyBytes() - setup.limits().bytes().replies();
      replies.discardReplies(excess > 0 ? replies.repliesToFree(excess) : 0);
    }
    applied = update.index();
  }

  /** @param state null removes it */
  private void put(String resource, byte[] state, long writer) {
    StoredResource before = image.get(resource);
    if (state == null) {
      image.remove(resource);
    } else {
      KeyKind kind = before == null ? kinds.of(resource) : before.kind();
      put(resource, new StoredResource(state, owner(resource, kind, before, writer), kind));
    }
    if (before != null) {
      shares.add(before.kind(), before.owner(), -bytes(resource, before.state()), -1);
    }
  }

  private void put(String resource, StoredResource kept) {
    image.put(resource, kept);
    shares.add(kept.kind(), kept.owner(), bytes(resource, kept.state()), 1);
  }

  /** Everything as of the last update applied, for a state transfer. */
  public StateItems snapshot(boolean withReplies) {
    return snapshot(withReplies, setup.enforces(Rule.OWNERS_IN_TRANSFER));
  }

  private StateItems snapshot(boolean withReplies, boolean owners) {
    return new StateSnapshot(image.snapshot(), owners, replies.snapshot(), withReplies, certified());
  }

  private Iterator<Item> certified() {
    return setup.enforces(Rule.VERSIONS_IN_TRANSFER) ? certification.items().iterator() : Collections.emptyIterator();
  }

  /** Adds items of another replica's {@link #snapshot}, in their order, to a state that is empty at first. */
  public void restore(List<Item> items) {
    for (Item item : items) {
      if (item instanceof Item.Resource resource) {
        put(resource.id(), new StoredResource(resource.state(), resource.owner(), kinds.of(resource.id())));
      } else {
        replies.restore(item);
        certification.restore(item);
      }
    }
  }

  /** Replaces this state by another one, which must not be used afterwards. */
  public void replace(GroupState whole, long index) {
    image = whole.image;
    shares = whole.shares;
    replies = whole.replies;
    certification = whole.certification;
    applied = index;
  }

  private static long digest(Item item) {
    if (item instanceof Item.Resource resource) {
      return Objects.hash(resource.id(), resource.owner(), Arrays.hashCode(resource.state()));
    } else if (item instanceof Item.Identities some) {
      return Arrays.hashCode(some.words());
    } else if (item instanceof Item.Versions versions) {
      return Objects.hash(versions.floor(), versions.keys(), versions.indexes());
    } else if (item instanceof Item.StoredReply stored) {
      Object outcome = stored.outcome() instanceof Response response ? Arrays.hashCode(response.body()) : stored.outcome();
      return Objects.hash(stored.key(), stored.digest(), stored.index(), outcome);
    }
    return item.hashCode();
  }

  /** A digest that depends on the state alone, not on its history. */
  public long digest() {
    long digest = applied;
    try (StateItems snapshot = snapshot(true, true)) {
      for (Item item = snapshot.next(); item != null; item = snapshot.next()) {
        digest = 31 * digest + digest(item);
      }
    }
    return digest;
  }
}
