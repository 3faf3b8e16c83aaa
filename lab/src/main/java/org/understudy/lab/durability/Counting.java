package org.understudy.lab.durability;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleConsumer;
import org.understudy.lab.report.Samples;

/** Figure IV.3: clients that add to one counter without pauses, and the round trips of one client. */
final class Counting {
  /** Requests of one set-up before it is the next one's turn. */
  private static final int BATCH = 25;

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
  private final Map<CounterSetup, Samples> roundTrips = new EnumMap<>(CounterSetup.class);
  private final Map<CounterSetup, Breakdown> breakdowns = new EnumMap<>(CounterSetup.class);

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
   * Measures each set-up with each number of clients, and then the round trips of one client, in turns whose order is shuffled anew each
   * time, after as many requests to each set-up.
   *
   * @throws IOException when a request fails, or a request was executed twice or not at all
   */
  void measure(DoubleConsumer progress) throws IOException, InterruptedException {
    int total = scale.repetitions() * (scale.clients().size() * clients.size() + 1);
    int done = 0;
    for (int repetition = 0; repetition < scale.repetitions(); repetition++) {
      for (int count : scale.clients()) {
        for (CounterSetup setup : clients.keySet()) {
          progress.accept((double) done++ / total);
          Point point = points.computeIfAbsent(setup, none -> new LinkedHashMap<>()).computeIfAbsent(count, none -> new Point());
          load(clients.get(setup), count, point);
        }
      }
      progress.accept((double) done++ / total);
      measureRoundTrips();
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

  /**
   * Lets each set-up have as many requests as the one that has had most: in the same time, a faster one has had more, and its JVMs are
   * compiled better.
   */
  private void warmEqually() throws IOException, InterruptedException {
    long most = clients.values().stream().mapToLong(Counting::requests).max().orElse(0);
    for (Clients<CounterClient> some : clients.values()) {
      int all = some.all().size();
      long missing = most - requests(some);
      some.together(all, (client, number) -> {
        for (long i = number; i < missing; i += all) {
          client.add();
        }
        return number;
      });
    }
  }

  private static long requests(Clients<CounterClient> some) {
    return some.all().stream().mapToLong(CounterClient::added).sum();
  }

  private void measureRoundTrips() throws IOException, InterruptedException {
    warmEqually();
    List<CounterSetup> round = new ArrayList<>(clients.keySet());
    Random order = new Random(scale.requests());
    for (int done = 0; done < scale.requests(); done += BATCH) {
      int count = Math.min(BATCH, scale.requests() - done);
      Collections.shuffle(round, order);
      for (CounterSetup setup : round) {
        Samples samples = roundTrips.computeIfAbsent(setup, none -> new Samples());
        Breakdown breakdown = breakdowns.computeIfAbsent(setup, none -> new Breakdown());
        clients.get(setup).together(1, (client, number) -> {
          // The first one wakes threads.
          client.add();
          for (int i = 0; i < count; i++) {
            client.add(samples, breakdown);
          }
          return number;
        });
      }
    }
  }

  private void checkTotals() throws IOException {
    for (Map.Entry<CounterSetup, Clients<CounterClient>> one : clients.entrySet()) {
      List<CounterClient> all = one.getValue().all();
      long added = requests(one.getValue());
      long total = all.get(0).port().total();
      if (total != added) {
        throw new IOException("The counter of " + one.getKey().label() + " is " + total + " after " + added + " additions of 1.");
      }
    }
  }

  boolean isWarm() {
    return scale.isWarm();
  }

  List<Integer> counts() {
    return scale.clients();
  }

  Point of(CounterSetup setup, int count) {
    return points.get(setup).get(count);
  }

  /** Of one client, with the set-ups in turns. */
  Samples roundTrips(CounterSetup setup) {
    return roundTrips.get(setup);
  }

  /** The parts of these round trips. */
  Breakdown breakdown(CounterSetup setup) {
    return breakdowns.get(setup);
  }

  /** Of requests in the same time. */
  double ratio(CounterSetup setup, int count) {
    return of(setup, count).perSecond() / of(CounterSetup.ORIGINAL, count).perSecond();
  }

  /** Of mean round trips of one client. */
  double meanRatio(CounterSetup setup) {
    return roundTrips(setup).meanMicros() / roundTrips(CounterSetup.ORIGINAL).meanMicros();
  }

  /** Of median round trips of one client. */
  double medianRatio(CounterSetup setup) {
    return roundTrips(setup).medianMicros() / roundTrips(CounterSetup.ORIGINAL).medianMicros();
  }
}
