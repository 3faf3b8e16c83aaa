package org.understudy.replication.runtime.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A sender that always has more to send, over links of every length and width, in virtual milliseconds. */
class SendWindowTest {
  private static final long MILLISECOND = 1_000_000;
  private static final long SUSPICION = 1_000 * MILLISECOND;
  private static final int FRAME = 4_000;

  private final SendWindow window = new SendWindow(SUSPICION, 0);
  private long sent;
  private long read;
  private long confirmed;
  private long pingSentAt;
  private long beforePing;
  private boolean pingOut;
  private long pongAt;
  private long longestWait;

  /** @param bytesInMs what the link carries */
  private void run(long fromMs, long toMs, double bytesInMs, long delayMs) {
    double carried = (double) read;
    for (long ms = fromMs; ms < toMs; ms++) {
      while (window.hasRoom(sent - confirmed)) {
        sent += FRAME;
        pingIf(sent - beforePing >= window.measuredBytes(), ms);
      }
      pingIf(sent > beforePing, ms);
      carried = Math.min((double) sent, carried + bytesInMs);
      read = (long) carried;
      if (pingOut && pongAt == Long.MAX_VALUE && read >= beforePing) {
        pongAt = ms + 2 * delayMs;
      }
      if (pingOut && ms >= pongAt) {
        pingOut = false;
        confirmed = beforePing;
        window.measured((ms - pingSentAt) * MILLISECOND, ms * MILLISECOND);
      }
      if (ms >= (fromMs + toMs) / 2) {
        longestWait = Math.max(longestWait, (long) ((sent - read) / bytesInMs));
      }
    }
  }

  private void pingIf(boolean due, long ms) {
    if (due && !pingOut) {
      pingOut = true;
      beforePing = sent;
      pingSentAt = ms;
      pongAt = Long.MAX_VALUE;
    }
  }

  @ParameterizedTest(name = "{0} kbit/s, {1} ms")
  @CsvSource({"500, 1", "500, 100", "2000, 1", "2000, 100", "10000, 10", "10000, 150", "100000, 1", "100000, 50", "1000000, 1"})
  void linkIsFullAndNothingWaitsForLong(int kbits, long delayMs) {
    double bytesInMs = kbits / 8.0;
    // An idle link has shown its delay.
    window.measured(Math.max(1, 2 * delayMs) * MILLISECOND, 0);
    run(0, 20_000, bytesInMs, delayMs);
    long before = read;
    run(20_000, 40_000, bytesInMs, delayMs);
    double share = (read - before) / (20_000 * bytesInMs);
    String figures = share + " of the bandwidth, waits of " + longestWait + " ms";
    assertTrue(share > 0.9, figures);
    // It may be half full when it is measured, and grow by an eighth then. What the link itself holds does not wait.
    assertTrue(longestWait <= 2 * (2 * delayMs + 125) * 9 / 8 - 2 * delayMs + 16_384 / bytesInMs, figures);
  }

  @Test
  void linkThatBecomesNarrowHasShortWaitsAgain() {
    run(0, 5_000, 12_500, 5);
    run(5_000, 150_000, 62.5, 5);
    assertTrue(longestWait < 1_000, longestWait + " ms");
  }

  @Test
  void fastLinkIsNoLimit() {
    window.measured(MILLISECOND / 10, 0);
    for (int i = 0; i < 10; i++) {
      window.hasRoom(window.bytes());
      window.measured(MILLISECOND, i * MILLISECOND);
    }
    assertEquals(4 << 20, window.bytes());
  }
}
