package org.understudy.replication.core.order;

import org.understudy.replication.core.store.Item;
import org.understudy.replication.core.store.StateItems;

/** The items of a state that is older than the log, then the end of the log. */
final class ItemsAndEnd implements StateItems {
  private final StateItems items;
  private Item.LogEnd end;

  ItemsAndEnd(StateItems items, Item.LogEnd end) {
    this.items = items;
    this.end = end;
  }

  @Override
  public Item next() {
    Item next = items.next();
    if (next == null) {
      next = end;
      end = null;
    }
    return next;
  }

  @Override
  public void close() {
    items.close();
  }
}
