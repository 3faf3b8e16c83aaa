package org.understudy.lab.group;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.ToDoubleFunction;
import org.understudy.lab.group.Pair.Kind;
import org.understudy.lab.report.PairRatios;
import org.understudy.lab.report.Samples;

/** Round trips of several pairs of each group that is compared with a server without replication. Not thread-safe. */
final class Latencies {
  private final Map<Setup, List<Pair>> pairs = new EnumMap<>(Setup.class);

  void add(Pair pair) {
    pairs.computeIfAbsent(pair.group(), none -> new ArrayList<>()).add(pair);
  }

  /** The groups that were compared. */
  List<Setup> groups() {
    return List.copyOf(pairs.keySet());
  }

  /** In the order in which they were measured. */
  List<Pair> pairs(Setup group) {
    return pairs.get(group);
  }

  /** The mean over the replicas of a group, in each pair. */
  PairRatios meanRatios(Setup group, Kind kind) {
    return ratios(group, pair -> pair.meanRatio(kind));
  }

  private PairRatios ratios(Setup group, ToDoubleFunction<Pair> ratio) {
    return new PairRatios(pairs(group).stream().map(ratio::applyAsDouble).toList());
  }

  /**
   * One server of the pairs of a group.
   *
   * @param setup the group, or {@link Setup#NONE}
   * @param ratio the median of those in each pair
   * @param all round trips of all pairs
   */
  record Row(Kind kind, Setup group, Setup setup, int replica, double ratio, Breakdown all) {}

  /** The servers that were called, those of each group after the one without replication beside it. */
  List<Row> rows(Kind kind) {
    List<Row> rows = new ArrayList<>();
    for (Setup group : groups()) {
      servers(group, (setup, replica) -> {
        Breakdown all = new Breakdown();
        pairs(group).forEach(pair -> all.addAll(pair.at(setup, replica, kind)));
        rows.add(new Row(kind, group, setup, replica, ratios(group, pair -> pair.ratio(setup, replica, kind)).median(), all));
      });
    }
    return rows;
  }

  /** The server without replication, and the replicas of a group. */
  static void servers(Setup group, BiConsumer<Setup, Integer> each) {
    each.accept(Setup.NONE, 1);
    for (int replica = 1; replica <= group.replicas(); replica++) {
      each.accept(group, replica);
    }
  }

  /** Round trips of the Spread daemon without a replica; null when they were not measured. */
  Samples spreadAlone() {
    Samples all = null;
    for (List<Pair> some : pairs.values()) {
      for (Pair pair : some) {
        if (pair.spreadAlone() != null) {
          all = all == null ? new Samples() : all;
          all.addAll(pair.spreadAlone());
        }
      }
    }
    return all;
  }
}
