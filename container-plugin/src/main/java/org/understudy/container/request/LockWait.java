package org.understudy.container.request;

import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.wsrf.resource.LockRequest;
import org.understudy.wsrf.resource.ResourceTransaction;

/** The wait of an execution for a resource that other transactions hold for long. Thread-safe. */
final class LockWait extends Suspension {
  private static final Logger LOG = LoggerFactory.getLogger(LockWait.class);

  private final ServiceRun run;
  private final ResourceTransaction transaction;
  private volatile boolean timedOut;
  /** Written by the thread that begins the wait, before it leaves. */
  private Future<?> timer;

  LockWait(ServiceRun run, LockRequest lock) {
    super(run.exchange);
    this.run = run;
    this.transaction = lock.transaction();
  }

  /** @return false when the lock has been granted already */
  boolean begin(LockRequest lock, ExecutionWatch clock, long timeoutMs) {
    if (!lock.awaitLater(this::end)) {
      return false;
    }
    try {
      timer = clock.after(timeoutMs, this::timeOut);
    } catch (RejectedExecutionException e) {
      LOG.debug("The web application is stopping.", e);
    }
    return true;
  }

  private void timeOut() {
    if (transaction.withdraw()) {
      timedOut = true;
      end();
    }
  }

  ServiceRun run() {
    return run;
  }

  ResourceTransaction transaction() {
    return transaction;
  }

  /** Stops the timer, because the wait is over. */
  void stopTimer() {
    if (timer != null) {
      timer.cancel(false);
    }
  }

  /** Whether the lock was not granted in time. */
  boolean isTimedOut() {
    return timedOut;
  }

  @Override
  void dropped() {
    stopTimer();
    if (!transaction.withdraw() && transaction.holdsLock()) {
      run.granted(transaction);
    }
    run.drop();
  }
}
