package org.understudy.replication.simulation;

import java.io.PrintStream;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.SplittableRandom;

/** Virtual time and randomness: events happen in the order of their times, then of their scheduling. */
public final class World {
  private record Event(long at, long order, Runnable what) {}

  private final PriorityQueue<Event> events =
      new PriorityQueue<>(
          java.util.Comparator.comparingLong(Event::at).thenComparingLong(Event::order));
  private final long seed;
  private final Random random;
  private long now = 1_000_000_000L;
  private long order;
  private PrintStream trace;

  public World(long seed) {
    this.seed = seed;
    // The first numbers of a Random hardly differ between neighbouring seeds; those of a SplittableRandom do.
    random = new Random(new SplittableRandom(seed).nextLong());
  }

  /** The number of the history. */
  long seed() {
    return seed;
  }

  /** Traces every event from now on, one line each. */
  public void traceTo(PrintStream where) {
    trace = where;
  }

  public void trace(String format, Object... arguments) {
    if (trace != null) {
      trace.printf("%10.3f ms  %s%n", now / 1e6, String.format(format, arguments));
    }
  }

  public boolean isTraced() {
    return trace != null;
  }

  /** In nanoseconds. */
  public long now() {
    return now;
  }

  public void after(long nanos, Runnable what) {
    events.add(new Event(now + Math.max(0, nanos), order++, what));
  }

  public void runUntil(long end) {
    while (!events.isEmpty() && events.peek().at() <= end) {
      Event next = events.poll();
      now = next.at();
      next.what().run();
    }
    now = end;
  }

  public long between(long min, long max) {
    return min + (long) (random.nextDouble() * (max - min + 1));
  }

  public int pick(int bound) {
    return random.nextInt(bound);
  }

  public boolean chance(double probability) {
    return random.nextDouble() < probability;
  }

  public long number() {
    return random.nextLong();
  }
}
