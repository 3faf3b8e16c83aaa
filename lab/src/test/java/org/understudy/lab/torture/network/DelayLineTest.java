package org.understudy.lab.torture.network;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class DelayLineTest {
  private static final long MS = 1_000_000;

  private static LinkQuality quality(int delay, int jitter, boolean tail) {
    return new LinkQuality(delay, jitter, tail, 0);
  }

  @Test
  void bytesKeepTheirOrderWhateverTheirDelays() {
    DelayLine line = new DelayLine(7);
    long last = 0;
    for (int i = 0; i < 1_000; i++) {
      long now = i * MS;
      long due = line.due(now, quality(i % 50, i % 30, i % 2 == 0));
      assertTrue(due >= last && due >= now + i % 50 * MS, "bytes " + i);
      last = due;
    }
  }

  @Test
  void aLineWithoutDelayPassesBytesOnAtOnce() {
    DelayLine line = new DelayLine(7);
    assertEquals(5 * MS, line.due(5 * MS, LinkQuality.NONE));
    assertEquals(106 * MS, line.due(6 * MS, quality(100, 0, false)));
    assertEquals(106 * MS, line.due(7 * MS, LinkQuality.NONE));
    assertEquals(200 * MS, line.due(200 * MS, LinkQuality.NONE));
  }

  @Test
  void aHeavyTailIsMostlyShortAndSometimesLong() {
    long[] added = new long[2_000];
    DelayLine line = new DelayLine(7);
    for (int i = 0; i < added.length; i++) {
      added[i] = line.due(i * 1_000L * MS, quality(0, 10, true)) - i * 1_000L * MS;
    }
    Arrays.sort(added);
    assertTrue(added[added.length / 2] < 6 * MS, "median " + added[added.length / 2]);
    assertTrue(added[added.length - 1] > 50 * MS && added[added.length - 1] <= 80 * MS, "longest " + added[added.length - 1]);
  }

  @Test
  void aNarrowLinkTakesItsConnectionsOneAfterAnother() {
    Bandwidth link = new Bandwidth();
    assertEquals(80 * MS, link.take(0, 10_000, 1_000));
    assertEquals(160 * MS, link.take(0, 10_000, 1_000));
    assertEquals(380 * MS, link.take(300 * MS, 10_000, 1_000));
    assertEquals(380 * MS, link.take(300 * MS, 10_000, 0));
    assertEquals(0, Bandwidth.pause(300 * MS, 380 * MS));
    assertEquals(100 * MS, Bandwidth.pause(0, 300 * MS));
    assertEquals(40_000, link.bytes());
  }

  @Test
  void delaysAreReadAsTheyAreWritten() {
    assertEquals(quality(100, 0, false), LinkQuality.ofDelay("100"));
    assertEquals(quality(100, 20, false), LinkQuality.ofDelay("100,20"));
    LinkQuality tail = LinkQuality.ofDelay("100,20,tail").withRate(500);
    assertEquals(tail, LinkQuality.ofWord(tail.word()));
    assertEquals("100 ms and mostly less than 20 ms more, 500 kbit/s in each direction", tail.describe());
    for (String wrong : List.of("", "x", "1,2,3", "1,2,tail,4", "-1", "10001", "1,tail")) {
      assertThrows(IllegalArgumentException.class, () -> LinkQuality.ofDelay(wrong), wrong);
    }
  }
}
