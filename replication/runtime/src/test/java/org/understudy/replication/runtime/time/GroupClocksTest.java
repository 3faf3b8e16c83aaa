package org.understudy.replication.runtime.time;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.understudy.replication.core.time.ClockReading;

class GroupClocksTest {
  private static final long SECOND = 1_000_000_000L;

  private long monotonic = -7 * SECOND;
  private long own = 1_000 * SECOND;
  private final GroupClocks clocks = new GroupClocks(() -> monotonic, () -> own);

  private void read(long counted, long wall) {
    clocks.read(new ClockReading(counted * SECOND - monotonic, wall * SECOND - monotonic));
  }

  @Test
  void bothAreTheOwnOneAtFirst() {
    assertEquals(Instant.ofEpochSecond(1_000), clocks.wall().instant());
    assertEquals(Instant.ofEpochSecond(1_000), clocks.counted().instant());
    assertEquals(Instant.ofEpochSecond(1_500), clocks.deadline(Instant.ofEpochSecond(1_500)));
    assertEquals(Duration.ZERO, clocks.disagreement());
  }

  @Test
  void theOwnWallClockIsShownWhileItAgrees() {
    read(400, 1_001);
    assertEquals(Instant.ofEpochSecond(1_000), clocks.wall().instant());
    assertEquals(Instant.ofEpochSecond(400), clocks.counted().instant());
    assertEquals(Instant.ofEpochSecond(900), clocks.deadline(Instant.ofEpochSecond(1_500)), "500 s from now");
    assertEquals(Duration.ZERO, clocks.disagreement());
  }

  /** Also within the heartbeat in which it was set. */
  @Test
  void aWrongWallClockChangesNothing() {
    read(400, 1_000);
    own += 86_400 * SECOND;
    monotonic += SECOND;
    own += SECOND;
    assertEquals(Instant.ofEpochSecond(1_001), clocks.wall().instant());
    assertEquals(Instant.ofEpochSecond(401), clocks.counted().instant());
    assertEquals(Instant.ofEpochSecond(900), clocks.deadline(Instant.ofEpochSecond(1_500)));
    assertEquals(Duration.ofDays(1), clocks.disagreement());
  }

  @Test
  void timesBefore1970AreRead() {
    read(-5, 1_000);
    assertEquals(Instant.ofEpochSecond(-5), clocks.counted().instant());
    assertEquals(-5_000, clocks.counted().millis());
  }
}
