package org.understudy.lab.attack;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.LongFunction;

/** Whole requests, as fast as some threads can send them, each over a connection of its own. */
final class RequestFlood implements Attack {
  private static final int CONNECTIONS = 16;

  private final String name;
  private final long max;
  private final LongFunction<byte[]> requests;
  private final int connections;
  private final Function<Target, List<Target>> attackers;

  /**
   * @param max requests in all
   * @param requests the bytes of the request with a number, from 0
   */
  RequestFlood(String name, long max, LongFunction<byte[]> requests) {
    this(name, max, requests, CONNECTIONS, List::of);
  }

  private RequestFlood(
      String name, long max, LongFunction<byte[]> requests, int connections, Function<Target, List<Target>> attackers) {
    this.name = name;
    this.max = max;
    this.requests = requests;
    this.connections = connections;
    this.attackers = attackers;
  }

  /**
   * The same over another number of connections at a time.
   *
   * @param from returns the target as each of the attackers reaches it, who have the connections in turns
   */
  RequestFlood over(int others, Function<Target, List<Target>> from) {
    return new RequestFlood(name, max, requests, others, from);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void run(Target target, Tally tally, Deadline deadline) throws InterruptedException {
    AtomicLong next = new AtomicLong();
    List<Target> from = attackers.apply(target);
    Attack.together(connections, i -> {
      Target attacker = from.get(i % from.size());
      return () -> flood(attacker, tally, deadline, next);
    });
  }

  private void flood(Target target, Tally tally, Deadline deadline, AtomicLong next) {
    for (long number = next.getAndIncrement(); number < max && !deadline.passed(); number = next.getAndIncrement()) {
      tally.sent();
      try {
        tally.answered(target.exchange(target.replica(), requests.apply(number)));
      } catch (IOException e) {
        tally.closed();
      }
    }
  }
}
