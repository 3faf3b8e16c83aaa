package org.understudy.replication.core.order;

import java.util.ArrayList;
import java.util.List;
import org.understudy.replication.core.transfer.UpdateLog;
import org.understudy.replication.core.update.StateUpdate;

/**
 * Chooses the updates to send again to one replica, which lacks them because they were lost with a connection, or because it has just
 * received the state. It takes updates in their order only, so what was sent after the first missing one is sent again, too. What is on its
 * way is not repeated before a round trip has passed without progress, and later each time (after RFC 6298). Only a window of it is on
 * its way, which grows when all of it has arrived, and shrinks when some was lost again, as the outbox to a slow replica drops what it has
 * no room for (slow start and congestion avoidance, Jacobson 1988). A new update waits until those before it have been sent. So a long or
 * narrow link is not filled with copies.
 */
final class CatchUp {
  private static final long LEAST_BYTES = 1 << 10;
  private static final long FIRST_BYTES = 64 << 10;
  private static final long MOST_BYTES = 4 << 20;
  private static final int MOST_UPDATES = 1_024;
  private static final int MOST_DOUBLINGS = 2;

  private final UpdateLog log;
  private final long leastWaitNanos;
  private long window = FIRST_BYTES;
  /** Below it the window doubles; above, it grows by an eighth. */
  private long threshold = MOST_BYTES;
  /** The replica holds the updates up to this one, as far as it has acknowledged. */
  private long received;
  /** The last update that was sent again: those after {@link #received} are on their way. */
  private long sent;
  /** The end of the log when something was sent again last: a later update is sent after all that the replica lacks. */
  private long until;
  /** When the replica has acknowledged this update, all that was on its way when the window was adapted last has arrived. */
  private long mark;
  private long firstSentAt;
  private long progressAt;
  /** Whether nothing of what was sent again has arrived since {@link #firstSentAt}. */
  private boolean waiting;
  /** How long the replica took for the first update that was sent again; 0 before that. */
  private long measured;
  /** Repetitions since the last progress. */
  private int inVain;

  /** @param leastWaitNanos after which what is on its way is repeated at the earliest */
  CatchUp(UpdateLog log, long leastWaitNanos) {
    this.log = log;
    this.leastWaitNanos = leastWaitNanos;
  }

  /**
   * Called when the replica has acknowledged the updates up to one.
   *
   * @param gap whether a later update has arrived there, or it knows of one
   * @param roundTrip of the link, as far as it is known; else 0
   * @return the updates to send to it now
   */
  List<StateUpdate> acknowledged(long now, long index, boolean gap, long roundTrip) {
    if (index > received) {
      received = index;
      progressAt = now;
      inVain = 0;
      measured = waiting ? now - firstSentAt : measured;
      waiting = false;
    }
    if (index >= sent && index >= until) {
      return gap ? begin(now, index) : List.of();
    }
    if (index < sent && gap && now - progressAt >= waitNanos(roundTrip)) {
      lost(now, index, roundTrip);
    } else if (index >= mark) {
      window = Math.min(window + (window < threshold ? window : window / 8), MOST_BYTES);
      mark = Math.max(sent, index + 1);
    }
    return next();
  }

  /**
   * Called when a new update would be sent to the replica.
   *
   * @return whether to send it now: not while the replica lacks earlier ones that are not on their way, because it is sent after those
   */
  boolean takes(long index) {
    boolean idle = received >= sent && received >= until;
    boolean takes = idle || index == sent + 1;
    if (!idle) {
      sent = takes ? index : sent;
      until = Math.max(until, index);
    }
    return takes;
  }

  /** Lost again, or by a replica that holds less than it has acknowledged in another life. */
  private void lost(long now, long index, long roundTrip) {
    boolean silent = now - progressAt >= 2 * waitNanos(roundTrip) + leastWaitNanos;
    inVain++;
    if (silent || inVain > MOST_DOUBLINGS) {
      // Nothing has passed the link for a while, which shows nothing about its round trip.
      firstSentAt = now;
    }
    if (measured > 0 || roundTrip > 0) {
      window = Math.max(window / 2, LEAST_BYTES);
      threshold = window;
    }
    startAfter(index, now);
  }

  private List<StateUpdate> begin(long now, long index) {
    startAfter(index, now);
    until = log.end();
    firstSentAt = now;
    waiting = true;
    return next();
  }

  private void startAfter(long index, long now) {
    received = index;
    sent = index;
    mark = index + 1;
    progressAt = now;
  }

  private long waitNanos(long roundTrip) {
    return Math.max(leastWaitNanos, 2 * Math.max(roundTrip, measured)) << Math.min(inVain, MOST_DOUBLINGS);
  }

  private List<StateUpdate> next() {
    List<StateUpdate> due = new ArrayList<>();
    if (sent >= until || !log.reaches(received)) {
      return due;
    }
    until = log.end();
    long bytes = 0;
    for (StateUpdate update : log.after(received, MOST_UPDATES)) {
      bytes += update.bytes();
      if (bytes > window && update.index() > received + 1) {
        break;
      }
      if (update.index() > sent) {
        due.add(update);
        sent = update.index();
      }
    }
    return due;
  }
}
