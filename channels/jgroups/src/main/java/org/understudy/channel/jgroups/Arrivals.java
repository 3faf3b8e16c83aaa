package org.understudy.channel.jgroups;

import java.util.ArrayDeque;
import java.util.Queue;

/** A queue of events with a bound in bytes. It ends, empty, when an event does not fit. Thread-safe. */
final class Arrivals {
  /** The cost of an event beside its content. */
  private static final int OVERHEAD_BYTES = 256;

  private record Arrival(Object event, long bytes) {}

  private final long maxBytes;
  private final Queue<Arrival> waiting = new ArrayDeque<>();
  private long waitingBytes;
  private boolean ended;
  /** The checks since an event was taken during which others waited. */
  private int checks;

  /** @param maxBytes of the events that wait; one is always accepted */
  Arrivals(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  /** Queues an event; returns false, once, when it does not fit. After that, and after {@link #end}, events are dropped. */
  synchronized boolean add(Object event, long contentBytes) {
    if (ended) {
      return true;
    }
    long bytes = contentBytes + OVERHEAD_BYTES;
    if (waitingBytes > 0 && waitingBytes + bytes > maxBytes) {
      end();
      return false;
    }
    put(event, bytes);
    return true;
  }

  /** Queues an event of the channel itself, whatever waits. */
  synchronized void signal(Object event) {
    if (!ended) {
      put(event, 0);
    }
  }

  private void put(Object event, long bytes) {
    waiting.add(new Arrival(event, bytes));
    waitingBytes += bytes;
    notifyAll();
  }

  /**
   * Counts the checks during which events wait and none is taken; returns that number. Counted in checks, not by a clock, so that a
   * process that was stopped does not find itself late.
   */
  synchronized int check() {
    checks = waiting.isEmpty() ? 0 : checks + 1;
    return checks;
  }

  /** Drops all events. */
  synchronized void end() {
    ended = true;
    waiting.clear();
    waitingBytes = 0;
    notifyAll();
  }

  /** Waits for the next event; returns null when the queue has ended. */
  synchronized Object take() throws InterruptedException {
    while (waiting.isEmpty() && !ended) {
      wait();
    }
    if (ended) {
      return null;
    }
    checks = 0;
    Arrival next = waiting.remove();
    waitingBytes -= next.bytes();
    return next.event();
  }
}
