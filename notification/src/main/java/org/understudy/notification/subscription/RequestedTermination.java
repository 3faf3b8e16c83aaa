package org.understudy.notification.subscription;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.Period;
import java.time.ZoneOffset;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The termination time that a consumer requests, as {@code xs:dateTime}, {@code xs:duration}, nil, or not at all
 * (WS-BaseNotification 1.3, sections 4.2 and 6.1.1). Immutable.
 */
public sealed interface RequestedTermination {
  /** No request: the producer's default. */
  RequestedTermination UNSPECIFIED = new Unspecified();
  /** The element was nil: never. */
  RequestedTermination NEVER = new Never();

  /** Nothing was requested. */
  record Unspecified() implements RequestedTermination {}

  /** Never ends. */
  record Never() implements RequestedTermination {}

  /**
   * At a moment.
   *
   * @param time the moment
   */
  record At(Instant time) implements RequestedTermination {}

  /**
   * After a duration, counted from the producer's current time.
   *
   * @param months and years, by the calendar
   * @param rest days to fractions of seconds
   */
  record After(Period months, Duration rest) implements RequestedTermination {
    /**
     * The moment, counted from another.
     *
     * @throws DateTimeException when it is out of the calendar's range
     */
    public Instant from(Instant now) {
      return now.atOffset(ZoneOffset.UTC).plus(months).plus(rest).toInstant();
    }
  }

  /**
   * Reads an {@code xs:dateTime} (UTC when it names no zone) or an {@code xs:duration}.
   *
   * @throws IllegalArgumentException when the text is neither, or out of range
   */
  static RequestedTermination parse(String text) {
    String value = text.strip();
    try {
      if (value.length() > 64) {
        throw new IllegalArgumentException("The termination time is longer than 64 characters.");
      }
      if (value.startsWith("P") || value.startsWith("-P")) {
        return duration(value);
      }
      // An xs:dateTime may write the end of a day as 24:00:00, which is the start of the next.
      boolean midnight = Lexical.MIDNIGHT.matcher(value).find();
      String time = midnight ? value.replaceFirst("T24", "T00") : value;
      boolean zoned = time.endsWith("Z") || time.lastIndexOf('+') > 10 || time.lastIndexOf('-') > 10;
      Instant moment =
          zoned ? OffsetDateTime.parse(time).toInstant() : LocalDateTime.parse(time).toInstant(ZoneOffset.UTC);
      return new At(midnight ? moment.plus(Duration.ofDays(1)) : moment);
    } catch (DateTimeException | ArithmeticException e) {
      throw new IllegalArgumentException("Neither an xs:dateTime nor an xs:duration within range: '" + value + "'.", e);
    }
  }

  private static After duration(String value) {
    Matcher parts = Lexical.DURATION.matcher(value);
    if (!parts.matches() || value.endsWith("P") || value.endsWith("T")) {
      throw new IllegalArgumentException("Invalid xs:duration: '" + value + "'.");
    }
    long sign = parts.group(1) == null ? 1 : -1;
    int months = Math.toIntExact(Math.addExact(Math.multiplyExact(12L, number(parts, 2)), number(parts, 3)));
    Duration rest = Duration.ofDays(number(parts, 4))
        .plusHours(number(parts, 5))
        .plusMinutes(number(parts, 6))
        .plusSeconds(number(parts, 7))
        .plusNanos(nanos(parts.group(8)));
    return new After(Period.ofMonths(Math.toIntExact(sign * months)), rest.multipliedBy(sign));
  }

  private static long number(Matcher parts, int group) {
    String digits = parts.group(group);
    if (digits == null) {
      return 0;
    }
    try {
      return Long.parseLong(digits);
    } catch (NumberFormatException e) {
      throw new ArithmeticException("out of range");
    }
  }

  private static long nanos(String fraction) {
    return fraction == null ? 0 : Long.parseLong((fraction + "000000000").substring(0, 9));
  }

  /** Hides the pattern from the interface. */
  final class Lexical {
    private static final Pattern MIDNIGHT = Pattern.compile("T24:00:00(\\.0+)?(Z|[+-]\\d\\d:\\d\\d)?$");
    private static final Pattern DURATION =
        Pattern.compile(
            "(-)?P(?:(\\d+)Y)?(?:(\\d+)M)?(?:(\\d+)D)?"
                + "(?:T(?:(\\d+)H)?(?:(\\d+)M)?(?:(\\d+)(?:\\.(\\d+))?S)?)?");

    private Lexical() {}
  }
}
