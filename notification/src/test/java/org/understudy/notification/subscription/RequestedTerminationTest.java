package org.understudy.notification.subscription;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestedTerminationTest {
  private static final Instant NOW = Instant.parse("2026-01-31T12:00:00Z");

  @ParameterizedTest
  @CsvSource({
    "2026-03-01T00:00:00Z,2026-03-01T00:00:00Z",
    "2026-03-01T00:00:00,2026-03-01T00:00:00Z",
    "2026-03-01T00:00:00.25+02:00,2026-02-28T22:00:00.250Z",
    "2026-03-01T00:00:00-05:00,2026-03-01T05:00:00Z",
    "2026-02-28T24:00:00Z,2026-03-01T00:00:00Z",
    "2026-02-28T24:00:00.000+02:00,2026-02-28T22:00:00Z",
    "2026-02-28T24:00:00,2026-03-01T00:00:00Z",
    "PT1M,2026-01-31T12:01:00Z",
    "P1M,2026-02-28T12:00:00Z",
    "P1Y2M3DT4H5M6.5S,2027-04-03T16:05:06.500Z",
    "-PT1H,2026-01-31T11:00:00Z"
  })
  void timesAndDurationsAreRead(String text, Instant expected) {
    RequestedTermination requested = RequestedTermination.parse(text);
    assertEquals(expected, requested instanceof RequestedTermination.At at
        ? at.time()
        : ((RequestedTermination.After) requested).from(NOW));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "P", "PT", "P1", "1D", "P1H", "PT1D", "P-1D", "2026-01-01", "P99999999999999999999D",
    "PT9223372036854775807H", "now", "2026-03-01T24:00:01Z", "2026-03-01T24:01:00Z"})
  void invalidTimesAreRefused(String text) {
    assertThrows(IllegalArgumentException.class, () -> RequestedTermination.parse(text));
  }
}
