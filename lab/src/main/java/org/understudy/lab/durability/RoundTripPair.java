package org.understudy.lab.durability;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.DoubleConsumer;
import org.understudy.lab.report.Samples;

/** Round trips of one client to the counter of one set-up and to the original, which run alone, in turns. Not thread-safe. */
final class RoundTripPair {
  /** Requests of one of the two before it is the other's turn. */
  private static final int BATCH = 25;

  private final CounterSetup compared;
  private final Map<CounterSetup, CounterClient> clients;
  private Map<CounterSetup, Samples> roundTrips = new EnumMap<>(CounterSetup.class);
  private Map<CounterSetup, Breakdown> breakdowns = new EnumMap<>(CounterSetup.class);

  /** @param clients of the original and of what is compared with it */
  RoundTripPair(CounterSetup compared, Map<CounterSetup, CounterClient> clients) {
    this.compared = compared;
    this.clients = new EnumMap<>(clients);
  }

  /** As many requests to both that are not counted. */
  void warmUp(int requests, DoubleConsumer progress) throws IOException {
    measure(requests, progress);
    roundTrips = new EnumMap<>(CounterSetup.class);
    breakdowns = new EnumMap<>(CounterSetup.class);
  }

  /**
   * As many requests to both, in turns whose order is shuffled anew each time.
   *
   * @throws IOException when a request fails, or a request was executed twice or not at all
   */
  void measure(int requests, DoubleConsumer progress) throws IOException {
    List<CounterSetup> round = new ArrayList<>(clients.keySet());
    Random order = new Random(requests);
    for (int done = 0; done < requests; done += BATCH) {
      progress.accept((double) done / requests);
      int count = Math.min(BATCH, requests - done);
      Collections.shuffle(round, order);
      for (CounterSetup setup : round) {
        CounterClient client = clients.get(setup);
        Samples samples = roundTrips.computeIfAbsent(setup, none -> new Samples());
        Breakdown breakdown = breakdowns.computeIfAbsent(setup, none -> new Breakdown());
        // The first one wakes threads.
        client.add();
        for (int i = 0; i < count; i++) {
          client.add(samples, breakdown);
        }
      }
    }
    for (Map.Entry<CounterSetup, CounterClient> one : clients.entrySet()) {
      one.getValue().checkTotal(one.getKey().label(), one.getValue().added());
    }
    progress.accept(1);
  }

  /** What is compared with the original. */
  CounterSetup compared() {
    return compared;
  }

  Samples roundTrips(CounterSetup setup) {
    return roundTrips.get(setup);
  }

  /** The parts of these round trips. */
  Breakdown breakdown(CounterSetup setup) {
    return breakdowns.get(setup);
  }

  /** Of the mean round trips, to the original's. */
  double meanRatio() {
    return roundTrips(compared).meanMicros() / roundTrips(CounterSetup.ORIGINAL).meanMicros();
  }

  /** Of the median round trips, to the original's. */
  double medianRatio() {
    return roundTrips(compared).medianMicros() / roundTrips(CounterSetup.ORIGINAL).medianMicros();
  }
}
