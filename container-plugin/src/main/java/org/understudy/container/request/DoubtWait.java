package org.understudy.container.request;

import jakarta.servlet.FilterChain;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.wsrf.operation.NotNowException;

/** The wait of an execution for an object that a transaction in doubt has changed at an earlier primary. Thread-safe. */
final class DoubtWait extends Suspension {
  private static final Logger LOG = LoggerFactory.getLogger(DoubtWait.class);
  private static final long PAUSE_MS = 20;

  private final ServiceRun run;
  private final Function<FilterChain, Suspension> next;
  private final BooleanSupplier doubt;
  private final ExecutionWatch clock;
  private final long timeoutMs;
  private final long deadline;
  private volatile boolean timedOut;
  private volatile Future<?> timer;

  private DoubtWait(
      ServiceRun run, Function<FilterChain, Suspension> next, BooleanSupplier doubt, ExecutionWatch clock, long timeoutMs) {
    super(run.exchange);
    this.run = run;
    this.next = next;
    this.doubt = doubt;
    this.clock = clock;
    this.timeoutMs = timeoutMs;
    this.deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
  }

  /**
   * Begins a wait.
   *
   * @param next what the execution does afterwards
   * @param doubt whether the object is in doubt; must not block
   * @return null when it is not
   */
  static DoubtWait begin(
      ServiceRun run, Function<FilterChain, Suspension> next, BooleanSupplier doubt, ExecutionWatch clock, long timeoutMs) {
    if (!doubt.getAsBoolean()) {
      return null;
    }
    DoubtWait wait = new DoubtWait(run, next, doubt, clock, timeoutMs);
    wait.checkLater();
    return wait;
  }

  private void checkLater() {
    try {
      timer = clock.after(PAUSE_MS, this::check);
    } catch (RejectedExecutionException e) {
      LOG.debug("The web application is stopping.", e);
    }
  }

  private void check() {
    if (!doubt.getAsBoolean()) {
      end();
    } else if (System.nanoTime() - deadline >= 0) {
      timedOut = true;
      end();
    } else {
      checkLater();
    }
  }

  ServiceRun run() {
    return run;
  }

  /**
   * Continues the execution.
   *
   * @throws NotNowException when the object was still in doubt at the end of the wait
   */
  Suspension next(FilterChain chain) {
    if (timedOut) {
      throw new NotNowException(
          "A transaction that an earlier primary has prepared has changed what the request needs, and its decision has not arrived within "
              + timeoutMs + " ms. Nothing was executed. Retry later.");
    }
    return next.apply(chain);
  }

  @Override
  void dropped() {
    Future<?> last = timer;
    if (last != null) {
      last.cancel(false);
    }
    run.drop();
  }
}
