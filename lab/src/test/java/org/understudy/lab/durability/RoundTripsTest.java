package org.understudy.lab.durability;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The round trips of pairs, without a network: that both have as many requests, and that all is checked and written. */
class RoundTripsTest {
  private static final Scale SCALE = RoundsTest.SCALE;

  @TempDir Path out;

  private static CounterClient client(OneCounter counter, Supplier<String> timing) {
    return new CounterClient(counter, timing, () -> {});
  }

  private static RoundTripPair pair(CounterSetup compared, int failing, long error) {
    Map<CounterSetup, CounterClient> clients = new EnumMap<>(CounterSetup.class);
    clients.put(CounterSetup.ORIGINAL, client(new OneCounter(0, 0), () -> RoundsTest.TIMING));
    clients.put(compared, client(new OneCounter(failing, error), () -> RoundsTest.TIMING));
    return new RoundTripPair(compared, clients);
  }

  @Test
  void everyPairIsMeasuredAndWritten() throws Exception {
    RoundTrips roundTrips = new RoundTrips(false);
    for (int i = 0; i < SCALE.pairs(); i++) {
      for (CounterSetup compared : RoundTrips.COMPARED) {
        RoundTripPair pair = pair(compared, 0, 0);
        pair.warmUp(SCALE.pairWarmUp(), share -> {});
        pair.measure(SCALE.requests(), share -> {});
        roundTrips.add(pair);
      }
    }
    for (CounterSetup compared : RoundTrips.COMPARED) {
      assertEquals(SCALE.pairs(), roundTrips.medianRatios(compared).each().size());
      for (CounterSetup setup : new CounterSetup[] {CounterSetup.ORIGINAL, compared}) {
        assertEquals((long) SCALE.pairs() * SCALE.requests(), roundTrips.roundTrips(compared, setup).count(), "only what is counted");
      }
    }
    RoundTripTables.write(roundTrips, out);
    Results results = new Results(null, roundTrips, null, null);
    Tables.write(Relations.of(results), out);
    new Report(results, SCALE, 2).write(out.resolve("report.html"));
    RoundsTest.assertRows(out, "round-trips.csv", 3 * SCALE.pairs() * 2);
    RoundsTest.assertRows(out, "round-trip-parts.csv", 3 * 2 * 5);
    RoundsTest.assertRows(out, "goals.csv", 2);
    RoundsTest.assertRows(out, "relations.csv", 2);
    assertTrue(Files.readString(out.resolve("report.html")).contains("not judged with cold JVMs"));
  }

  @Test
  void bothHadAsManyRequestsWhenTheFirstIsCounted() throws Exception {
    Map<CounterSetup, Long> before = new EnumMap<>(CounterSetup.class);
    Map<CounterSetup, CounterClient> clients = new EnumMap<>(CounterSetup.class);
    RoundTripPair[] pair = new RoundTripPair[1];
    boolean[] counts = new boolean[1];
    for (CounterSetup setup : new CounterSetup[] {CounterSetup.ORIGINAL, CounterSetup.PB}) {
      OneCounter counter = new OneCounter(0, 0);
      clients.put(setup, client(counter, () -> {
        if (counts[0]) {
          before.putIfAbsent(setup, counter.total());
        }
        return RoundsTest.TIMING;
      }));
    }
    pair[0] = new RoundTripPair(CounterSetup.PB, clients);
    pair[0].warmUp(SCALE.pairWarmUp(), share -> {});
    counts[0] = true;
    pair[0].measure(SCALE.requests(), share -> {});
    assertEquals(before.get(CounterSetup.ORIGINAL), before.get(CounterSetup.PB));
  }

  @Test
  void aGoalIsJudgedByMedians() {
    assertEquals("met", new Goal("a", 1.25, 1.25, 1.4, true).verdict());
    assertEquals("missed", new Goal("a", 1.25, 1.26, 1.2, true).verdict());
    assertEquals("not judged with cold JVMs", new Goal("a", 1.25, 1, 1, false).verdict());
  }

  @Test
  void anAdditionThatIsExecutedTwiceEndsTheRun() {
    RoundTripPair pair = pair(CounterSetup.PB, 3, 1);
    IOException failure = assertThrows(IOException.class, () -> pair.measure(SCALE.requests(), share -> {}));
    assertTrue(failure.getMessage().contains("additions of 1"), failure.getMessage());
  }
}
