package org.understudy.lab.durability;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.DoubleConsumer;
import org.understudy.lab.report.Samples;

/** Figure IV.6: clients that submit some jobs and pause, for several lengths of pauses. */
final class Rounds {
  private static final int ROUND_TRIPS = 100;

  /** A point of the figure. */
  record Cell(Setup setup, int seconds) {}

  private final Map<Setup, Clients<MatchmakerClient>> clients;
  private final Scale scale;
  private final Map<Cell, Samples> cells = new LinkedHashMap<>();
  private double roundTripMicros;

  Rounds(Map<Setup, Clients<MatchmakerClient>> clients, Scale scale) {
    this.clients = clients;
    this.scale = scale;
  }

  /** Jobs that are not counted, submitted and released. */
  void warmUp(DoubleConsumer progress) throws IOException, InterruptedException {
    int done = 0;
    for (Clients<MatchmakerClient> some : clients.values()) {
      progress.accept((double) done++ / clients.size());
      some.together(Thesis.CLIENTS, (client, number) -> {
        client.advertise(number * Thesis.REQUESTS, (number + 1) * Thesis.REQUESTS);
        for (int i = 0; i < scale.warmUp(); i++) {
          client.submit(ConcurrentHashMap.newKeySet());
          client.release();
        }
        return number;
      });
    }
    progress.accept(1);
  }

  /**
   * Measures each set-up with each interval, in turns.
   *
   * @throws IOException when a request fails, a machine had two jobs, or a client was not charged once for each allocation
   */
  void measure(DoubleConsumer progress) throws IOException, InterruptedException {
    roundTripMicros = measureRoundTrip();
    int total = scale.repetitions() * scale.intervals().size() * clients.size();
    int done = 0;
    for (int repetition = 0; repetition < scale.repetitions(); repetition++) {
      for (int seconds : scale.intervals()) {
        for (Setup setup : clients.keySet()) {
          progress.accept((double) done++ / total);
          cells.computeIfAbsent(new Cell(setup, seconds), none -> new Samples())
              .addAll(rounds(clients.get(setup), seconds, repetition));
        }
      }
    }
    for (Clients<MatchmakerClient> some : clients.values()) {
      some.together(Thesis.CLIENTS, (client, number) -> {
        client.checkBalance();
        return number;
      });
    }
    progress.accept(1);
  }

  /** Of a job at the original Matchmaker, one client, the median. */
  private double measureRoundTrip() throws IOException, InterruptedException {
    Samples samples = clients.get(Setup.ORIGINAL).together(1, (client, number) -> {
      client.advertise(0, ROUND_TRIPS);
      Samples some = client.rounds(ROUND_TRIPS / Thesis.REQUESTS, 0, new Random(1), ConcurrentHashMap.newKeySet());
      client.release();
      client.clearBreakdown();
      return some;
    }).get(0);
    return samples.medianMicros();
  }

  private Samples rounds(Clients<MatchmakerClient> some, int seconds, int repetition) throws IOException, InterruptedException {
    Set<String> allocated = ConcurrentHashMap.newKeySet();
    // Enough for all jobs of the cell, as in the thesis.
    int share = scale.rounds() * Thesis.REQUESTS;
    some.together(Thesis.CLIENTS, (client, number) -> {
      client.advertise(number * share, (number + 1) * share);
      return number;
    });
    // The same numbers of requests and the same pauses for all set-ups.
    List<Samples> samples = some.together(Thesis.CLIENTS, (client, number) -> client.rounds(
        scale.rounds(), pauseNanos(seconds), new Random(1_000L * seconds + 10L * repetition + number), allocated));
    some.together(Thesis.CLIENTS, (client, number) -> {
      client.release();
      return number;
    });
    Samples all = new Samples();
    samples.forEach(all::addAll);
    return all;
  }

  /** The longest pause here that stands for so many seconds of the thesis. */
  long pauseNanos(int seconds) {
    return Math.round(seconds * 1e9 * (roundTripMicros / 1e3) / Thesis.ROUND_TRIP_MILLIS);
  }

  /** Of one client at the original Matchmaker, to which the pauses are scaled. */
  double roundTripMicros() {
    return roundTripMicros;
  }

  List<Integer> intervals() {
    return scale.intervals();
  }

  Samples of(Setup setup, int seconds) {
    return cells.get(new Cell(setup, seconds));
  }

  /** The parts of the round trips of a set-up, over all intervals. */
  Breakdown breakdown(Setup setup) {
    Breakdown all = new Breakdown();
    clients.get(setup).all().forEach(client -> all.addAll(client.breakdown()));
    return all;
  }

  /** Whether the mean latency of PB+DB is between those of PB and DB, as in the thesis. */
  boolean isBetween() {
    double both = meanMicros(Setup.PB_DB);
    return both >= meanMicros(Setup.PB) && both <= meanMicros(Setup.DB);
  }

  double ratio(Setup setup, int seconds) {
    return of(setup, seconds).meanMicros() / of(Setup.ORIGINAL, seconds).meanMicros();
  }

  /** The mean over all intervals. */
  double meanMicros(Setup setup) {
    return scale.intervals().stream().mapToDouble(seconds -> of(setup, seconds).meanMicros()).average().orElseThrow();
  }
}
