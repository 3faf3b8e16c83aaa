package org.understudy.lab.torture;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.understudy.lab.torture.history.History;
import org.understudy.thread.DaemonThreads;

/**
 * When this machine was too busy to run a thread that had nothing else to do. Then nobody can expect progress of the replicas on it.
 * Thread-safe.
 */
final class Delays implements AutoCloseable {
  /** A delay by which a thread of a replica may miss its heartbeats. */
  private static final long LONG_NANOS = TimeUnit.MILLISECONDS.toNanos(300);
  private static final long PERIOD_MS = 20;

  private final List<long[]> delays = new ArrayList<>();
  private final Thread thread;

  Delays(History history) {
    thread = DaemonThreads.daemon("torture-delays", () -> measure(history));
    thread.start();
  }

  private void measure(History history) {
    try {
      long last = history.now();
      while (true) {
        TimeUnit.MILLISECONDS.sleep(PERIOD_MS);
        long now = history.now();
        record(last, now);
        last = now;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void record(long last, long now) {
    if (now - last > LONG_NANOS) {
      delays.add(new long[] {last, now});
    }
  }

  /** Whether there was a long delay within an interval. */
  synchronized boolean within(long from, long to) {
    return delays.stream().anyMatch(delay -> delay[1] >= from && delay[0] <= to);
  }

  /** How many long delays there were. */
  synchronized int count() {
    return delays.size();
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
