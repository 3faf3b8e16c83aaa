package org.understudy.lab.compare;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.DoubleConsumer;
import org.understudy.counter.UnknownCounter;
import org.understudy.lab.report.Samples;

/** Tables III.1 and III.2: every mode and size in small batches, in an order shuffled anew each round. */
final class RoundTrips {
  static final List<Integer> BYTES = List.of(10, 100, 1_000, 10_000, 100_000);

  private record Cell(Mode mode, int bytes) {}

  private final Map<Mode, Caller> callers;
  private final List<Cell> cells = new ArrayList<>();
  private Map<Cell, Samples> client = new HashMap<>();
  private Map<Cell, Samples> stable = new HashMap<>();

  RoundTrips(Map<Mode, Caller> callers) {
    this.callers = callers;
    for (Mode mode : Mode.values()) {
      for (int bytes : BYTES) {
        cells.add(new Cell(mode, bytes));
      }
    }
  }

  /** Runs without recording. */
  void warmUp(int callsPerCell, int batch, DoubleConsumer progress) throws UnknownCounter {
    measure(callsPerCell, batch, progress);
    client = new HashMap<>();
    stable = new HashMap<>();
  }

  void measure(int callsPerCell, int batch, DoubleConsumer progress) throws UnknownCounter {
    Random order = new Random(callsPerCell);
    List<Cell> round = new ArrayList<>(cells);
    for (int done = 0; done < callsPerCell; done += batch) {
      progress.accept((double) done / callsPerCell);
      Collections.shuffle(round, order);
      for (Cell cell : round) {
        Samples clients = client.computeIfAbsent(cell, none -> new Samples());
        Samples updates = stable.computeIfAbsent(cell, none -> new Samples());
        Caller caller = callers.get(cell.mode);
        for (int i = 0; i < batch; i++) {
          caller.call(cell.bytes, clients, updates);
        }
      }
    }
    progress.accept(1);
  }

  /** Table III.2. */
  Samples client(Mode mode, int bytes) {
    return client.get(new Cell(mode, bytes));
  }

  /** Table III.1. */
  Samples stable(Mode mode, int bytes) {
    return stable.get(new Cell(mode, bytes));
  }

  /** Table III.3, of medians. */
  double ratio(Mode mode, int bytes) {
    return client(mode, bytes).medianMicros() / client(Mode.NONE, bytes).medianMicros();
  }
}
