package org.understudy.lab.durability;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.understudy.lab.report.PairRatios;
import org.understudy.lab.report.Samples;

/** Round trips of several pairs of each set-up of the counter and the original. Not thread-safe. */
final class RoundTrips {
  /** What is compared with the original. */
  static final List<CounterSetup> COMPARED = List.of(CounterSetup.PB, CounterSetup.PB_TWO_BACKUPS, CounterSetup.DB);

  private final Map<CounterSetup, List<RoundTripPair>> pairs = new EnumMap<>(CounterSetup.class);
  private final boolean warm;

  /** @param warm whether clients and replicas are compiled before anything is counted */
  RoundTrips(boolean warm) {
    this.warm = warm;
  }

  void add(RoundTripPair pair) {
    pairs.computeIfAbsent(pair.compared(), none -> new ArrayList<>()).add(pair);
  }

  boolean isWarm() {
    return warm;
  }

  /** In the order in which they were measured. */
  List<RoundTripPair> pairs(CounterSetup compared) {
    return pairs.get(compared);
  }

  PairRatios medianRatios(CounterSetup compared) {
    return new PairRatios(pairs(compared).stream().map(RoundTripPair::medianRatio).toList());
  }

  PairRatios meanRatios(CounterSetup compared) {
    return new PairRatios(pairs(compared).stream().map(RoundTripPair::meanRatio).toList());
  }

  /**
   * Of all pairs of what is compared.
   *
   * @param setup the same, or the original beside it
   */
  Samples roundTrips(CounterSetup compared, CounterSetup setup) {
    Samples all = new Samples();
    pairs(compared).forEach(pair -> all.addAll(pair.roundTrips(setup)));
    return all;
  }

  /** The parts of these round trips. */
  Breakdown breakdown(CounterSetup compared, CounterSetup setup) {
    Breakdown all = new Breakdown();
    pairs(compared).forEach(pair -> all.addAll(pair.breakdown(setup)));
    return all;
  }
}
