package org.understudy.lab.group;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.test.network.ClusterPorts;
import picocli.CommandLine;

/**
 * The figures, with hardly any requests: that all is measured and written, not what comes out. Refused connections take four more set-ups
 * of their own, so their clients and tables are tested alone.
 */
class GroupBenchIT {
  @TempDir Path out;

  @Test
  void measuresEveryPointOfTheFigures() throws Exception {
    int status =
        new CommandLine(new GroupBench())
            .execute(
                "--cluster", "../../scripts/cluster", "--port", Integer.toString(ClusterPorts.next(7)), "--quick", "--parts",
                "figures,hot", "--clients", "1,4", "--millis", "50", "--warm-up-millis", "50", "--out", out.toString());
    assertEquals(0, status);
    // Five shares of updates at three set-ups, and updates only at two tuned ones, each with two numbers of clients.
    List<String> figures = rows("throughput.csv", (3 * 5 + 2) * 2);
    // Updates, level of reads, clients, requests a second, ratio, refused and failed percentages.
    figures.forEach(row -> assertTrue(row.matches("\"[^\"]+\",\\d+,\\w+,[14],\\d+,[\\d.]+,0.00,0.00,[\\d.]+,[\\d.]+"), row));
    List<String> hot = rows("one-resource.csv", 2 * HotResource.WRITERS.size());
    hot.forEach(row -> assertTrue(row.matches("\"[^\"]+\",\\d+,\\d+,[\\d.]+,0.00,[\\d.]+,[\\d.]+"), row));
    String report = Files.readString(out.resolve("report.html"));
    assertTrue(report.contains("Figure 7") && report.contains("Figure 8 (b)"), report);
  }

  /** The rows of a file after its head. */
  private List<String> rows(String file, int expected) throws IOException {
    List<String> lines = Files.readAllLines(out.resolve(file));
    assertEquals(expected, lines.size() - 1, file);
    return lines.subList(1, lines.size());
  }
}
