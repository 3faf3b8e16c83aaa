package org.understudy.replication.core.transfer;

import java.util.ArrayList;
import java.util.List;
import org.understudy.replication.core.Message.Item;
import org.understudy.replication.core.StateUpdate;

/**
 * The whole that a state transfer has brought.
 *
 * @param items everything as of {@code index}, in the donor's order
 * @param index the last update that the items show
 * @param unstable the last updates among these, which were not stable: kept to pass them on
 */
public record TransferredState(List<Item> items, long index, List<StateUpdate> unstable) {
  static TransferredState of(List<Item> items, long index) {
    List<StateUpdate> unstable = new ArrayList<>();
    for (Item item : items) {
      if (item instanceof Item.Unstable tail) {
        unstable.add(tail.update());
      }
    }
    return new TransferredState(items, index, unstable);
  }

  /** The last update that was stable at the donor. */
  public long stable() {
    return index - unstable.size();
  }

  /** Whether the updates that were not stable end at the index, without gaps. */
  boolean isWhole() {
    long expected = stable();
    for (StateUpdate update : unstable) {
      expected++;
      if (update.index() != expected) {
        return false;
      }
    }
    return stable() >= 0;
  }
}
