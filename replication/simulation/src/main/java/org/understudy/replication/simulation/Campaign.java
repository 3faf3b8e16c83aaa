package org.understudy.replication.simulation;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.understudy.replication.core.ReplicationStrategy;
import org.understudy.replication.core.Rule;

/** Many seeds, run on several threads, and what happened in them all together. */
public final class Campaign {
  private final int size;
  private final ReplicationStrategy strategy;
  private final Set<Rule> rules;
  private final int threads;
  private final Map<Faults.Kind, Long> faults = new EnumMap<>(Faults.Kind.class);
  private final Map<Long, List<String>> violations = new TreeMap<>();
  private long seeds;
  private long operations;
  private long views;
  private long nanos;

  /** @param rules those in force */
  public Campaign(int size, ReplicationStrategy strategy, Set<Rule> rules) {
    this.size = size;
    this.strategy = strategy;
    this.rules = rules;
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
    Simulation simulation = new Simulation(seed, size, strategy, rules);
    List<String> found;
    try {
      found = simulation.run();
    } catch (RuntimeException | Error e) {
      found = List.of("broken invariant: " + e + " at " + e.getStackTrace()[0]);
    }
    add(seed, simulation, found);
  }

  private synchronized void add(long seed, Simulation simulation, List<String> found) {
    seeds++;
    operations += simulation.history().operations().size();
    views += simulation.history().epochs();
    simulation.faultCounts().forEach((kind, count) -> faults.merge(kind, (long) count, Long::sum));
    if (!found.isEmpty()) {
      violations.put(seed, List.copyOf(found));
    }
  }

  /** What was violated, by seed. */
  public synchronized Map<Long, List<String>> violations() {
    return new TreeMap<>(violations);
  }

  /** The command that replays a seed and prints all that happens in it. */
  public String replay(long seed) {
    StringBuilder dropped = new StringBuilder();
    for (Rule rule : Rule.values()) {
      dropped.append(rules.contains(rule) ? "" : " " + rule);
    }
    return "scripts/simulate " + seed + " " + seed + " " + size + dropped;
  }

  /** One line: how much was run, how fast, and what was violated. */
  public synchronized String progress() {
    return String.format(Locale.ROOT,
        "%d replicas: %,d seeds (%.0f/s on %d threads), %,d operations, %,d views with a primary, %,d seeds with violations",
        size, seeds, seeds * 1e9 / Math.max(1, nanos), threads, operations, views, violations.size());
  }

  /** One line: the faults, by kind. */
  public synchronized String faults() {
    StringBuilder text = new StringBuilder("faults:");
    faults.forEach((kind, count) -> text.append(String.format(Locale.ROOT, " %s %,d,", kind, count)));
    return text.substring(0, text.length() - 1);
  }
}
