package org.understudy.replication.core.membership;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import org.understudy.replication.core.Timing;

/**
 * Lower bounds of the times at which this primary has sent the updates of its view: one mark for each heartbeat. An update after the mark's
 * last one was sent after the mark.
 */
final class UpdateSendTimes {
  static final long UNKNOWN = Long.MIN_VALUE / 2;
  /** Marks are at least this part of the suspicion time apart, so that there are no more of them. */
  private static final int MAX_MARKS = 100;

  /** @param end the last update at this time */
  private record Mark(long end, long at) {}

  private final long suspectNanos;
  private final Deque<Mark> marks = new ArrayDeque<>();

  UpdateSendTimes(Timing timing) {
    this.suspectNanos = timing.suspectNanos();
  }

  void clear() {
    marks.clear();
  }

  /** @param end the last update of the log, which this replica alone appends to at present */
  void mark(long end, long now) {
    Mark last = marks.peekLast();
    if (last != null && last.end() == end) {
      marks.removeLast();
    } else if (last != null && now - last.at() < suspectNanos / MAX_MARKS) {
      return;
    }
    marks.addLast(new Mark(end, now));
    while (now - marks.peekFirst().at() > suspectNanos) {
      marks.removeFirst();
    }
  }

  /** The last known time at which the update had not been sent; {@link #UNKNOWN} if it is older than the suspicion time. */
  long before(long index) {
    for (Iterator<Mark> newest = marks.descendingIterator(); newest.hasNext(); ) {
      Mark mark = newest.next();
      if (mark.end() < index) {
        return mark.at();
      }
    }
    return UNKNOWN;
  }
}
