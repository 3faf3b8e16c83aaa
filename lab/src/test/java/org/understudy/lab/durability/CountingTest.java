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
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.lab.durability.counter.CounterPortType;

/** The measurements of the counter, without a network: that all is measured, checked and written, not what comes out. */
class CountingTest {
  private static final Scale SCALE = RoundsTest.SCALE;

  @TempDir Path out;

  private static Counting counting(int failing, long error) {
    Map<CounterSetup, Clients<CounterClient>> clients = new EnumMap<>(CounterSetup.class);
    for (CounterSetup setup : CounterSetup.values()) {
      CounterPortType counter = new OneCounter(failing, error);
      clients.put(setup, new Clients<>(
          IntStream.range(0, 5).mapToObj(number -> new CounterClient(counter, () -> RoundsTest.TIMING, () -> {})).toList()));
    }
    return new Counting(clients, SCALE);
  }

  @Test
  void everyPointIsMeasuredAndWritten() throws Exception {
    Counting counting = counting(0, 0);
    counting.warmUp(share -> {});
    counting.measure(share -> {});
    for (CounterSetup setup : CounterSetup.values()) {
      assertEquals((long) SCALE.repetitions() * SCALE.requests(), counting.roundTrips(setup).count());
    }
    Results results = new Results(counting, null, null);
    Tables.write(counting, out);
    Tables.write(Relations.of(results), out);
    new Report(results, SCALE, 2).write(out.resolve("report.html"));
    RoundsTest.assertRows(out, "throughput.csv", 4 * SCALE.clients().size());
    RoundsTest.assertRows(out, "round-trips.csv", 4);
    RoundsTest.assertRows(out, "round-trip-parts.csv", 4 * 5);
    RoundsTest.assertRows(out, "relations.csv", 4);
    RoundsTest.assertRows(out, "goals.csv", 2);
    String report = Files.readString(out.resolve("report.html"));
    assertTrue(report.contains("Figure IV.3") && !report.contains("Figure IV.6"));
  }

  @Test
  void setUpsAreEquallyWarm() throws Exception {
    Map<CounterSetup, Long> warm = new EnumMap<>(CounterSetup.class);
    Map<CounterSetup, Clients<CounterClient>> clients = new EnumMap<>(CounterSetup.class);
    for (CounterSetup setup : CounterSetup.values()) {
      OneCounter counter = new OneCounter(0, 0);
      Supplier<String> timing = () -> {
        warm.computeIfAbsent(setup, none -> counter.total());
        return RoundsTest.TIMING;
      };
      clients.put(setup, new Clients<>(
          IntStream.range(0, 5).mapToObj(number -> new CounterClient(counter, timing, () -> {})).toList()));
      for (int i = 0; i < setup.ordinal() * 1_000; i++) {
        clients.get(setup).all().get(1).add();
      }
    }
    new Counting(clients, SCALE).measure(share -> {});
    assertEquals(1, warm.values().stream().distinct().count(), warm.toString());
  }

  @Test
  void aGoalIsJudgedByMedians() {
    assertEquals("met", new Goal("a", 1.25, 1.25, 1.4, true).verdict());
    assertEquals("missed", new Goal("a", 1.25, 1.26, 1.2, true).verdict());
    assertEquals("not judged with cold JVMs", new Goal("a", 1.25, 1, 1, false).verdict());
  }

  @Test
  void anAdditionThatIsExecutedTwiceEndsTheRun() {
    Counting counting = counting(3, 1);
    IOException failure = assertThrows(IOException.class, () -> counting.measure(share -> {}));
    assertTrue(failure.getMessage().contains("additions of 1"), failure.getMessage());
  }

  @Test
  void anAdditionThatIsLostEndsTheRun() {
    Counting counting = counting(3, -1);
    IOException failure = assertThrows(IOException.class, () -> counting.measure(share -> {}));
    assertTrue(failure.getMessage().contains("returned"), failure.getMessage());
  }
}
