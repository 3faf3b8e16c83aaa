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
  static final Scale SCALE = new Scale(3, 2, List.of(1, 5), 5, 3, 40, 60, List.of(1, 4), 6, List.of(0, 10), 2);

  static final String TIMING = "stable;dur=0.25, consistency;dur=0.01, service;dur=1.0E-1, balancing;dur=0.002, "
      + "executions;desc=\"1\", lock;dur=0.03, commit;dur=0.1";

  @TempDir Path out;

  private static Map<Setup, Clients<MatchmakerClient>> clients(boolean allocatesTwice, int price) {
    Map<Setup, Clients<MatchmakerClient>> clients = new EnumMap<>(Setup.class);
    for (Setup setup : Setup.values()) {
      OneMatchmaker matchmaker = new OneMatchmaker(allocatesTwice, price);
      clients.put(setup, new Clients<>(
          IntStream.range(0, 5).mapToObj(number -> new MatchmakerClient(matchmaker, "client-" + number, () -> TIMING, () -> {})).toList()));
    }
    return clients;
  }

  @Test
  void everyPointIsMeasuredAndWritten() throws Exception {
    Map<Setup, Clients<MatchmakerClient>> clients = clients(false, 1);
    Rounds rounds = new Rounds(clients, SCALE);
    rounds.warmUp(share -> {});
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
    Results results = new Results(null, null, rounds, null);
    Tables.write(rounds, out);
    Tables.write(Relations.of(results), out);
    new Report(results, SCALE, 2).write(out.resolve("report.html"));
    assertRows(out, "rounds.csv", 4 * 2);
    assertRows(out, "breakdown.csv", 4 * 5);
    assertTrue(Tables.difference(rounds).matches("(?s)PB\\+DB is not between .* rounds to backups [+-]\\d+\\."), Tables.difference(rounds));
    assertRows(out, "relations.csv", 5 + 4);
    String report = Files.readString(out.resolve("report.html"));
    assertTrue(!report.contains("Figure IV.3") && report.contains("Figure IV.6"));
    clients.values().forEach(Clients::close);
  }

  static void assertRows(Path out, String file, int rows) throws IOException {
    List<String> lines = Files.readAllLines(out.resolve(file));
    assertEquals(rows, lines.size() - 1, file);
    for (String line : lines) {
      assertEquals(lines.get(0).split(",", -1).length, line.split(",", -1).length, line);
    }
  }

  @Test
  void theBreakdownAddsUpToTheRoundTrip() {
    Breakdown breakdown = new Breakdown();
    breakdown.add(1_000_000, TIMING);
    long[] micros = {650, 30, 70, 100, 150};
    for (Breakdown.Part part : Breakdown.Part.values()) {
      assertEquals((double) micros[part.ordinal()], breakdown.of(part).meanMicros(), 1, part.label());
    }
    assertThrows(IllegalStateException.class, () -> breakdown.add(1, "stable;dur=1"));
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
