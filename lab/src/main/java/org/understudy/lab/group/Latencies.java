package org.understudy.lab.group;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.DoubleConsumer;
import org.understudy.counter.UnknownCounter;
import org.understudy.lab.cluster.Cluster;
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

  /** @param replica 0 for the one without replication */
  private record Cell(int replica, Kind kind) {}

  private final int replicas;
  private final Map<Cell, StubCaller> callers = new LinkedHashMap<>();
  private Map<Cell, Breakdown> breakdowns = new LinkedHashMap<>();

  Latencies(Cluster none, Cluster group, int replicas) {
    this.replicas = replicas;
    for (Kind kind : Kind.values()) {
      callers.put(new Cell(0, kind), new StubCaller(none.services(), kind.level));
      for (int replica = 1; replica <= replicas; replica++) {
        callers.put(new Cell(replica, kind), new StubCaller(group.services(replica), kind.level));
      }
    }
  }

  void warmUp(int calls, DoubleConsumer progress) throws UnknownCounter {
    measure(calls, progress);
    breakdowns = new LinkedHashMap<>();
  }

  void measure(int calls, DoubleConsumer progress) throws UnknownCounter {
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
    }
    progress.accept(1);
  }

  int replicas() {
    return replicas;
  }

  /** @param replica 0 for the one without replication */
  Breakdown at(int replica, Kind kind) {
    return breakdowns.get(new Cell(replica, kind));
  }

  /** The ratio of medians to the one without replication. */
  double ratio(int replica, Kind kind) {
    return at(replica, kind).client().medianMicros() / at(0, kind).client().medianMicros();
  }

  /** The mean of the ratios of all replicas that can be called. */
  double meanRatio(Kind kind) {
    double sum = 0;
    for (int replica = 1; replica <= replicas; replica++) {
      sum += ratio(replica, kind);
    }
    return sum / replicas;
  }

  @Override
  public void close() {
    callers.values().forEach(StubCaller::close);
  }
}
