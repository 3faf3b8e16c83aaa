package org.understudy.notification.operation;

import java.time.Instant;
import java.util.Optional;

/**
 * A pull point without its messages (WS-BaseNotification 1.3, section 5). Immutable.
 *
 * @param id 32 hexadecimal digits, unguessable: a client with the id can add messages, fetch them, and end the pull point
 * @param created when it was created
 * @param termination when it ends unless it is used before; empty: never
 */
public record PullPoint(String id, Instant created, Optional<Instant> termination) {
  /** Whether it has expired. */
  public boolean expiredAt(Instant now) {
    return termination.isPresent() && !now.isBefore(termination.get());
  }

  /** Returns this pull point with another termination time. */
  public PullPoint until(Optional<Instant> newTermination) {
    return new PullPoint(id, created, newTermination);
  }
}
