package org.understudy.replication.core.transfer;

import java.util.ArrayList;
import java.util.List;
import org.understudy.replication.core.store.Item;
import org.understudy.replication.core.transfer.TransferMessage.Snapshot;
import org.understudy.replication.core.update.StateUpdate;

/** The joiner's side of a state transfer: receives the parts in order, and keeps the updates that are not stable. */
public final class JoiningState {
  private long epoch;
  private long index;
  private long number;
  private int next;
  private boolean whole;
  private final List<StateUpdate> tail = new ArrayList<>();

  public void clear() {
    epoch = 0;
    next = 0;
    whole = false;
    tail.clear();
  }

  /** Whether a part as of an update after this one has been received in that epoch. */
  public boolean isAfter(long epoch, long index) {
    return next > 0 && this.epoch == epoch && this.index > index;
  }

  /** Whether the whole state of that epoch has arrived. */
  public boolean has(long epoch) {
    return whole && this.epoch == epoch;
  }

  /** @return whether this is the next part, whose items are to be restored */
  public boolean take(Snapshot part) {
    if (part.part() == 0 && (!isSame(part) || next == 0)) {
      clear();
      epoch = part.epoch();
      index = part.index();
      number = part.number();
    }
    if (part.last() && !whole && taken(part)) {
      // This is another transfer at the same index, with fewer unstable updates: its parts must not be mixed with the old
      // ones.
      clear();
      return false;
    }
    if (!isSame(part) || part.part() != next || whole) {
      return false;
    }
    for (Item item : part.items()) {
      if (item instanceof Item.Unstable unstable) {
        tail.add(unstable.update());
      }
    }
    next++;
    whole = part.last();
    return true;
  }

  private boolean isSame(Snapshot part) {
    return part.epoch() == epoch && part.index() == index && part.number() == number;
  }

  /** Whether the part has been received, so that it may be acknowledged. */
  public boolean taken(Snapshot part) {
    return isSame(part) && part.part() < next;
  }

  /** The unstable updates of the state, in ascending order up to its index; null if one is missing. */
  public List<StateUpdate> tail() {
    long expected = index - tail.size();
    for (StateUpdate update : tail) {
      expected++;
      if (update.index() != expected) {
        return null;
      }
    }
    return index >= tail.size() ? List.copyOf(tail) : null;
  }
}
