package org.understudy.lab.notify;

import java.io.IOException;
import java.util.Arrays;
import org.understudy.counter.UnknownCounter;
import org.understudy.lab.report.Samples;

/**
 * kill -9 of the primary with many subscriptions, until the client with the next request has its answer, in one session of
 * the stub. Then no consumer subscribes again, and every one is notified.
 */
final class Failovers {
  /** Updates before it, so that connections are open and consumers have received messages. */
  private static final int FIRST = 3;

  private final int subscribers;
  private final Samples answered = new Samples();
  private final Samples notified = new Samples();
  private long repeats;

  Failovers(int subscribers) {
    this.subscribers = subscribers;
  }

  /** Fails over once, in a fresh group. */
  void measure(Group group, int warmUp) throws IOException, InterruptedException, UnknownCounter {
    group.warmUp(warmUp);
    group.subscribe(subscribers);
    for (int i = 0; i < FIRST; i++) {
      group.update();
    }
    ProcessHandle primary = group.primary();
    long killed = System.nanoTime();
    if (!primary.destroyForcibly()) {
      throw new IOException("The primary, process " + primary.pid() + ", could not be killed.");
    }
    Group.Update across = group.update();
    answered.add(across.end() - killed);
    notified.add(Arrays.stream(across.arrivals()).max().orElseThrow() - killed);
    group.update();
    repeats += group.account().repeats();
  }

  int subscribers() {
    return subscribers;
  }

  /** From the kill until the client has its answer from another replica. */
  Samples answered() {
    return answered;
  }

  /** From the kill until every healthy consumer has that request's notification. */
  Samples notified() {
    return notified;
  }

  /** Notifications that a healthy consumer had already, in all failovers. */
  long repeats() {
    return repeats;
  }
}
