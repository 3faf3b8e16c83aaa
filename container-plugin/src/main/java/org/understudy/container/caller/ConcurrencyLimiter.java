package org.understudy.container.caller;

import java.util.concurrent.atomic.AtomicInteger;
import org.understudy.container.configuration.Configuration;
import org.understudy.container.intake.Shares;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.core.request.Failure;

/** Rejects requests when too many are in progress. A request is in progress until it is answered, parked or not. */
public final class ConcurrencyLimiter {
  private final int limit;
  private final Shares held;
  private final AtomicInteger inProgress = new AtomicInteger();

  /**
   * @param limit the maximum number of requests in progress; {@link Integer#MAX_VALUE} for no limit
   * @param held limits the memory that they hold, together with requests whose bodies are arriving
   */
  public ConcurrencyLimiter(int limit, Shares held) {
    this.limit = limit;
    this.held = held;
  }

  /** Accepts a request, for which {@link #done} must follow. Returns the failure when it is rejected, else null. */
  public Failure accept(Caller caller, long length) {
    Failure full = hold(caller, length);
    if (full != null) {
      return full;
    }
    if (inProgress.incrementAndGet() > limit) {
      done(caller, length);
      return new Failure(
          FailureCode.Overloaded,
          "More than " + limit + " requests are in progress at this replica. Retry at another replica.");
    }
    return null;
  }

  /** Ends an accepted request, which has been answered. */
  public void done(Caller caller, long length) {
    inProgress.decrementAndGet();
    release(caller, length);
  }

  /** Marks an accepted request as forwarded: {@link #release} must follow instead of {@link #done}. */
  public void passOn() {
    inProgress.decrementAndGet();
  }

  /** Counts a request that is forwarded. Returns null when accepted; then {@link #release} must follow. */
  public Failure hold(Caller caller, long length) {
    String full = held.reserve(caller.owner(), Configuration.HELD_REQUEST_BYTES + length);
    return full == null ? null : new Failure(FailureCode.Overloaded, full);
  }

  public void release(Caller caller, long length) {
    held.release(caller.owner(), Configuration.HELD_REQUEST_BYTES + length);
  }

  /** Returns the number of requests in progress. */
  public int load() {
    return inProgress.get();
  }
}
