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
import org.understudy.lab.report.Samples;
import org.understudy.replication.api.ReadLevel;

/**
 * Round trips with the stub at one group and at one server without replication, which run alone: updates and reads at each replica, in
 * small batches in an order shuffled anew each round. The server without replication has as many calls as all replicas together, so that
 * it is not idle for longer than the group. Not thread-safe.
 */
final class Pair implements AutoCloseable {
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

  /** One client of one replica. */
  interface Caller extends AutoCloseable {
    /** One call; adds what it took, as the client saw it and as the replica reported it. */
    void call(boolean update, Breakdown breakdown) throws UnknownCounter;

    @Override
    void close();
  }

  /** Makes a client of a replica. */
  interface Callers {
    Caller of(Setup setup, int replica, ReadLevel level);
  }

  private static final int BATCH = 25;

  private record Cell(Setup setup, int replica, Kind kind) {}

  private final Setup group;
  private final Map<Cell, Caller> callers = new LinkedHashMap<>();
  /** The batches of a round. */
  private final List<Cell> round = new ArrayList<>();
  private final SpreadAlone spread;
  private Map<Cell, Breakdown> breakdowns = new LinkedHashMap<>();

  /**
   * Makes the clients.
   *
   * @param group what is compared with {@link Setup#NONE}
   * @param spread measured in the same rounds; null for none
   */
  Pair(Setup group, Callers clients, SpreadAlone spread) {
    this.group = group;
    this.spread = spread;
    for (Setup setup : List.of(Setup.NONE, group)) {
      for (Kind kind : Kind.values()) {
        for (int replica = 1; replica <= setup.replicas(); replica++) {
          Cell cell = new Cell(setup, replica, kind);
          callers.put(cell, clients.of(setup, replica, kind.level));
          round.addAll(Collections.nCopies(group.replicas() / setup.replicas(), cell));
        }
      }
    }
  }

  /** Calls that are not counted. */
  void warmUp(int calls, DoubleConsumer progress) throws UnknownCounter, IOException {
    measure(calls, progress);
    breakdowns = new LinkedHashMap<>();
    if (spread != null) {
      spread.warmedUp();
    }
  }

  /** @param calls of each kind at each replica of the group */
  void measure(int calls, DoubleConsumer progress) throws UnknownCounter, IOException {
    Random order = new Random(calls);
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

  /** What is compared with the server without replication. */
  Setup group() {
    return group;
  }

  /** Round trips of the Spread daemon without a replica; null for none. */
  Samples spreadAlone() {
    return spread == null ? null : spread.samples();
  }

  /** @param replica the one that was called */
  Breakdown at(Setup setup, int replica, Kind kind) {
    return breakdowns.get(new Cell(setup, replica, kind));
  }

  /** The ratio of medians to the server without replication. */
  double ratio(Setup setup, int replica, Kind kind) {
    return at(setup, replica, kind).client().medianMicros() / at(Setup.NONE, 1, kind).client().medianMicros();
  }

  /** The mean of the ratios of all replicas that can be called. */
  double meanRatio(Kind kind) {
    double sum = 0;
    for (int replica = 1; replica <= group.replicas(); replica++) {
      sum += ratio(group, replica, kind);
    }
    return sum / group.replicas();
  }

  @Override
  public void close() {
    callers.values().forEach(Caller::close);
  }
}
