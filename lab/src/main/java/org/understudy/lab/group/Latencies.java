package org.understudy.lab.group;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.DoubleConsumer;
import org.understudy.counter.UnknownCounter;
import org.understudy.lab.cluster.Cluster;
import org.understudy.lab.report.Samples;
import org.understudy.replication.api.ReadLevel;

/**
 * Round trips with the stub: updates and reads at each replica of a group beside those of one without replication, in small
 * batches in an order shuffled anew each round.
 */
final class Latencies implements AutoCloseable {
  /** What is called. */
  enum Kind {
    UPDATE("update", ReadLevel.SESSION),
    SESSION_READ("session read", ReadLevel.SESSION),
    LINEARIZABLE_READ("linearizable read", ReadLevel.LINEARIZABLE);

    private final String label;
    private final ReadLevel level;

    Kind(String label, ReadLevel level) {
      this.label = label;
      this.level = level;
    }

    String label() {
      return label;
    }
  }

  private static final int BATCH = 25;

  private record Cell(Setup setup, int replica, Kind kind) {}

  private final List<Setup> groups = new ArrayList<>();
  private final Map<Cell, StubCaller> callers = new LinkedHashMap<>();
  private Map<Cell, Breakdown> breakdowns = new LinkedHashMap<>();
  private final SpreadAlone spread;

  /**
   * @param clusters one without replication, and groups that are compared with it
   * @param spread measured in the same rounds; null for none
   */
  Latencies(Map<Setup, Cluster> clusters, SpreadAlone spread) {
    this.spread = spread;
    clusters.forEach((setup, cluster) -> {
      if (setup.isReplicated()) {
        groups.add(setup);
      }
      for (Kind kind : Kind.values()) {
        for (int replica = 1; replica <= setup.replicas(); replica++) {
          callers.put(new Cell(setup, replica, kind), new StubCaller(cluster.services(replica), kind.level));
        }
      }
    });
  }

  void warmUp(int calls, DoubleConsumer progress) throws UnknownCounter, IOException {
    measure(calls, progress);
    breakdowns = new LinkedHashMap<>();
    if (spread != null) {
      spread.warmedUp();
    }
  }

  void measure(int calls, DoubleConsumer progress) throws UnknownCounter, IOException {
    Random order = new Random(calls);
    List<Cell> round = new ArrayList<>(callers.keySet());
    for (int done = 0; done < calls; done += BATCH) {
      progress.accept((double) done / calls);
      Collections.shuffle(round, order);
      for (Cell cell : round) {
        Breakdown breakdown = breakdowns.computeIfAbsent(cell, none -> new Breakdown());
        for (int i = 0; i < BATCH; i++) {
          callers.get(cell).call(cell.kind == Kind.UPDATE, breakdown);
        }
      }
      if (spread != null) {
        spread.measure(BATCH);
      }
    }
    progress.accept(1);
  }

  /** Round trips of the Spread daemon without a replica; null for none. */
  Samples spreadAlone() {
    return spread == null ? null : spread.samples();
  }

  /** Those with replication. */
  List<Setup> groups() {
    return groups;
  }

  /** @param replica the one that was called */
  Breakdown at(Setup setup, int replica, Kind kind) {
    return breakdowns.get(new Cell(setup, replica, kind));
  }

  /** The ratio of medians to the one without replication. */
  double ratio(Setup setup, int replica, Kind kind) {
    return at(setup, replica, kind).client().medianMicros() / at(Setup.NONE, 1, kind).client().medianMicros();
  }

  /** The mean of the ratios of all replicas that can be called. */
  double meanRatio(Setup setup, Kind kind) {
    double sum = 0;
    for (int replica = 1; replica <= setup.replicas(); replica++) {
      sum += ratio(setup, replica, kind);
    }
    return sum / setup.replicas();
  }

  /** One line for each set-up and replica that was called, in order. */
  interface Row<T> {
    T of(Setup setup, int replica, Breakdown at);
  }

  <T> List<T> rows(Kind kind, Row<T> row) {
    List<T> rows = new ArrayList<>();
    rows.add(row.of(Setup.NONE, 1, at(Setup.NONE, 1, kind)));
    for (Setup group : groups) {
      for (int replica = 1; replica <= group.replicas(); replica++) {
        rows.add(row.of(group, replica, at(group, replica, kind)));
      }
    }
    return rows;
  }

  @Override
  public void close() {
    callers.values().forEach(StubCaller::close);
  }
}
