package org.understudy.notification.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeliverySettingsTest {
  private static final Duration NONE = Duration.ZERO;

  @Test
  void pausesGrowForFiveMinutes() {
    DeliverySettings settings = DeliverySettings.ofDefaults();
    List<Long> pauses = new ArrayList<>();
    Duration paused = NONE;
    for (Duration pause = settings.pauseAfter(1, paused, NONE); pause != null;
        pause = settings.pauseAfter(pauses.size() + 1, paused, NONE)) {
      pauses.add(pause.toMillis());
      paused = paused.plus(pause);
    }
    assertEquals(
        List.of(200L, 400L, 800L, 1_600L, 3_200L, 6_400L, 12_800L, 25_600L, 30_000L, 30_000L, 30_000L, 30_000L, 30_000L,
            30_000L, 30_000L, 30_000L),
        pauses);
  }

  @Test
  void retryAfterCanOnlyLengthenThePause() {
    DeliverySettings settings =
        DeliverySettings.ofDefaults().withRetries(Duration.ofSeconds(100), Duration.ofSeconds(1), Duration.ofSeconds(8));
    assertEquals(Duration.ofSeconds(60), settings.pauseAfter(1, NONE, Duration.ofSeconds(60)));
    assertEquals(Duration.ofSeconds(8), settings.pauseAfter(10, NONE, Duration.ofSeconds(2)));
    assertEquals(Duration.ofSeconds(40), settings.pauseAfter(2, Duration.ofSeconds(60), Duration.ofHours(1)));
    assertNull(settings.pauseAfter(3, Duration.ofSeconds(99), Duration.ofHours(1)), "nothing is left");
  }

  @Test
  void zeroRetryTimeGivesOneAttempt() {
    assertNull(DeliverySettings.ofDefaults().withRetries(NONE, Duration.ofMillis(1), Duration.ofMillis(1))
        .pauseAfter(1, NONE, Duration.ofHours(1)));
    assertThrows(IllegalArgumentException.class,
        () -> DeliverySettings.ofDefaults().withRetries(Duration.ofSeconds(1), NONE, NONE), "pauses without length");
  }
}
