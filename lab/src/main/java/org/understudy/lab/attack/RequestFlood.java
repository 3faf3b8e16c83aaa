package org.understudy.lab.attack;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import org.understudy.thread.DaemonThreads;

/** Whole requests, as fast as some threads can send them, each over a connection of its own. */
final class RequestFlood implements Attack {
  private static final int THREADS = 16;

  private final String name;
  private final long max;
  private final LongFunction<byte[]> requests;
  private final boolean primaryOnly;

  /**
   * @param max requests in all
   * @param requests the bytes of the request with a number, from 0
   */
  RequestFlood(String name, long max, LongFunction<byte[]> requests) {
    this(name, max, requests, false);
  }

  private RequestFlood(String name, long max, LongFunction<byte[]> requests, boolean primaryOnly) {
    this.name = name;
    this.max = max;
    this.requests = requests;
    this.primaryOnly = primaryOnly;
  }

  /** The same, at the replica that is first among the target's addresses. */
  RequestFlood atFirstReplica() {
    return new RequestFlood(name, max, requests, true);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void run(Target target, Tally tally, Deadline deadline) throws InterruptedException {
    AtomicLong next = new AtomicLong();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      Thread thread = DaemonThreads.daemon("attack-" + i, () -> flood(target, tally, deadline, next));
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private void flood(Target target, Tally tally, Deadline deadline, AtomicLong next) {
    for (long number = next.getAndIncrement(); number < max && !deadline.passed(); number = next.getAndIncrement()) {
      InetSocketAddress to = primaryOnly ? target.http().get(0) : target.replica();
      tally.sent();
      try {
        tally.answered(target.exchange(to, requests.apply(number)).status());
      } catch (IOException e) {
        tally.closed();
      }
    }
  }
}
