package org.understudy.lab.group;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.DoubleConsumer;
import org.understudy.lab.group.Load.Mix;
import org.understudy.replication.api.ReadLevel;

/** Figures 7 and 8: every set-up, number of clients and share of updates, in an order shuffled anew each round. */
final class Figures {
  static final List<Mix> MIXES =
      List.of(
          new Mix(100, ReadLevel.SESSION),
          new Mix(80, ReadLevel.SESSION),
          new Mix(40, ReadLevel.SESSION),
          new Mix(0, ReadLevel.SESSION),
          new Mix(0, ReadLevel.LINEARIZABLE));

  /** One point of a line. */
  record Cell(Setup setup, Mix mix, int clients) {}

  private final Map<Setup, Clients> clients;
  private final Map<Cell, Point> points = new LinkedHashMap<>();

  /** Every share of updates at the set-ups that come as they are; tuned ones with updates only (Fig. 7a). */
  Figures(Map<Setup, Clients> clients, List<Integer> counts) {
    this.clients = clients;
    for (Setup setup : clients.keySet()) {
      for (Mix mix : MIXES) {
        if (setup.isTuned() && mix.writes() < 100) {
          continue;
        }
        counts.forEach(count -> points.put(new Cell(setup, mix, count), new Point()));
      }
    }
  }

  /** Loads each set-up in turn, without counting, for this time for each of its replicas. */
  void warmUp(int count, long millis, DoubleConsumer progress) throws IOException, InterruptedException {
    List<Mix> mixes = List.of(MIXES.get(2), MIXES.get(4));
    int done = 0;
    for (Setup setup : clients.keySet()) {
      for (Mix mix : mixes) {
        progress.accept((double) done++ / (clients.size() * mixes.size()));
        Load.run(clients.get(setup).first(count), mix, millis * setup.replicas() / mixes.size(), new Point());
      }
    }
    progress.accept(1);
  }

  void measure(int rounds, long millis, DoubleConsumer progress) throws IOException, InterruptedException {
    Random order = new Random(rounds);
    List<Cell> cells = new ArrayList<>(points.keySet());
    int done = 0;
    for (int round = 0; round < rounds; round++) {
      Collections.shuffle(cells, order);
      for (Cell cell : cells) {
        progress.accept((double) done++ / (rounds * cells.size()));
        Load.run(clients.get(cell.setup).first(cell.clients), cell.mix, millis, points.get(cell));
      }
    }
    progress.accept(1);
  }

  /** Null where it was not measured. */
  Point point(Setup setup, Mix mix, int count) {
    Point point = points.get(new Cell(setup, mix, count));
    return point != null && point.isMeasured() ? point : null;
  }

  /** Those that were measured. */
  Map<Cell, Point> points() {
    Map<Cell, Point> measured = new LinkedHashMap<>(points);
    measured.values().removeIf(point -> !point.isMeasured());
    return measured;
  }
}
