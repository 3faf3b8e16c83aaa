package org.understudy.container.request;

import java.util.concurrent.atomic.AtomicInteger;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.core.Failure;

/**
 * Accepts a request, or points to other replicas when too many are in progress here (Bartoli et al. 2005, the
 * load-balancing filter). A request is in progress until it is answered, parked or not.
 */
public final class LoadBalancing {
  private final int threshold;
  private final AtomicInteger inProgress = new AtomicInteger();

  /** @param threshold requests in progress; {@link Integer#MAX_VALUE} is off */
  public LoadBalancing(int threshold) {
    this.threshold = threshold;
  }

  /** Null when accepted; then {@link #done} must follow. */
  Failure accept() {
    if (inProgress.incrementAndGet() > threshold) {
      inProgress.decrementAndGet();
      return new Failure(
          FailureCode.Overloaded, "More than " + threshold + " requests are in progress here; ask another replica.");
    }
    return null;
  }

  void done() {
    inProgress.decrementAndGet();
  }

  /** Requests in progress now. */
  public int load() {
    return inProgress.get();
  }
}
