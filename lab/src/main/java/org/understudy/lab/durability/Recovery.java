package org.understudy.lab.durability;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.DoubleConsumer;
import org.understudy.lab.durability.counter.CounterPortType;
import org.understudy.thread.DaemonThreads;

/**
 * How long a group does not serve after a failure, against the number of counters that it keeps (Zhang 2006, IV.A: the recovery time of
 * a mechanism). A client calls from the failure on; its stub finds the new primary.
 */
final class Recovery {
  /** Counters that one request opens. */
  private static final int BATCH = 1_000;
  /** The counter that is added to. The others are from 1 on. */
  private static final int PROBE = 0;

  /** A mechanism with a number of counters. */
  record Cell(Mechanism mechanism, int size) {}

  /**
   * One recovery, in nanoseconds. Of a total restart, detection is until a replica answers health checks, since the start of all.
   *
   * @param detected from the failure until there is a view without the dead replica
   * @param served from the failure until a client has an answer
   * @param complete from the failure until the group has all counters
   */
  record Times(long detected, long served, long complete) {
    /** Without detection. */
    long recovery() {
      return Math.max(0, complete - detected);
    }
  }

  /** What a background task does until it is done. */
  private interface Task {
    void run() throws IOException, InterruptedException;
  }

  private final Scale scale;
  private final Map<Cell, List<Times>> cells = new LinkedHashMap<>();

  Recovery(Scale scale) {
    this.scale = scale;
  }

  /**
   * Measures one mechanism with each size.
   *
   * @param clients those that send lost counters again; the first one also does everything else
   * @throws IOException when a request fails, or the group does not have what it must have afterwards
   */
  void measure(Mechanism mechanism, RecoveredGroup group, List<CounterPortType> clients, DoubleConsumer progress)
      throws IOException, InterruptedException {
    CounterPortType client = clients.get(0);
    long probes = client.add(PROBE, 1);
    int total = scale.sizes().size() * scale.failures();
    int done = 0;
    for (int size : scale.sizes()) {
      for (int from = 1; from <= size; from += BATCH) {
        client.open(from, Math.min(BATCH, size - from + 1));
      }
      for (int failure = 0; failure < scale.failures(); failure++) {
        progress.accept((double) done++ / total);
        requireCounters(mechanism, client, size, probes);
        Times times = mechanism == Mechanism.journal ? restartAll(group, client) : failover(mechanism, group, clients, size);
        probes = mechanism == Mechanism.reconstruction ? 1 : probes + 1;
        requireCounters(mechanism, client, size, probes);
        cells.computeIfAbsent(new Cell(mechanism, size), none -> new ArrayList<>()).add(times);
      }
    }
    progress.accept(1);
  }

  private static void requireCounters(Mechanism mechanism, CounterPortType client, int size, long probes) throws IOException {
    int count = client.count();
    long sum = client.total();
    if (count != size + 1 || sum != size + probes) {
      throw new IOException("With " + mechanism.label() + ", the group has " + count + " counters with the sum " + sum + " instead of "
          + (size + 1) + " with " + (size + probes) + ".");
    }
  }

  private static Times failover(Mechanism mechanism, RecoveredGroup group, List<CounterPortType> clients, int size)
      throws IOException, InterruptedException {
    int killed = group.killPrimary();
    long begin = System.nanoTime();
    CompletableFuture<Long> detected = finished(() -> group.awaitViewWithout(killed));
    long value = clients.get(0).add(PROBE, 1);
    long served = System.nanoTime() - begin;
    long complete = served;
    if (mechanism == Mechanism.reconstruction) {
      if (value != 1) {
        throw new IOException("The counters of the dead primary are there, which no mechanism keeps.");
      }
      reopen(clients, size);
      complete = System.nanoTime() - begin;
    }
    Times times = new Times(end(detected) - begin, served, complete);
    group.restart(killed);
    return times;
  }

  /** Each client opens one counter with each request, as machines advertise themselves to the Matchmaker. */
  private static void reopen(List<CounterPortType> clients, int size) throws IOException {
    AtomicInteger next = new AtomicInteger();
    List<CompletableFuture<Long>> all = new ArrayList<>();
    for (CounterPortType client : clients) {
      all.add(finished(() -> {
        for (int counter = next.incrementAndGet(); counter <= size; counter = next.incrementAndGet()) {
          client.open(counter, 1);
        }
      }));
    }
    for (CompletableFuture<Long> one : all) {
      end(one);
    }
  }

  private static Times restartAll(RecoveredGroup group, CounterPortType client) throws IOException, InterruptedException {
    group.killAll();
    long begin = System.nanoTime();
    CompletableFuture<Long> started = finished(group::awaitProcess);
    CompletableFuture<Long> restarted = finished(group::restartAll);
    try {
      client.add(PROBE, 1);
    } catch (RuntimeException e) {
      if (restarted.isCompletedExceptionally()) {
        end(restarted);
      }
      throw e;
    }
    long served = System.nanoTime() - begin;
    Times times = new Times(end(started) - begin, served, served);
    end(restarted);
    return times;
  }

  /** Runs a task on a thread of its own, and returns when it was done. */
  private static CompletableFuture<Long> finished(Task task) {
    CompletableFuture<Long> result = new CompletableFuture<>();
    DaemonThreads.daemon("recovery", () -> {
      try {
        task.run();
        result.complete(System.nanoTime());
      } catch (IOException | InterruptedException | RuntimeException e) {
        result.completeExceptionally(e);
      }
    }).start();
    return result;
  }

  private static long end(CompletableFuture<Long> task) throws IOException {
    try {
      return task.join();
    } catch (CompletionException e) {
      throw new IOException(e.getCause().getMessage(), e.getCause());
    }
  }

  /** Of each mechanism and size. */
  int failures() {
    return scale.failures();
  }

  List<Integer> sizes() {
    return scale.sizes();
  }

  /** Mechanisms that were measured. */
  List<Mechanism> mechanisms() {
    return cells.keySet().stream().map(Cell::mechanism).distinct().toList();
  }

  List<Times> of(Mechanism mechanism, int size) {
    return cells.get(new Cell(mechanism, size));
  }

  /** The median, by the time without detection; of an even number, the longer one. */
  Times median(Mechanism mechanism, int size) {
    List<Times> sorted = new ArrayList<>(of(mechanism, size));
    sorted.sort(Comparator.comparingLong(Times::recovery));
    return sorted.get(sorted.size() / 2);
  }
}
