package org.understudy.lab.session;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.DoubleConsumer;
import java.util.stream.Collectors;
import org.understudy.lab.report.Samples;

/**
 * The round trips of one client, each content at each server in small batches, in an order shuffled anew each round. So all set-ups
 * share what the machine does meanwhile. Not thread-safe; blocks.
 */
final class RoundTrips {
  /** One session. */
  record Cell(Setup setup, int server, Content content) {}

  private final Map<Cell, SessionClient> clients;
  private final Map<Cell, Samples> samples = new LinkedHashMap<>();

  RoundTrips(Map<Cell, SessionClient> clients) {
    this.clients = clients;
  }

  /** Runs without recording. */
  void warmUp(int calls, int batch, DoubleConsumer progress) throws IOException {
    measure(calls, batch, progress);
    samples.clear();
  }

  void measure(int calls, int batch, DoubleConsumer progress) throws IOException {
    Random order = new Random(calls);
    List<Cell> cells = new ArrayList<>(clients.keySet());
    for (int done = 0; done < calls; done += batch) {
      progress.accept((double) done / calls);
      Collections.shuffle(cells, order);
      for (Cell cell : cells) {
        SessionClient client = clients.get(cell);
        for (int i = 0; i < Math.min(batch, calls - done); i++) {
          long begin = System.nanoTime();
          client.update();
          add(cell, System.nanoTime() - begin);
        }
      }
    }
    progress.accept(1);
  }

  /** Adds one round trip. */
  void add(Cell cell, long nanos) {
    samples.computeIfAbsent(cell, none -> new Samples()).add(nanos);
  }

  Set<Cell> cells() {
    return samples.keySet();
  }

  /** The set-ups that are compared, in their order. */
  Set<Setup> setups() {
    return samples.keySet().stream().map(Cell::setup).collect(Collectors.toCollection(TreeSet::new));
  }

  Samples at(Cell cell) {
    return samples.get(cell);
  }

  /** The mean of the medians of all servers of a set-up, in microseconds: a client may be at any server. */
  double micros(Setup setup, Content content) {
    return samples.entrySet().stream()
        .filter(one -> one.getKey().setup() == setup && one.getKey().content().equals(content))
        .mapToDouble(one -> one.getValue().medianMicros()).average().orElse(Double.NaN);
  }

  /** How many times as long as a request to one Tomcat that does not replicate. */
  double ratio(Setup setup, Content content) {
    return micros(setup, content) / micros(Setup.NONE, content);
  }
}
