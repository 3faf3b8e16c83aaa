package org.understudy.notification.subscription;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.Period;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
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
   * Reads the content of an element that may be nil.
   *
   * @param text null if it holds elements
   * @throws IllegalArgumentException when it is nil and has content, and as {@link #parse(String)}
   */
  static RequestedTermination parse(String text, boolean nil) {
    if (text == null || nil && !text.isEmpty()) {
      throw new IllegalArgumentException(
          "The termination time holds " + (text == null ? "an element." : "content, although xsi:nil is true."));
    }
    return nil ? NEVER : parse(text);
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
      return new At(dateTime(value));
    } catch (DateTimeException | ArithmeticException e) {
      throw new IllegalArgumentException("Neither an xs:dateTime nor an xs:duration within range: '" + value + "'.", e);
    }
  }

  private static Instant dateTime(String value) {
    Matcher parts = Lexical.DATE_TIME.matcher(value);
    if (!parts.matches()) {
      throw new DateTimeException("not an xs:dateTime");
    }
    int year = Integer.parseInt(parts.group("year"));
    LocalDate day = LocalDate.of(year, Integer.parseInt(parts.group("month")), Integer.parseInt(parts.group("day")));
    // The end of a day may be written as 24:00:00, which is the start of the next.
    String time = parts.group("time");
    boolean midnight = time.startsWith("24");
    String zone = parts.group("zone");
    Instant moment =
        day.atTime(midnight ? LocalTime.MIN : LocalTime.parse(time))
            .plusNanos(nanos(parts.group("fraction")))
            .toInstant(zone == null ? ZoneOffset.UTC : ZoneOffset.of(zone));
    return midnight ? moment.plus(Duration.ofDays(1)) : moment;
  }

  /** Returns the moment to grant for a requested one: not earlier, and in whole milliseconds, as times are written. */
  static Instant granted(Instant time) {
    Instant whole = time.truncatedTo(ChronoUnit.MILLIS);
    return whole.equals(time) ? whole : whole.plusMillis(1);
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

  /** Rounds up, as a fraction may have any number of digits. */
  private static long nanos(String fraction) {
    if (fraction == null) {
      return 0;
    }
    long nanos = Long.parseLong((fraction + "000000000").substring(0, 9));
    return fraction.length() > 9 && !fraction.substring(9).matches("0*") ? nanos + 1 : nanos;
  }

  /** Hides the pattern from the interface. */
  final class Lexical {
    private static final Pattern DATE_TIME =
        Pattern.compile(
            "(?<year>-?(?:[1-9]\\d{3,8}|0\\d{3}))-(?<month>\\d\\d)-(?<day>\\d\\d)T(?<time>(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d"
                + "|24:00:00(?!\\.0*[1-9]))(?:\\.(?<fraction>\\d+))?(?<zone>Z|[+-](?:(?:0\\d|1[0-3]):[0-5]\\d|14:00))?");
    private static final Pattern DURATION =
        Pattern.compile(
            "(-)?P(?:(\\d+)Y)?(?:(\\d+)M)?(?:(\\d+)D)?"
                + "(?:T(?:(\\d+)H)?(?:(\\d+)M)?(?:(\\d+)(?:\\.(\\d+))?S)?)?");

    private Lexical() {}
  }
}
