package org.understudy.lab.compare;

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

/** The comparison, with hardly any calls: that all is measured and written, not what comes out. */
class CompareIT {
  @TempDir Path out;

  @Test
  void measuresEveryCellOfTheTables() throws Exception {
    int status =
        new CommandLine(new Compare())
            .execute(
                "--cluster", "../../scripts/cluster", "--port", Integer.toString(ClusterPorts.next(4)), "--replicas", "2",
                "--quick", "--warm-up", "1", "--calls", "25", "--out", out.toString());
    assertEquals(0, status);
    String roundTrips = "transfer,bytes,median_us,mean_us,stddev_us,p99_us,ratio_to_none,paper_median_ms";
    complete("state-transfer.csv", roundTrips, 3 * 5, 8);
    complete("client-request.csv", roundTrips, 4 * 5, 8);
    complete("failover.csv", "transfer,clients,median_us,mean_us,stddev_us,p99_us,paper_median_ms", 3 * 3, 7);
    String report = Files.readString(out.resolve("report.html"));
    assertTrue(report.contains("Figure III.4"));
    assertTrue(report.contains("Table III.4"));
  }

  private void complete(String file, String header, int rows, int columns) throws IOException {
    List<String> lines = Files.readAllLines(out.resolve(file));
    assertEquals(header, lines.get(0));
    assertEquals(rows, lines.size() - 1, file);
    for (String line : lines.subList(1, lines.size())) {
      String[] cells = line.split(",", -1);
      assertEquals(columns, cells.length, line);
      assertTrue(Double.parseDouble(cells[2]) > 0, line);
    }
  }

  @Test
  void invalidInputIsRefused() {
    assertEquals(2, new CommandLine(new Compare()).execute("--cluster", "x", "--replicas", "1"));
    assertEquals(2, new CommandLine(new Compare()).execute("--cluster", "x", "--calls", "0"));
  }
}
