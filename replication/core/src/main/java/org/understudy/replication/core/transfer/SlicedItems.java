package org.understudy.replication.core.transfer;

import java.util.Arrays;
import org.understudy.replication.core.store.Item;
import org.understudy.replication.core.store.StateItems;

/** The items of a state, where a large resource is several items: slices of its state, then the resource with the rest of it. */
final class SlicedItems implements StateItems {
  private final StateItems items;
  private final int sliceBytes;
  /** The resource that is being sliced; null for none. */
  private Item.Resource sliced;
  private int offset;

  /** @param sliceBytes the most bytes of a state in one item */
  SlicedItems(StateItems items, int sliceBytes) {
    this.items = items;
    this.sliceBytes = sliceBytes;
  }

  @Override
  public Item next() {
    if (sliced == null) {
      Item item = items.next();
      if (!(item instanceof Item.Resource resource) || resource.state().length <= sliceBytes) {
        return item;
      }
      sliced = resource;
      offset = 0;
    }
    int begin = offset;
    offset = Math.min(begin + sliceBytes, sliced.state().length);
    byte[] slice = Arrays.copyOfRange(sliced.state(), begin, offset);
    if (offset < sliced.state().length) {
      return new Item.Slice(slice);
    }
    Item rest = new Item.Resource(sliced.id(), sliced.owner(), sliced.version(), slice);
    sliced = null;
    return rest;
  }

  @Override
  public void close() {
    items.close();
  }
}
