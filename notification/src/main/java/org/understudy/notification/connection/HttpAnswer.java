package org.understudy.notification.connection;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpResponse;

/**
 * An answer to a request.
 *
 * @param body empty when answers are not kept
 * @param retryAfter the requested pause, 0 for none or an unreadable one
 */
public record HttpAnswer(int status, byte[] body, Duration retryAfter) {
  static HttpAnswer of(HttpResponse head, byte[] body) {
    Header asked = head.getFirstHeader("Retry-After");
    return new HttpAnswer(
        head.getCode(),
        body == null ? new byte[0] : body,
        asked == null ? Duration.ZERO : retryAfter(asked.getValue(), Instant.now()));
  }

  /** Reads the header, which is seconds or a date (RFC 9110, section 10.2.3). */
  static Duration retryAfter(String value, Instant now) {
    try {
      String text = value.strip();
      Duration asked =
          !text.isEmpty() && Character.isDigit(text.charAt(0))
              ? Duration.ofSeconds(Integer.parseInt(text))
              : Duration.between(now, ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant());
      return asked.isNegative() ? Duration.ZERO : asked;
    } catch (NumberFormatException | DateTimeException e) {
      return Duration.ZERO;
    }
  }
}
