package org.understudy.container.request;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import javax.xml.namespace.QName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.runtime.handshake.RefusalLog;
import org.understudy.state.StateException;

/**
 * Logs the executions that fail after or without the service's answer, with the stack: one a minute for each operation and failure, since
 * a defect of the service can fail every request. Each client gets its own failure. Thread-safe, bounded.
 */
final class ExecutionFailures {
  private static final Logger LOG = LoggerFactory.getLogger(ExecutionFailures.class);

  private final LongSupplier nanos;
  private final RefusalLog pace = new RefusalLog();
  /** Since the last line. */
  private final AtomicLong unlogged = new AtomicLong();

  /** @param nanos a monotonic clock, in nanoseconds */
  ExecutionFailures(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /**
   * Logs a failure, or counts it.
   *
   * @param failed what could not happen, after "could not"
   */
  void log(QName operation, String failed, Throwable cause) {
    // The message of a state names the path to what cannot be captured. Other messages may differ for each request.
    String reason = cause instanceof StateException ? cause.getMessage() : cause.getClass().getName();
    if (pace.isDue(operation + " " + failed + " " + reason, nanos.getAsLong())) {
      LOG.error(
          "{} could not {}. Its effects are undone. Logged at most once a minute for each operation and failure. Such failures since the "
              + "last line that were not logged: {}.",
          operation, failed, unlogged.getAndSet(0), cause);
    } else {
      unlogged.incrementAndGet();
    }
  }
}
