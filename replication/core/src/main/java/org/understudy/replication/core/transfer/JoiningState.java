package org.understudy.replication.core.transfer;

import java.util.ArrayList;
import java.util.List;
import org.understudy.replication.core.Message.Item;
import org.understudy.replication.core.Message.Snapshot;

/** The joiner's side of a state transfer: collects the parts in order. */
public final class JoiningState {
  private long epoch;
  private long index;
  private int next;
  private boolean whole;
  private final List<Item> items = new ArrayList<>();

  public void clear() {
    epoch = 0;
    next = 0;
    whole = false;
    items.clear();
  }

  /** Whether the whole state of that epoch has arrived. */
  public boolean has(long epoch) {
    return whole && this.epoch == epoch;
  }

  /** @return whether the whole is now there for the first time */
  public boolean take(Snapshot part) {
    if (part.part() == 0 && (part.epoch() != epoch || part.index() != index || next == 0)) {
      clear();
      epoch = part.epoch();
      index = part.index();
    }
    if (part.last() && !whole && taken(part)) {
      // Another transfer at the same index, with fewer updates that are not stable: the parts of the two do not fit.
      clear();
      return false;
    }
    if (part.epoch() != epoch || part.index() != index || part.part() != next || whole) {
      return false;
    }
    items.addAll(part.items());
    next++;
    whole = part.last();
    return whole;
  }

  /** Whether the part is among those taken, and may be acknowledged. */
  public boolean taken(Snapshot part) {
    return part.epoch() == epoch && part.index() == index && part.part() < next;
  }

  /**
   * The whole, once; null when its updates have gaps. A log with gaps would break whoever builds on it: all is forgotten, and
   * the next request to join asks for another transfer.
   */
  public TransferredState state() {
    TransferredState state = TransferredState.of(List.copyOf(items), index);
    items.clear();
    if (!state.isWhole()) {
      clear();
      return null;
    }
    return state;
  }
}
