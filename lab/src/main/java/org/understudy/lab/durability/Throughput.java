package org.understudy.lab.durability;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleConsumer;
import org.understudy.lab.report.Samples;

/** Figure IV.3: clients that update one state object without pauses. Its counter is here the lease of a machine of the client. */
final class Throughput {
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

  private final Map<Setup, Clients> clients;
  private final Scale scale;
  private final Map<Setup, Map<Integer, Point>> points = new LinkedHashMap<>();

  Throughput(Map<Setup, Clients> clients, Scale scale) {
    this.clients = clients;
    this.scale = scale;
  }

  /** Measures each set-up with each number of clients, in turns. */
  void measure(DoubleConsumer progress) throws IOException, InterruptedException {
    int total = scale.repetitions() * scale.clients().size() * Setup.OF_ONE_OBJECT.size();
    int done = 0;
    for (int repetition = 0; repetition < scale.repetitions(); repetition++) {
      for (int count : scale.clients()) {
        for (Setup setup : Setup.OF_ONE_OBJECT) {
          progress.accept((double) done++ / total);
          Point point = points.computeIfAbsent(setup, none -> new LinkedHashMap<>()).computeIfAbsent(count, none -> new Point());
          measure(clients.get(setup), count, point);
        }
      }
    }
    progress.accept(1);
  }

  private void measure(Clients some, int count, Point point) throws IOException, InterruptedException {
    some.together(count, (client, number) -> {
      client.advertiseOwn();
      return number;
    });
    long begin = System.nanoTime();
    List<Samples> samples = some.together(count, (client, number) -> updates(client));
    point.nanos += System.nanoTime() - begin;
    samples.forEach(point.samples::addAll);
  }

  private Samples updates(MatchmakerClient client) throws IOException {
    Samples samples = new Samples();
    long begin = System.nanoTime();
    long end = begin + TimeUnit.MILLISECONDS.toNanos(scale.millis());
    while (begin < end) {
      client.advertiseOwn();
      long now = System.nanoTime();
      samples.add(now - begin);
      begin = now;
    }
    return samples;
  }

  List<Integer> counts() {
    return scale.clients();
  }

  Point of(Setup setup, int count) {
    return points.get(setup).get(count);
  }

  /** Of requests in the same time. */
  double ratio(Setup setup, int count) {
    return of(setup, count).perSecond() / of(Setup.ORIGINAL, count).perSecond();
  }
}
