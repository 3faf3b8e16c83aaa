package org.understudy.lab.group;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.EOFException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.lab.group.PeerTraffic.Link;
import picocli.CommandLine;

/** Parts of which one fails. */
class PartRunnerTest {
  @TempDir Path out;

  @Test
  void theNextPartIsMeasuredAndAllIsWritten() throws Exception {
    Results results = new Results(Scale.QUICK);
    List<String> measured = new ArrayList<>();
    PartRunner runner = new PartRunner(() -> Tables.write(results, out));
    runner.run("bytes", () -> results.traffic.put(1, Map.of(new Link(1, 2), 400.0)));
    runner.run("figures", () -> {
      results.figures = new Figures(Map.of(), List.of());
      throw new EOFException("A server has closed the connection.");
    });
    assertEquals(2, Files.readAllLines(out.resolve("bytes.csv")).size());
    assertEquals(1, Files.readAllLines(out.resolve("throughput.csv")).size(), "what it has measured before it failed");
    runner.run("hot", () -> measured.add("hot"));
    assertEquals(List.of("hot"), measured);
    assertEquals(List.of("figures"), runner.failed());
  }

  @Test
  void anInterruptEndsTheRun() {
    PartRunner runner = new PartRunner(() -> {});
    assertThrows(InterruptedException.class, () -> runner.run("hot", () -> {
      throw new InterruptedException();
    }));
  }

  @Test
  void groupsThatDoNotStartLeaveAReportAndAnExitStatus() throws Exception {
    Path script = Files.writeString(out.resolve("cluster"), "#!/bin/sh\necho no port is free >&2\nexit 1\n");
    assertTrue(script.toFile().setExecutable(true));
    int status = new CommandLine(new GroupBench())
        .execute("--cluster", script.toString(), "--quick", "--parts", "figures,hot", "--out", out.resolve("results").toString());
    assertEquals(1, status);
    assertTrue(Files.readString(out.resolve("results/report.html")).contains("Understudy"));
  }
}
