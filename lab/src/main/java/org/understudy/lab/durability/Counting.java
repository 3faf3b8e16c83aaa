package org.understudy.lab.durability;

import java.io.IOException;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleConsumer;
import org.understudy.lab.report.Samples;

/** Figure IV.3: clients that add to one counter without pauses. */
final class Counting {
  /** A point of the figure. */
  static final class Point {
    private final Samples samples = new Samples();
    private long nanos;

    Samples samples() {
      return samples;
    }

    double perSecond() {
      return samples.count() * 1e9 / nanos;
    }
  }

  private final Map<CounterSetup, Clients<CounterClient>> clients;
  private final Scale scale;
  private final Map<CounterSetup, Map<Integer, Point>> points = new EnumMap<>(CounterSetup.class);

  Counting(Map<CounterSetup, Clients<CounterClient>> clients, Scale scale) {
    this.clients = clients;
    this.scale = scale;
  }

  /** Requests that are not counted, by all clients. */
  void warmUp(DoubleConsumer progress) throws IOException, InterruptedException {
    int done = 0;
    for (Clients<CounterClient> some : clients.values()) {
      progress.accept((double) done++ / clients.size());
      some.together(some.all().size(), (client, number) -> {
        for (int i = 0; i < scale.warmUp(); i++) {
          client.add();
        }
        return number;
      });
    }
    progress.accept(1);
  }

  /**
   * Measures each set-up with each number of clients, in turns.
   *
   * @throws IOException when a request fails, or a request was executed twice or not at all
   */
  void measure(DoubleConsumer progress) throws IOException, InterruptedException {
    int total = scale.repetitions() * scale.clients().size() * clients.size();
    int done = 0;
    for (int repetition = 0; repetition < scale.repetitions(); repetition++) {
      for (int count : scale.clients()) {
        for (CounterSetup setup : clients.keySet()) {
          progress.accept((double) done++ / total);
          Point point = points.computeIfAbsent(setup, none -> new LinkedHashMap<>()).computeIfAbsent(count, none -> new Point());
          load(clients.get(setup), count, point);
        }
      }
    }
    checkTotals();
    progress.accept(1);
  }

  private void load(Clients<CounterClient> some, int count, Point point) throws IOException, InterruptedException {
    long begin = System.nanoTime();
    List<Samples> samples = some.together(count, (client, number) -> additions(client));
    point.nanos += System.nanoTime() - begin;
    samples.forEach(point.samples::addAll);
  }

  private Samples additions(CounterClient client) throws IOException {
    Samples samples = new Samples();
    long begin = System.nanoTime();
    long end = begin + TimeUnit.MILLISECONDS.toNanos(scale.millis());
    while (begin < end) {
      client.add();
      long now = System.nanoTime();
      samples.add(now - begin);
      begin = now;
    }
    return samples;
  }

  private void checkTotals() throws IOException {
    for (Map.Entry<CounterSetup, Clients<CounterClient>> one : clients.entrySet()) {
      List<CounterClient> all = one.getValue().all();
      all.get(0).checkTotal(one.getKey().label(), all.stream().mapToLong(CounterClient::added).sum());
    }
  }

  List<Integer> counts() {
    return scale.clients();
  }

  Point of(CounterSetup setup, int count) {
    return points.get(setup).get(count);
  }

  /** Of requests in the same time. */
  double ratio(CounterSetup setup, int count) {
    return of(setup, count).perSecond() / of(CounterSetup.ORIGINAL, count).perSecond();
  }
}
