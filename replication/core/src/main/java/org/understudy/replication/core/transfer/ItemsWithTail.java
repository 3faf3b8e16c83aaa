package org.understudy.replication.core.transfer;

import java.util.Iterator;
import java.util.List;
import org.understudy.replication.core.store.Item;
import org.understudy.replication.core.store.StateItems;
import org.understudy.replication.core.update.StateUpdate;

/** The items of a state, then the updates that it includes already and that are not stable. */
public final class ItemsWithTail implements StateItems {
  private final StateItems items;
  private final Iterator<StateUpdate> tail;

  public ItemsWithTail(StateItems items, List<StateUpdate> tail) {
    this.items = items;
    this.tail = tail.iterator();
  }

  @Override
  public Item next() {
    Item next = items.next();
    return next != null || !tail.hasNext() ? next : new Item.Unstable(tail.next());
  }

  @Override
  public void close() {
    items.close();
  }
}
