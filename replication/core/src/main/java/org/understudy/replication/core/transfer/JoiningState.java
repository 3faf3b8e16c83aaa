package org.understudy.replication.core.transfer;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.understudy.replication.core.Effects;
import org.understudy.replication.core.store.Item;
import org.understudy.replication.core.transfer.TransferMessage.Snapshot;
import org.understudy.replication.core.update.StateUpdate;

/** The joiner's side of a state transfer: receives the parts in order, and keeps the updates that are not stable. */
public final class JoiningState {
  /** As many as the largest window of the sender has. */
  private static final int MOST_AHEAD = 512;

  private long epoch;
  private long index;
  private long number;
  private int next;
  private boolean whole;
  private final List<StateUpdate> tail = new ArrayList<>();
  private final JoinedSlices slices = new JoinedSlices();
  /** Parts that have overtaken others, by their numbers. */
  private final Map<Integer, Snapshot> ahead = new TreeMap<>();
  private TransferProgress progress;
  private long bytes;
  /** When the last part was taken. */
  private long takenAt;

  public void clear() {
    epoch = 0;
    next = 0;
    bytes = 0;
    whole = false;
    tail.clear();
    slices.clear();
    ahead.clear();
  }

  /**
   * Whether a question about what is held is older than the transfer that runs, which has overtaken it.
   *
   * @param index of the sender's state when it asked
   * @param stuckNanos after which the sender of a transfer without progress asks again
   */
  public boolean hasOvertaken(long now, long epoch, long index, long stuckNanos) {
    return next > 0 && this.epoch == epoch && (this.index > index || this.index == index && now - takenAt < stuckNanos);
  }

  /** Whether the whole state of that epoch has arrived. */
  public boolean has(long epoch) {
    return whole && this.epoch == epoch;
  }

  /**
   * Takes the next part.
   *
   * @return the part with whole items, which are to be restored; null when it is not the next one
   */
  public Snapshot take(long now, Snapshot part) {
    if (part.part() == 0 && (!isSame(part) || next == 0)) {
      clear();
      epoch = part.epoch();
      index = part.index();
      number = part.number();
      progress = new TransferProgress("This replica receives the state of the group", now);
    }
    if (part.last() && !whole && taken(part)) {
      // This is another transfer at the same index, with fewer unstable updates: its parts must not be mixed with the old
      // ones.
      clear();
      return null;
    }
    if (!isSame(part) || part.part() < next || whole) {
      return null;
    }
    if (part.part() > next) {
      if (ahead.size() < MOST_AHEAD) {
        ahead.put(part.part(), part);
      }
      return null;
    }
    List<Item> items = slices.join(part.items());
    if (items == null) {
      clear();
      return null;
    }
    for (Item item : items) {
      if (item instanceof Item.Unstable unstable) {
        tail.add(unstable.update());
      }
    }
    next++;
    takenAt = now;
    bytes += part.encodedBytes();
    whole = part.last();
    return new Snapshot(
        part.epoch(), part.incarnation(), part.part(), part.last(), part.index(), part.number(), items, part.wire());
  }

  /** Takes the next part, if it has overtaken the one that was taken last; as {@link #take}. */
  public Snapshot takeAhead(long now) {
    Snapshot part = ahead.remove(next);
    return part == null ? null : take(now, part);
  }

  /** The number of the last part that was taken. */
  public int last() {
    return next - 1;
  }

  /** The bytes that have arrived. */
  public long bytes() {
    return bytes;
  }

  /** Tells the operator, now and then, how much has arrived. After a part was taken. */
  public void report(long now, Effects out) {
    progress.at(now, bytes, out);
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
