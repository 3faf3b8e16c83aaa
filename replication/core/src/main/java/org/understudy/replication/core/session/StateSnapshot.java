package org.understudy.replication.core.session;

import java.util.Iterator;
import org.understudy.replication.core.store.Item;
import org.understudy.replication.core.store.StateItems;

/**
 * A {@link GroupState} as of one update: what a transfer begins with, its resources, its reply table, then what certifies
 * updates. Handed out item by item.
 */
final class StateSnapshot implements StateItems {
  private final Iterator<Item> first;
  private final StateItems resources;
  private final StateItems replies;
  private final boolean withReplies;
  private final Iterator<Item> certification;

  /**
   * @param first what a transfer begins with
   * @param withReplies whether the reply table has more than its sessions; false for a mutant
   * @param certification what certifies updates
   */
  StateSnapshot(
      Iterator<Item> first,
      StateItems resources,
      StateItems replies,
      boolean withReplies,
      Iterator<Item> certification) {
    this.first = first;
    this.resources = resources;
    this.replies = replies;
    this.withReplies = withReplies;
    this.certification = certification;
  }

  @Override
  public Item next() {
    Item next = first.hasNext() ? first.next() : resources.next();
    return next != null ? next : nextReply();
  }

  private Item nextReply() {
    Item item = replies.next();
    while (item != null && !withReplies && !(item instanceof Item.Session)) {
      item = replies.next();
    }
    return item != null || !certification.hasNext() ? item : certification.next();
  }

  @Override
  public void close() {
    resources.close();
    replies.close();
  }
}
