package org.understudy.lab.notify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.test.network.ClusterPorts;
import picocli.CommandLine;

/** The benchmark, with hardly any updates: that all are notified, before a failover and after it, not how fast. */
class NotifyBenchIT {
  @TempDir Path out;

  @Test
  void everyHealthyConsumerIsNotifiedBeforeAndAfterAFailover() throws Exception {
    int status =
        new CommandLine(new NotifyBench())
            .execute(
                "--cluster", "../../scripts/cluster", "--port", Integer.toString(ClusterPorts.next()), "--subscribers", "1,100",
                "--warm-up", "20", "--updates", "3", "--failovers", "1", "--out", out.toString());
    assertEquals(0, status);
    List<String> notify = Files.readAllLines(out.resolve("notify.csv"));
    assertEquals(
        "subscribers,stalled,median_us,p99_us,max_us,request_median_us,request_without_us,ratio,"
            + "heap_bytes_per_subscription,threads",
        notify.get(0));
    assertEquals(List.of("1,0", "100,1"), firstTwo(notify));
    for (String line : notify.subList(1, 3)) {
      String[] cells = line.split(",", -1);
      assertEquals(10, cells.length, line);
      assertTrue(Double.parseDouble(cells[2]) > 0, line);
      assertTrue(Integer.parseInt(cells[9]) > 0, line);
    }
    List<String> failovers = Files.readAllLines(out.resolve("failover-subscriptions.csv"));
    assertEquals("subscribers,median_ms,max_ms", failovers.get(0));
    assertEquals(3, failovers.size());
    assertTrue(Files.readString(out.resolve("report.html")).contains("One update, many subscribers"));
  }

  private static List<String> firstTwo(List<String> lines) {
    return lines.subList(1, lines.size()).stream().map(line -> String.join(",", List.of(line.split(",")).subList(0, 2)))
        .toList();
  }
}
