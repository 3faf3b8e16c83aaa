package org.understudy.lab.group;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.understudy.lab.group.Pair.Kind;
import org.understudy.lab.report.PairRatios;

/** Round trips of pairs without a network, whose calls take known times. */
class LatenciesTest {
  private static final String TIMING = "stable;dur=0.05, consistency;dur=0.01, service;dur=0.1, balancing;dur=0.002";

  /** Updates take 100 µs without replication, and this at the replicas of the group; reads take 100 µs. */
  private static Pair pair(Setup group, long... micros) throws Exception {
    Pair pair = new Pair(group, (setup, replica, level) -> new Pair.Caller() {
      @Override
      public void call(boolean update, Breakdown breakdown) {
        breakdown.add(1_000 * (update && setup == group ? micros[replica - 1] : 100), TIMING);
      }

      @Override
      public void close() {}
    }, null);
    pair.warmUp(50, share -> {});
    pair.measure(75, share -> {});
    pair.close();
    return pair;
  }

  private static Latencies latencies() throws Exception {
    Latencies latencies = new Latencies();
    latencies.add(pair(Setup.ONE_ENTRY, 150, 160, 170));
    latencies.add(pair(Setup.JGROUPS, 200, 200, 200));
    latencies.add(pair(Setup.ONE_ENTRY, 190, 200, 210));
    latencies.add(pair(Setup.ONE_ENTRY, 140, 150, 160));
    return latencies;
  }

  @Test
  void theRatioOfAGroupIsTheMedianOfItsPairs() throws Exception {
    Latencies latencies = latencies();
    PairRatios updates = latencies.meanRatios(Setup.ONE_ENTRY, Kind.UPDATE);
    assertEquals("1.60 2.00 1.50", updates.toString());
    assertEquals(1.6, updates.median(), 0.01);
    assertEquals("2.00", latencies.meanRatios(Setup.JGROUPS, Kind.UPDATE).toString());
    assertEquals("1.00 1.00 1.00", latencies.meanRatios(Setup.ONE_ENTRY, Kind.SESSION_READ).toString());
  }

  @Test
  void aRowHasTheCallsOfAllPairsAndEachGroupItsServerWithoutReplication() throws Exception {
    List<Latencies.Row> rows = latencies().rows(Kind.UPDATE);
    assertEquals(
        List.of("none 1", "group, one entry 1", "group, one entry 2", "group, one entry 3", "none 1", "group over JGroups 1",
            "group over JGroups 2", "group over JGroups 3"),
        rows.stream().map(row -> row.setup().label() + " " + row.replica()).toList());
    assertEquals(3 * 3 * 75, rows.get(0).all().client().count(), "warm-up does not count, and the group has three replicas");
    assertEquals(3 * 75, rows.get(1).all().client().count());
    assertEquals(3 * 75, rows.get(4).all().client().count());
    assertEquals(1, rows.get(0).ratio());
    assertEquals(1.5, rows.get(1).ratio(), 0.01);
  }

  @Test
  void everyPairIsWritten() throws Exception {
    List<String> lines = Tables.latency(latencies());
    assertEquals(3 * 4 * 4, lines.size() - 1);
    for (String line : lines) {
      assertEquals(12, line.split(",(?=(?:[^\"]*\"[^\"]*\")*[^\"]*$)", -1).length, line);
    }
    String last = "update,\"group, one entry\",2,\"group, one entry\",3,210.0,210.0,2.100,2.0,10.0,100.0,50.0";
    assertTrue(lines.contains(last), lines.toString());
    assertTrue(Tables.latencyRatios(latencies()).get(1).startsWith("update,\"group, one entry\",3,1.600,1.500,2.000,1.60 "),
        Tables.latencyRatios(latencies()).toString());
  }
}
