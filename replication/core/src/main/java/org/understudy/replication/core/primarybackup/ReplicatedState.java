package org.understudy.replication.core.primarybackup;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.understudy.replication.core.Message.Item;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.Response;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.StateChange;
import org.understudy.replication.core.StateUpdate;
import org.understudy.replication.core.reply.ReplyTable;

/** The image of every resource and the reply table, as of one update: they change together or not at all. */
final class ReplicatedState {
  private final ReplicaSetup setup;
  private final TreeMap<String, byte[]> image = new TreeMap<>();
  private ReplyTable replies = new ReplyTable();
  private long applied;
  private long bytes;

  ReplicatedState(ReplicaSetup setup) {
    this.setup = setup;
  }

  long applied() {
    return applied;
  }

  ReplyTable replies() {
    return replies;
  }

  /** Of all resources, roughly. */
  long bytes() {
    return bytes;
  }

  /** How much larger the resources are with these changes; below zero when they are smaller. */
  long growth(List<StateChange> changes) {
    long growth = 0;
    for (StateChange change : changes) {
      growth += (change.state() == null ? 0 : change.bytes()) - bytes(change.resource());
    }
    return growth;
  }

  /** Whether the resource is larger with this change; it need not exist before or after. */
  boolean grows(StateChange change) {
    byte[] before = image.get(change.resource());
    return change.state() != null && (before == null || change.state().length > before.length);
  }

  private long bytes(String resource) {
    byte[] state = image.get(resource);
    return state == null ? 0 : StateChange.bytes(resource, state.length);
  }

  Map<String, byte[]> image() {
    return Collections.unmodifiableMap(new TreeMap<>(image));
  }

  void apply(StateUpdate update) {
    for (StateChange change : update.changes()) {
      put(change.resource(), change.state());
    }
    replies.apply(update, setup.holds(Rule.IDENTITY_OUTLIVES_REPLY));
    if (!setup.holds(Rule.EVICTIONS_IN_UPDATES)) {
      long excess = replies.replyBytes() - setup.limits().bytes().replies();
      replies.discardReplies(excess > 0 ? replies.repliesToFree(excess) : 0);
    }
    applied = update.index();
  }

  private void put(String resource, byte[] state) {
    bytes -= bytes(resource);
    if (state == null) {
      image.remove(resource);
    } else {
      image.put(resource, state);
      bytes += bytes(resource);
    }
  }

  List<Item> items(boolean withReplies) {
    List<Item> items = new ArrayList<>();
    image.forEach((id, state) -> items.add(new Item.Resource(id, state)));
    for (Item item : replies.items()) {
      if (withReplies || item instanceof Item.Session) {
        items.add(item);
      }
    }
    return items;
  }

  void replace(List<Item> items, long index) {
    image.clear();
    bytes = 0;
    replies = new ReplyTable();
    for (Item item : items) {
      if (item instanceof Item.Resource resource) {
        put(resource.id(), resource.state());
      } else {
        replies.restore(item);
      }
    }
    applied = index;
  }

  private static long digest(Item item) {
    if (item instanceof Item.Resource resource) {
      return Objects.hash(resource.id(), Arrays.hashCode(resource.state()));
    } else if (item instanceof Item.Identities some) {
      return Arrays.hashCode(some.words());
    } else if (item instanceof Item.StoredReply stored) {
      Object outcome = stored.outcome() instanceof Response response ? Arrays.hashCode(response.body()) : stored.outcome();
      return Objects.hash(stored.key(), stored.digest(), stored.index(), outcome);
    }
    return item.hashCode();
  }

  /** Equal states have equal ones, whatever path led to them. */
  long digest() {
    long digest = applied;
    for (Item item : items(true)) {
      digest = 31 * digest + digest(item);
    }
    return digest;
  }
}
