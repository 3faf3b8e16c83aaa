package org.understudy.lab.torture.network;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class DelayLineTest {
  private static final long MS = 1_000_000;

  @Test
  void bytesKeepTheirOrderWhateverTheirDelays() {
    DelayLine line = new DelayLine(7);
    long last = 0;
    for (int i = 0; i < 1_000; i++) {
      line.set(i % 50, i % 30);
      long now = i * MS;
      long due = line.due(now);
      assertTrue(due >= last && due >= now + i % 50 * MS, "bytes " + i);
      last = due;
    }
  }

  @Test
  void aLineWithoutDelayPassesBytesOnAtOnce() {
    DelayLine line = new DelayLine(7);
    assertEquals(5 * MS, line.due(5 * MS));
    line.set(100, 0);
    assertEquals(106 * MS, line.due(6 * MS));
    line.set(0, 0);
    assertEquals(106 * MS, line.due(7 * MS));
    assertEquals(200 * MS, line.due(200 * MS));
  }
}
