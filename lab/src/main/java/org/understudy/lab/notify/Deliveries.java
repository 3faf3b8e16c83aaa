package org.understudy.lab.notify;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleConsumer;
import org.understudy.counter.UnknownCounter;
import org.understudy.lab.cluster.Footprint;
import org.understudy.lab.report.Samples;

/** One update with many subscribers: the delivery times, the cost for the request, and the resources used. */
final class Deliveries {
  /** Updates before those that count; they open the connections to the consumers. */
  private static final int FIRST = 3;

  /** A primary updates its delivery records for a while after the last consumer has the message. */
  private static final long SETTLE_MILLIS = 120;

  private final int subscribers;
  private final Samples arrivals = new Samples();
  private final Samples last = new Samples();
  private final Samples request = new Samples();
  private final Samples without = new Samples();
  private Footprint before;
  private Footprint after;

  Deliveries(int subscribers) {
    this.subscribers = subscribers;
  }

  /** Measures in a fresh group. */
  void measure(Group group, int warmUp, int updates, DoubleConsumer progress)
      throws IOException, InterruptedException, UnknownCounter {
    group.warmUp(warmUp);
    Counter unnoticed = group.newCounter();
    unnoticed.add();
    ProcessHandle primary = group.primary();
    before = Footprint.of(primary.pid());
    group.subscribe(subscribers);
    for (int i = 0; i < FIRST; i++) {
      group.update();
    }
    after = Footprint.of(primary.pid());
    for (int i = 0; i < updates; i++) {
      progress.accept((double) i / updates);
      if (i % 2 == 0) {
        withoutSubscribers(unnoticed);
        withSubscribers(group);
      } else {
        withSubscribers(group);
        withoutSubscribers(unnoticed);
      }
    }
    group.account();
    progress.accept(1);
  }

  private void withSubscribers(Group group) throws IOException, InterruptedException, UnknownCounter {
    TimeUnit.MILLISECONDS.sleep(SETTLE_MILLIS);
    Group.Update update = group.update();
    request.add(update.end() - update.begin());
    long latest = 0;
    for (long arrival : update.arrivals()) {
      arrivals.add(arrival - update.begin());
      latest = Math.max(latest, arrival - update.begin());
    }
    last.add(latest);
  }

  private void withoutSubscribers(Counter counter) throws IOException, InterruptedException, UnknownCounter {
    TimeUnit.MILLISECONDS.sleep(SETTLE_MILLIS);
    long begin = System.nanoTime();
    counter.add();
    without.add(System.nanoTime() - begin);
  }

  int subscribers() {
    return subscribers;
  }

  /** The subscribers that never answer. */
  int stalled() {
    return subscribers - Arrivals.healthy(subscribers);
  }

  /** From the request's sending until a healthy consumer has the notification; of every consumer and update. */
  Samples arrivals() {
    return arrivals;
  }

  /** The same until the last healthy consumer has it; of every update. */
  Samples last() {
    return last;
  }

  /** The request that causes the notification. */
  Samples request() {
    return request;
  }

  /** The same request to a counter without subscribers, in between. */
  Samples without() {
    return without;
  }

  double ratio() {
    return request.medianMicros() / without.medianMicros();
  }

  /** Heap at the primary for each subscription, its connection and its share of what it waits for included. */
  long heapBytes() {
    return (after.heapBytes() - before.heapBytes()) / subscribers;
  }

  int threadsBefore() {
    return before.threads();
  }

  int threads() {
    return after.threads();
  }
}
