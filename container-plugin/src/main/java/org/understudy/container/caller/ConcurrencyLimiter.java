package org.understudy.container.caller;

import java.util.concurrent.atomic.AtomicInteger;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.runtime.share.Reservation;

/**
 * Rejects requests when too many are in progress. A request is in progress until it is answered, parked or not, and holds its
 * reservation for as long.
 */
public final class ConcurrencyLimiter {
  private final int limit;
  private final AtomicInteger inProgress = new AtomicInteger();

  /** @param limit the maximum number of requests in progress; {@link Integer#MAX_VALUE} for no limit */
  public ConcurrencyLimiter(int limit) {
    this.limit = limit;
  }

  /** Accepts a request, for which {@link #done} must follow. Returns the failure when it is rejected, else null. */
  public Failure accept(Reservation reservation) {
    reservation.hold();
    if (inProgress.incrementAndGet() > limit) {
      done(reservation);
      return new Failure(
          FailureCode.Overloaded,
          "More than " + limit + " requests are in progress at this replica. Retry at another replica.");
    }
    return null;
  }

  /** Ends an accepted request, which has been answered. */
  public void done(Reservation reservation) {
    inProgress.decrementAndGet();
    reservation.release();
  }

  /** Marks an accepted request as forwarded: the release of its reservation must follow instead of {@link #done}. */
  public void passOn() {
    inProgress.decrementAndGet();
  }

  /** Returns the number of requests in progress. */
  public int load() {
    return inProgress.get();
  }
}
