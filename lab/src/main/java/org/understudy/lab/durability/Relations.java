package org.understudy.lab.durability;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What the thesis states, beside the same of this run. */
final class Relations {
  /**
   * One relation.
   *
   * @param figure or section of the thesis
   * @param name of what is compared, without commas
   */
  record Relation(String figure, String name, String thesis, String here) {}

  private Relations() {}

  /** All relations. */
  static List<Relation> of(Results results) {
    List<Relation> relations = new ArrayList<>();
    if (results.counting() != null) {
      addAll(relations, results.counting());
    }
    if (results.roundTrips() != null) {
      addAll(relations, results.roundTrips());
    }
    if (results.rounds() != null) {
      addAll(relations, results.rounds());
    }
    if (results.recovery() != null) {
      relations.addAll(RecoveryTables.relations(results.recovery()));
    }
    return relations;
  }

  private static void addAll(List<Relation> relations, Counting counting) {
    int many = counting.counts().get(counting.counts().size() - 1);
    relations.add(new Relation("IV.3", "throughput with " + many + " clients: PB / original", "close to 1",
        number(counting.ratio(CounterSetup.PB, many))));
    relations.add(new Relation("IV.3", "throughput with " + many + " clients: DB / original", "lower than PB",
        number(counting.ratio(CounterSetup.DB, many))));
  }

  private static void addAll(List<Relation> relations, RoundTrips roundTrips) {
    relations.add(new Relation("IV.3", "mean round trip of one client: PB / original", "about 1",
        number(roundTrips.meanRatios(CounterSetup.PB).median())));
    relations.add(new Relation("IV.3", "mean round trip of one client: DB / original",
        number(Thesis.DATABASE_MILLIS / Thesis.ROUND_TRIP_MILLIS), number(roundTrips.meanRatios(CounterSetup.DB).median())));
  }

  private static void addAll(List<Relation> relations, Rounds rounds) {
    double original = rounds.meanMicros(Setup.ORIGINAL);
    double pb = rounds.meanMicros(Setup.PB);
    double both = rounds.meanMicros(Setup.PB_DB);
    double db = rounds.meanMicros(Setup.DB);
    relations.add(new Relation("IV.6", "latency: PB / original", "the lowest of the three", number(pb / original)));
    relations.add(new Relation("IV.6", "latency: PB+DB / original", "between PB and DB", number(both / original)));
    relations.add(new Relation("IV.6", "latency: DB / original", "the highest", number(db / original)));
    relations.add(new Relation("IV.6", "PB+DB is between PB and DB", "yes", rounds.isBetween() ? "yes" : "no"));
    relations.add(new Relation("IV.6", "(DB - PB) in round trips of one client of an original service",
        "about " + number(Thesis.DATABASE_OVER_REPLICATION_MILLIS / Thesis.ROUND_TRIP_MILLIS),
        number((db - pb) / rounds.roundTripMicros())));
    int shortest = rounds.intervals().get(0);
    int longest = rounds.intervals().get(rounds.intervals().size() - 1);
    for (Setup setup : Setup.values()) {
      relations.add(new Relation("IV.6", "latency of " + setup.label() + ": longest / shortest interval", "below 1",
          number(rounds.of(setup, longest).meanMicros() / rounds.of(setup, shortest).meanMicros())));
    }
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }
}
