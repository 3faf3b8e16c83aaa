package org.understudy.session;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.runtime.handshake.RefusalLog;
import org.understudy.session.record.AttributeException;

/**
 * Logs the requests that fail because an attribute cannot be replicated: one a minute for each attribute and class, since a defect of the
 * web application can fail every request. Each client gets its own failure. Thread-safe, bounded.
 */
final class AttributeFailures {
  private static final Logger LOG = LoggerFactory.getLogger(AttributeFailures.class);

  private final LongSupplier nanos;
  private final RefusalLog pace = new RefusalLog();
  /** Since the last line. */
  private final AtomicLong unlogged = new AtomicLong();

  /** @param nanos a monotonic clock, in nanoseconds */
  AttributeFailures(LongSupplier nanos) {
    this.nanos = nanos;
  }

  void log(String method, String uri, AttributeException failure) {
    if (pace.isDue(failure.subject(), nanos.getAsLong())) {
      LOG.error(
          "The request {} {} fails, and its session is as before: {} Logged at most once a minute for each attribute and class."
              + " Such failures since the last line that were not logged: {}.",
          method, uri, failure.getMessage(), unlogged.getAndSet(0));
    } else {
      unlogged.incrementAndGet();
    }
  }
}
