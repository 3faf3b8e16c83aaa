package org.understudy.notification.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HttpAnswerTest {
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "120, 120",
    "' 5 ', 5",
    "'Sat, 21 Nov 2026 12:01:00 GMT', 60",
    "'Sat, 21 Nov 2026 11:59:00 GMT', 0",
    "99999999999999999999, 0",
    "-5, 0",
    "1.5, 0",
    "soon, 0",
    "'', 0"
  })
  void retryAfterIsSecondsOrADate(String value, long seconds) {
    assertEquals(Duration.ofSeconds(seconds), HttpAnswer.retryAfter(value, NOW));
  }
}
