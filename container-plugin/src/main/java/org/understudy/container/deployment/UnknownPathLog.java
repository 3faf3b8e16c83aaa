package org.understudy.container.deployment;

import java.util.logging.Filter;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.apache.cxf.transport.servlet.ServletController;
import org.slf4j.LoggerFactory;
import org.understudy.replication.runtime.handshake.RefusalLog;

/**
 * Logs a request at a path of CXF's servlet without an endpoint in one short line a minute. CXF writes a line with the whole address for
 * each, and clients choose the addresses and the rate. Without effect where CXF logs by another library than that of the JDK. Thread-safe.
 *
 * @param before the filter that decides about all others; null for none
 */
record UnknownPathLog(Filter before, RefusalLog pace) implements Filter {
  private static final org.slf4j.Logger LOG = LoggerFactory.getLogger(UnknownPathLog.class);
  private static final String BEGIN = "Can't find the request for ";
  /** Kept, because the JDK forgets the filter of a logger that nobody holds. */
  private static final Logger CONTROLLER = Logger.getLogger(ServletController.class.getName());

  /** Sets the filter. Idempotent. */
  static void begin() {
    if (!(CONTROLLER.getFilter() instanceof UnknownPathLog)) {
      CONTROLLER.setFilter(new UnknownPathLog(CONTROLLER.getFilter(), new RefusalLog()));
    }
  }

  /** Removes the filter. Idempotent. */
  static void end() {
    if (CONTROLLER.getFilter() instanceof UnknownPathLog ours) {
      CONTROLLER.setFilter(ours.before());
    }
  }

  @Override
  public boolean isLoggable(LogRecord logged) {
    String message = logged.getMessage();
    if (message == null || !message.startsWith(BEGIN)) {
      return before == null || before.isLoggable(logged);
    }
    if (pace.isDue(BEGIN, System.nanoTime())) {
      LOG.warn(
          "A request names a path without an endpoint (logged at most once a minute): {}",
          RefusalLog.printable(message.substring(BEGIN.length())));
    }
    return false;
  }
}
