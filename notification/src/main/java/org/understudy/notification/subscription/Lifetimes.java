package org.understudy.notification.subscription;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.understudy.notification.fault.NotificationFault;
import org.understudy.notification.fault.NotificationFaultType;

/**
 * Grants termination times: exactly the requested time, or a fault (WS-BaseNotification 1.3, sections 4.2 and 6.1.1).
 *
 * @param byDefault when none was requested; limited to the longest
 * @param longest from now; empty: for ever
 */
public record Lifetimes(Duration byDefault, Optional<Duration> longest) {
  /** Times beyond this year count as never, and some clients cannot read them. */
  private static final Instant END_OF_TIME = Instant.parse("9999-12-31T23:59:59Z");

  /**
   * The termination time to set.
   *
   * @param now the producer's current time
   * @param otherwise the fault for a time that is past or too far away
   * @return empty: never
   * @throws NotificationFault of that type, with the earliest and latest possible time
   */
  public Optional<Instant> grant(RequestedTermination requested, Instant now, NotificationFaultType otherwise)
      throws NotificationFault {
    Instant latest = longest.map(now::plus).orElse(null);
    if (requested instanceof RequestedTermination.Unspecified) {
      Instant end = now.plus(byDefault);
      return Optional.of(latest != null && latest.isBefore(end) ? latest : end);
    }
    if (requested instanceof RequestedTermination.Never) {
      if (latest != null) {
        throw fault(otherwise, "A subscription must have a termination time here.", now, latest);
      }
      return Optional.empty();
    }
    Instant end = moment(requested, now, latest, otherwise);
    if (!end.isAfter(now)) {
      throw fault(otherwise, "The termination time " + end + " is not in the future.", now, latest);
    }
    if (end.isAfter(latest == null ? END_OF_TIME : latest)) {
      throw fault(otherwise, "The termination time is too far away.", now, latest);
    }
    return Optional.of(RequestedTermination.granted(end));
  }

  private static Instant moment(RequestedTermination requested, Instant now, Instant latest, NotificationFaultType otherwise)
      throws NotificationFault {
    if (requested instanceof RequestedTermination.At at) {
      return at.time();
    }
    try {
      return ((RequestedTermination.After) requested).from(now);
    } catch (DateTimeException | ArithmeticException e) {
      throw fault(otherwise, "The termination time is too far away.", now, latest);
    }
  }

  private static NotificationFault fault(NotificationFaultType type, String description, Instant now, Instant latest) {
    return NotificationFault.bounding(type, description, now, latest);
  }
}
