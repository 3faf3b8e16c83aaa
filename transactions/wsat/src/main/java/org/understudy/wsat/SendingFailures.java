package org.understudy.wsat;

import java.util.logging.Filter;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.runtime.handshake.RefusalLog;

/**
 * Logs the messages of WS-AtomicTransaction that could not be sent, or were answered with a fault, in one line a minute for each operation
 * and kind of failure. CXF logs a stack trace for each, and clients choose the addresses and the rate. Below INFO its lines pass.
 * Thread-safe.
 *
 * @param before the filter that decides about all others; null for none
 */
record SendingFailures(Filter before, RefusalLog pace) implements Filter {
  private static final Logger LOG = LoggerFactory.getLogger(SendingFailures.class);

  static SendingFailures with(Filter before) {
    return new SendingFailures(before, new RefusalLog());
  }

  @Override
  public boolean isLoggable(LogRecord logged) {
    if (logged.getLevel().intValue() < Level.INFO.intValue() || !QuietServices.isOurs(logged.getMessage())) {
      return before == null || before.isLoggable(logged);
    }
    Throwable cause = cause(logged.getThrown());
    String operation = logged.getMessage().replaceFirst("^.*\\}", "").replaceFirst("(?s) .*", "");
    if (pace.isDue(operation + " " + (cause == null ? "" : cause.getClass().getName()), System.nanoTime())) {
      LOG.warn(
          "A message of WS-AtomicTransaction could not be sent, or was answered with a fault (logged at most once a minute). {}: {}",
          operation, RefusalLog.printable(cause == null ? logged.getMessage() : cause.getMessage()));
    }
    return false;
  }

  /** CXF's own exception says only that a message could not be sent; the one below it names the address. */
  private static Throwable cause(Throwable thrown) {
    return thrown == null || thrown.getCause() == null ? thrown : thrown.getCause();
  }
}
