package org.understudy.replication.simulation;

import java.io.PrintStream;
import java.util.PriorityQueue;
import java.util.Random;

/** Virtual time and chance: events happen in the order of their times, and of their scheduling when times are equal. */
public final class World {
  private record Event(long at, long order, Runnable what) {}

  private final PriorityQueue<Event> events =
      new PriorityQueue<>(
          java.util.Comparator.comparingLong(Event::at).thenComparingLong(Event::order));
  private final Random random;
  private long now = 1_000_000_000L;
  private long order;
  private PrintStream trace;

  World(long seed) {
    random = new Random(seed);
  }

  /** Tells what happens from now on, a line each. */
  void traceTo(PrintStream where) {
    trace = where;
  }

  void trace(String format, Object... arguments) {
    if (trace != null) {
      trace.printf("%10.3f ms  %s%n", now / 1e6, String.format(format, arguments));
    }
  }

  boolean isTraced() {
    return trace != null;
  }

  long now() {
    return now;
  }

  void after(long nanos, Runnable what) {
    events.add(new Event(now + Math.max(0, nanos), order++, what));
  }

  void runUntil(long end) {
    while (!events.isEmpty() && events.peek().at() <= end) {
      Event next = events.poll();
      now = next.at();
      next.what().run();
    }
    now = end;
  }

  long between(long least, long most) {
    return least + (long) (random.nextDouble() * (most - least + 1));
  }

  int pick(int bound) {
    return random.nextInt(bound);
  }

  boolean chance(double probability) {
    return random.nextDouble() < probability;
  }

  long number() {
    return random.nextLong();
  }
}
