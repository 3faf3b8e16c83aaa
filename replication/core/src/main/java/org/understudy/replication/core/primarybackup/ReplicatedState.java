package org.understudy.replication.core.primarybackup;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.understudy.replication.core.Limits;
import org.understudy.replication.core.Message.Item;
import org.understudy.replication.core.StateChange;
import org.understudy.replication.core.StateUpdate;
import org.understudy.replication.core.reply.ReplyTable;

/** The image of every resource and the reply table, as of one update: they change together or not at all. */
final class ReplicatedState {
  private final Limits limits;
  private final TreeMap<String, byte[]> image = new TreeMap<>();
  private ReplyTable replies;
  private long applied;

  ReplicatedState(Limits limits) {
    this.limits = limits;
    this.replies = new ReplyTable(limits);
  }

  long applied() {
    return applied;
  }

  ReplyTable replies() {
    return replies;
  }

  Map<String, byte[]> image() {
    return Collections.unmodifiableMap(new TreeMap<>(image));
  }

  void apply(StateUpdate update) {
    for (StateChange change : update.changes()) {
      if (change.state() == null) {
        image.remove(change.resource());
      } else {
        image.put(change.resource(), change.state());
      }
    }
    replies.apply(update);
    applied = update.index();
  }

  List<Item> items(boolean withReplies) {
    List<Item> items = new ArrayList<>();
    image.forEach((id, bytes) -> items.add(new Item.Resource(id, bytes)));
    for (Item item : replies.items()) {
      if (withReplies || !(item instanceof Item.StoredReply)) {
        items.add(item);
      }
    }
    return items;
  }

  void replace(List<Item> items, long index) {
    image.clear();
    replies = new ReplyTable(limits);
    for (Item item : items) {
      if (item instanceof Item.Resource resource) {
        image.put(resource.id(), resource.state());
      } else if (item instanceof Item.Session session) {
        replies.restore(session);
      } else if (item instanceof Item.StoredReply reply) {
        replies.restore(reply);
      }
    }
    applied = index;
  }
}
