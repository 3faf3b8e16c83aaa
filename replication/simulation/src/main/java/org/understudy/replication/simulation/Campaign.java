package org.understudy.replication.simulation;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;

/** Runs many seeds on several threads, and sums up their results. */
public final class Campaign {
  private final String name;
  private final LongFunction<Trial> trials;
  private final int threads;
  private final Map<String, Long> counts = new TreeMap<>();
  private final Map<Faults.Kind, Long> faults = new EnumMap<>(Faults.Kind.class);
  private final Map<Long, List<String>> violations = new TreeMap<>();
  private long seeds;
  private long operations;
  private long views;
  private long nanos;

  /**
   * @param name begins the line of progress
   * @param trials creates the history of a seed; called by several threads
   */
  public Campaign(String name, LongFunction<Trial> trials) {
    this.name = name;
    this.trials = trials;
    this.threads = Runtime.getRuntime().availableProcessors();
  }

  /**
   * Runs the seeds from the first to the last; returns when all are done.
   *
   * @throws IllegalStateException when the calling thread is interrupted
   */
  public void run(long first, long last) {
    long begin = System.nanoTime();
    AtomicLong next = new AtomicLong(first);
    List<Thread> workers = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      Thread worker = new Thread(() -> {
        for (long seed = next.getAndIncrement(); seed <= last; seed = next.getAndIncrement()) {
          one(seed);
        }
      }, "simulation-" + i);
      worker.start();
      workers.add(worker);
    }
    try {
      for (Thread worker : workers) {
        worker.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted before all seeds were run.", e);
    }
    nanos += System.nanoTime() - begin;
  }

  private void one(long seed) {
    Trial trial = trials.apply(seed);
    List<String> found;
    try {
      found = trial.run();
    } catch (RuntimeException | Error e) {
      found = List.of("broken invariant: " + e + " at " + e.getStackTrace()[0]);
    }
    add(seed, trial, found);
  }

  private synchronized void add(long seed, Trial trial, List<String> found) {
    seeds++;
    operations += trial.history().operations().size();
    views += trial.history().epochs();
    trial.counts().forEach((what, count) -> counts.merge(what, count, Long::sum));
    trial.faultCounts().forEach((kind, count) -> faults.merge(kind, (long) count, Long::sum));
    if (!found.isEmpty()) {
      violations.put(seed, List.copyOf(found));
    }
  }

  /** The violations, by seed. */
  public synchronized Map<Long, List<String>> violations() {
    return new TreeMap<>(violations);
  }

  /** One line: how much was run, how fast, and the number of violations. */
  public synchronized String progress() {
    return String.format(Locale.ROOT,
        "%s: %,d seeds (%.0f/s on %d threads), %,d operations, %,d views with a primary, %,d seeds with violations",
        name, seeds, seeds * 1e9 / Math.max(1, nanos), threads, operations, views, violations.size());
  }

  /** One line: the faults, by kind. */
  public synchronized String faults() {
    return line("faults", faults);
  }

  /** One line: what else happened. */
  public synchronized String counts() {
    return line("operations", counts);
  }

  private static String line(String what, Map<?, Long> numbers) {
    StringBuilder text = new StringBuilder(what).append(':');
    numbers.forEach((kind, count) -> text.append(String.format(Locale.ROOT, " %s %,d,", kind, count)));
    return text.substring(0, text.length() - 1);
  }
}
