package org.understudy.lab.durability;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
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
    Results results = new Results(counting, null, null, null);
    Tables.write(counting, out);
    Tables.write(Relations.of(results), out);
    new Report(results, SCALE, 2).write(out.resolve("report.html"));
    RoundsTest.assertRows(out, "throughput.csv", 4 * SCALE.clients().size());
    RoundsTest.assertRows(out, "relations.csv", 2);
    String report = Files.readString(out.resolve("report.html"));
    assertTrue(report.contains("Figure IV.3") && !report.contains("Figure IV.6"));
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
