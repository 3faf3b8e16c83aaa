package org.understudy.replication.core.transfer;

import java.util.ArrayList;
import java.util.List;
import org.understudy.replication.core.store.Item;

/** Puts the slices of {@link SlicedItems} together again. Its memory grows with what has arrived. */
final class JoinedSlices {
  private static final int MOST_BYTES = 1 << 30;

  private final List<byte[]> slices = new ArrayList<>();
  private long bytes;

  void clear() {
    slices.clear();
    bytes = 0;
  }

  /**
   * The items of the next part without slices: what is not complete is kept for a later part.
   *
   * @return null when the slices are of no resource, or of a too large one
   */
  List<Item> join(List<Item> part) {
    List<Item> joined = new ArrayList<>(part.size());
    for (Item item : part) {
      if (item instanceof Item.Slice slice) {
        slices.add(slice.bytes());
        bytes += slice.bytes().length;
      } else if (slices.isEmpty()) {
        joined.add(item);
      } else if (item instanceof Item.Resource rest && bytes + rest.state().length <= MOST_BYTES) {
        slices.add(rest.state());
        bytes += rest.state().length;
        joined.add(new Item.Resource(rest.id(), rest.owner(), rest.version(), whole()));
        clear();
      } else {
        return null;
      }
      if (bytes > MOST_BYTES) {
        return null;
      }
    }
    return joined;
  }

  private byte[] whole() {
    byte[] whole = new byte[Math.toIntExact(bytes)];
    int end = 0;
    for (byte[] slice : slices) {
      System.arraycopy(slice, 0, whole, end, slice.length);
      end += slice.length;
    }
    return whole;
  }
}
