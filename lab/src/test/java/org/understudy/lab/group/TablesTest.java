package org.understudy.lab.group;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.understudy.lab.group.Load.Mix;
import org.understudy.lab.group.PeerTraffic.Link;
import org.understudy.lab.report.Samples;
import org.understudy.replication.api.ReadLevel;

/** What the tables state about known points. */
class TablesTest {
  private static final Mix UPDATES = new Mix(100, ReadLevel.SESSION);

  /** @param answered updates that took 1 ms each */
  private static Point point(int answered, long executions, long refused, long failed) {
    Samples samples = new Samples();
    LongStream.range(0, answered).forEach(i -> samples.add(1_000_000));
    Point point = new Point();
    point.addNanos(1_000_000_000L);
    point.add(samples, answered, executions, refused, failed);
    return point;
  }

  @Test
  void throughputIsRelatedToTheSamePointWithoutReplication() {
    Map<Figures.Cell, Point> points = new LinkedHashMap<>();
    points.put(new Figures.Cell(Setup.NONE, UPDATES, 4), point(1_000, 1_000, 0, 0));
    points.put(new Figures.Cell(Setup.BALANCED, UPDATES, 4), point(600, 600, 200, 200));
    points.put(new Figures.Cell(Setup.BALANCED, UPDATES, 16), point(800, 800, 0, 0));
    List<String> lines = Tables.throughput(points);
    assertTrue(lines.get(1).startsWith("\"none\",100,session,4,1000,1.000,0.00,0.00,1000."), lines.get(1));
    assertTrue(lines.get(2).startsWith("\"group, balanced\",100,session,4,600,0.600,20.00,20.00,1000."), lines.get(2));
    assertTrue(lines.get(3).startsWith("\"group, balanced\",100,session,16,800,,0.00,0.00,"), "nothing to relate it to: " + lines.get(3));
  }

  @Test
  void executionsAreThoseOfAnUpdate() {
    Point both = new Point();
    both.addAll(point(100, 100, 0, 0));
    both.addAll(point(100, 300, 0, 0));
    List<String> lines = Tables.oneResource(Map.of(Setup.ONE_ENTRY, Map.of(4, both)));
    assertTrue(lines.get(1).startsWith("\"group, one entry\",4,100,2.000,0.00,"), lines.get(1));
  }

  @Test
  void updatesAreSpreadOverTheRequests() {
    for (int writes : List.of(100, 80, 40, 0)) {
      Mix mix = new Mix(writes, ReadLevel.SESSION);
      for (long begin = 0; begin < 300; begin += 37) {
        assertEquals(writes, LongStream.range(begin, begin + 100).filter(mix::isWrite).count());
      }
    }
    assertEquals(List.of(false, false, true, false, true),
        LongStream.range(0, 5).mapToObj(new Mix(40, ReadLevel.SESSION)::isWrite).toList());
  }

  @Test
  void bytesAreThoseThatReplicasSendToPeerPorts() {
    List<String> lines =
        List.of(
            "0 0 127.0.0.1:40010 127.0.0.1:9702 users:((\"java\",pid=11,fd=9)) bbr rtt:1 bytes_sent:4000 bytes_acked:1",
            "0 0 [::ffff:127.0.0.1]:40011 [::ffff:127.0.0.1]:9701 users:((\"java\",pid=12,fd=9)) bbr bytes_sent:70",
            "0 0 127.0.0.1:9702 127.0.0.1:40010 users:((\"java\",pid=12,fd=9)) bbr bytes_sent:99",
            "0 0 127.0.0.1:40012 127.0.0.1:9702 users:((\"java\",pid=77,fd=9)) bbr bytes_sent:500",
            "0 0 127.0.0.1:40013 127.0.0.1:9703 users:((\"java\",pid=11,fd=9)) bbr rtt:1");
    Map<Link, Long> sent = PeerTraffic.sent(lines, Map.of(11L, 1, 12L, 2), 9_700, 3);
    assertEquals(Map.of(new Link(1, 2), 4_000L, new Link(2, 1), 70L), sent);
    assertEquals(List.of("called,sequencer,from,to,bytes_per_update", "2,1,1,2,400"),
        Tables.bytes(Map.of(2, Map.of(new Link(1, 2), 399.6)), 1));
  }

  @Test
  void breakdownNeedsTheHeader() {
    Breakdown breakdown = new Breakdown();
    breakdown.add(500_000, "stable;dur=0.25, consistency;dur=0.01, service;dur=1.0E-1, balancing;dur=0.002, executions;desc=\"1\"");
    assertEquals(250, breakdown.update().medianMicros(), 1);
    assertEquals(2, breakdown.balancing().medianMicros(), 0.1);
    assertEquals(10, breakdown.consistency().medianMicros(), 1);
    assertEquals(100, breakdown.service().medianMicros(), 1);
    assertThrows(IllegalStateException.class, () -> breakdown.add(1, ""));
  }

  @Test
  void onlyTunedSetUpsHaveAnotherThreadLimit() {
    for (Setup setup : Setup.values()) {
      assertEquals(setup.isTuned(), setup.javaOptions().contains("http.threads"));
      assertFalse(setup.isReplicated() != setup.options().contains("group"), setup.label());
    }
  }
}
