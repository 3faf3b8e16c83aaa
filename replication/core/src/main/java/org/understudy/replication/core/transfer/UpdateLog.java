package org.understudy.replication.core.transfer;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.understudy.replication.core.update.StateUpdate;

/** The last state updates, by index, without gaps. Drops the oldest when no replica needs them. */
public final class UpdateLog {
  private final ArrayDeque<StateUpdate> updates = new ArrayDeque<>();
  private long end;
  private long stable;
  private long bytes;
  /** The sizes of the updates that are not known to be stable, the oldest first. */
  private final ArrayDeque<Long> unstable = new ArrayDeque<>();
  private long unstableBytes;

  /** The index of the last update ever added, 0 before the first. */
  public long end() {
    return end;
  }

  public long bytes() {
    return bytes;
  }

  public void add(StateUpdate update) {
    updates.addLast(update);
    end = update.index();
    long weight = update.bytes();
    bytes += weight;
    unstable.addLast(weight);
    unstableBytes += weight;
  }

  /** Bytes of the updates that are not known to be stable. */
  public long unstableBytes() {
    return unstableBytes;
  }

  /** The index up to which updates are known to be stable. */
  public long stable() {
    return stable;
  }

  /** Records that updates up to {@code index} are stable. */
  public void stable(long index) {
    stable = Math.max(stable, index);
    while (end - unstable.size() < index && !unstable.isEmpty()) {
      unstableBytes -= unstable.pollFirst();
    }
  }

  /** The updates after {@code index} that are still kept, at most {@code max} of them. */
  public List<StateUpdate> after(long index, int max) {
    List<StateUpdate> after = new ArrayList<>();
    for (StateUpdate update : updates) {
      if (update.index() > index) {
        after.add(update);
        if (after.size() == max) {
          break;
        }
      }
    }
    return after;
  }

  /** Whether every update after {@code index} is still kept. */
  public boolean reaches(long index) {
    return index >= end || (!updates.isEmpty() && updates.peekFirst().index() <= index + 1);
  }

  /** Drops updates up to {@code index}: no replica needs them any more. */
  public void forgetUpTo(long index) {
    while (!updates.isEmpty() && updates.peekFirst().index() <= index) {
      bytes -= updates.pollFirst().bytes();
    }
  }

  /** Drops updates after {@code index}: they never became stable. */
  public void truncate(long index) {
    while (!updates.isEmpty() && updates.peekLast().index() > index) {
      long weight = updates.pollLast().bytes();
      bytes -= weight;
      if (!unstable.isEmpty()) {
        unstableBytes -= unstable.pollLast();
      }
    }
    end = Math.min(end, index);
  }

  /** Restarts the log after {@code index}, up to which everything is stable. */
  public void reset(long index) {
    updates.clear();
    unstable.clear();
    bytes = 0;
    unstableBytes = 0;
    end = index;
    stable = index;
  }
}
