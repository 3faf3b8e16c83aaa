package org.understudy.channel.jgroups;

import java.util.ArrayDeque;
import java.util.Queue;

/**
 * A queue of events with a bound in bytes, processed by one thread at a time: its own, or one that has an event while nothing waits. It
 * ends, empty, when an event does not fit. Thread-safe.
 */
final class Arrivals {
  /** The cost of an event beside its content. */
  private static final int OVERHEAD_BYTES = 256;

  private record Arrival(Object event, long bytes) {}

  private final long maxBytes;
  private final Queue<Arrival> waiting = new ArrayDeque<>();
  private long waitingBytes;
  private boolean ended;
  /** Whether a thread processes an event. */
  private boolean busy;
  /** The checks since an event was taken, during which it was processed or others waited. */
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
    if (!busy) {
      notifyAll();
    }
  }

  /**
   * Counts the checks during which none is taken, though events wait or one is processed; returns that number. Counted in checks, not by a
   * clock, so that a process that was stopped does not find itself late.
   */
  synchronized int check() {
    checks = waiting.isEmpty() && !busy ? 0 : checks + 1;
    return checks;
  }

  /** Drops all events. */
  synchronized void end() {
    ended = true;
    waiting.clear();
    waitingBytes = 0;
    notifyAll();
  }

  /** Begins to process an event that is not queued, if nothing waits or is being processed; {@link #done} follows. */
  synchronized boolean enter() {
    if (ended || busy || !waiting.isEmpty()) {
      return false;
    }
    busy = true;
    checks = 0;
    return true;
  }

  /** The event that this thread entered with, or has taken, is processed. */
  synchronized void done() {
    busy = false;
    if (!waiting.isEmpty() || ended) {
      notifyAll();
    }
  }

  /** Waits for the next event, to which {@link #done} follows; returns null when the queue has ended. */
  synchronized Object take() throws InterruptedException {
    while ((waiting.isEmpty() || busy) && !ended) {
      wait();
    }
    while (busy) {
      // The end is reported after all events.
      wait();
    }
    if (ended) {
      return null;
    }
    busy = true;
    checks = 0;
    Arrival next = waiting.remove();
    waitingBytes -= next.bytes();
    return next.event();
  }
}
