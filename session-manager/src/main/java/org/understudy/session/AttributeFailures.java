package org.understudy.session;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.runtime.handshake.RefusalLog;
import org.understudy.session.record.AttributeException;

/**
 * Logs why sessions cannot be replicated: one line a minute for each attribute and class, since a defect of the web application can fail
 * every request. Clients get a sentence without names. Thread-safe, bounded.
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

  /** Logs that a request fails, with the reason. */
  void log(String method, String uri, AttributeException failure) {
    log("The request " + method + " " + uri + " fails, and its session is as before", failure.subject(), failure.details());
  }

  /** Logs that an attribute cannot be read. What the web application does then is not known. */
  void logUnread(AttributeException failure) {
    log("A request or a thread cannot read a session", failure.subject(), failure.details());
  }

  /** Logs that an attribute is answered as it was captured last. */
  void logUncaptured(AttributeException failure) {
    log(
        "A request that has not set the attribute leaves it as it was captured last", failure.subject(),
        failure.details() + " Change attributes in requests only, or let their writeObject lock what other threads change.");
  }

  /** Logs that a request fails whose method and address are not known, with the reason. */
  void log(String subject, String details) {
    log("A request fails, and its session is as before", subject, details);
  }

  private void log(String effect, String subject, String details) {
    if (pace.isDue(subject, nanos.getAsLong())) {
      LOG.error(
          "{}: {} Logged at most once a minute for each attribute and class. Such failures since the last line that were not logged: {}.",
          effect, details, unlogged.getAndSet(0));
    } else {
      unlogged.incrementAndGet();
    }
  }
}
