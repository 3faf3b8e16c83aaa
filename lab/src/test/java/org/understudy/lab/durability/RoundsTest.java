package org.understudy.lab.durability;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The measurements, at Matchmakers without a network: that all is measured, checked and written, not what comes out. */
class RoundsTest {
  private static final Scale SCALE = new Scale(3, 2, List.of(1, 4), 6, List.of(1, 5), 5);

  @TempDir Path out;

  private static Map<Setup, Clients> clients(boolean allocatesTwice, int price) {
    Map<Setup, Clients> clients = new EnumMap<>(Setup.class);
    for (Setup setup : Setup.values()) {
      OneMatchmaker matchmaker = new OneMatchmaker(allocatesTwice, price);
      clients.put(setup, new Clients(
          IntStream.range(0, 5).mapToObj(number -> new MatchmakerClient(matchmaker, "client-" + number, () -> {})).toList()));
    }
    return clients;
  }

  @Test
  void everyPointIsMeasuredAndWritten() throws Exception {
    Map<Setup, Clients> clients = clients(false, 1);
    Rounds rounds = new Rounds(clients, SCALE);
    rounds.warmUp(share -> {});
    Throughput throughput = new Throughput(clients, SCALE);
    throughput.measure(share -> {});
    rounds.measure(share -> {});
    for (int seconds : SCALE.intervals()) {
      long jobs = rounds.of(Setup.ORIGINAL, seconds).count();
      int roundsOfAll = SCALE.repetitions() * SCALE.rounds() * Thesis.CLIENTS;
      assertTrue(jobs >= roundsOfAll && jobs <= (long) roundsOfAll * Thesis.REQUESTS, jobs + " jobs");
      for (Setup setup : Setup.values()) {
        assertEquals(jobs, rounds.of(setup, seconds).count(), "Every set-up has the same requests.");
      }
    }
    assertTrue(Math.abs(4 * rounds.pauseNanos(1) - rounds.pauseNanos(4)) <= 4, "The pauses have the scale of their interval.");
    Tables.write(throughput, out);
    Tables.write(rounds, out);
    Tables.write(Relations.of(throughput, rounds), out);
    new Report(throughput, rounds, SCALE, 2).write(out.resolve("report.html"));
    assertRows("throughput.csv", 3 * 2);
    assertRows("rounds.csv", 4 * 2);
    assertRows("relations.csv", 4 + 5 + 4);
    String report = Files.readString(out.resolve("report.html"));
    assertTrue(report.contains("Figure IV.3") && report.contains("Figure IV.6"));
    clients.values().forEach(Clients::close);
  }

  private void assertRows(String file, int rows) throws IOException {
    List<String> lines = Files.readAllLines(out.resolve(file));
    assertEquals(rows, lines.size() - 1, file);
    for (String line : lines) {
      assertEquals(lines.get(0).split(",", -1).length, line.split(",", -1).length, line);
    }
  }

  @Test
  void aMachineWithTwoJobsEndsTheRun() {
    Rounds rounds = new Rounds(clients(true, 1), SCALE);
    IOException failure = assertThrows(IOException.class, () -> rounds.measure(share -> {}));
    assertTrue(failure.getMessage().contains("while it had a job"), failure.getMessage());
  }

  @Test
  void aClientThatIsChargedTwiceEndsTheRun() {
    Rounds rounds = new Rounds(clients(false, 2), SCALE);
    IOException failure = assertThrows(IOException.class, () -> rounds.measure(share -> {}));
    assertTrue(failure.getMessage().contains("owes"), failure.getMessage());
  }
}
