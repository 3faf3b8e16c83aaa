package org.understudy.wsat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Filter;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.apache.cxf.endpoint.ServerImpl;
import org.apache.cxf.phase.PhaseInterceptorChain;
import org.apache.cxf.ws.addressing.ContextUtils;
import org.apache.cxf.wsdl.service.factory.ReflectionServiceFactoryBean;

/**
 * Drops what CXF logs at INFO whenever Narayana sends a message, because its clients build a service each time, and when the endpoints of
 * WS-AtomicTransaction are published. What it logs of each message without headers of WS-Addressing passes once a minute. Of
 * messages that cannot be sent {@link SendingFailures} logs a line. What CXF logs of other services stays, and so does a filter that
 * somebody has set. Thread-safe.
 */
final class QuietServices {
  private static final String SERVICES = "{http://docs.oasis-open.org/ws-tx/";
  /** Kept, because a logger that nobody refers to loses its filter. */
  private static final List<Logger> LOGGERS =
      List.of(Logger.getLogger(ReflectionServiceFactoryBean.class.getName()), Logger.getLogger(ServerImpl.class.getName()));

  private static final Logger ADDRESSING = Logger.getLogger(ContextUtils.class.getName());
  private static final Logger SENDING = Logger.getLogger(PhaseInterceptorChain.class.getName());

  private QuietServices() {}

  /** Begins to drop it, in this class loader. Idempotent. */
  static void install() {
    for (Logger logger : LOGGERS) {
      Filter before = logger.getFilter();
      if (!(before instanceof OtherThanOurs)) {
        logger.setFilter(new OtherThanOurs(before));
      }
    }
    if (!(ADDRESSING.getFilter() instanceof OnceAMinute)) {
      ADDRESSING.setFilter(OnceAMinute.with(ADDRESSING.getFilter()));
    }
    if (!(SENDING.getFilter() instanceof SendingFailures)) {
      SENDING.setFilter(SendingFailures.with(SENDING.getFilter()));
    }
  }

  /** Removes the filters. Idempotent. */
  static void remove() {
    for (Logger logger : LOGGERS) {
      if (logger.getFilter() instanceof OtherThanOurs ours) {
        logger.setFilter(ours.before());
      }
    }
    if (ADDRESSING.getFilter() instanceof OnceAMinute ours) {
      ADDRESSING.setFilter(ours.before());
    }
    if (SENDING.getFilter() instanceof SendingFailures ours) {
      SENDING.setFilter(ours.before());
    }
  }

  static boolean isOurs(String message) {
    return message != null && (message.contains(SERVICES) || message.contains(" /ws-c11/") || message.contains(" /ws-t11-"));
  }

  /** Passes all but what is about services of WS-AtomicTransaction. */
  private record OtherThanOurs(Filter before) implements Filter {
    @Override
    public boolean isLoggable(LogRecord logged) {
      return !(logged.getLevel() == Level.INFO && isOurs(logged.getMessage())) && (before == null || before.isLoggable(logged));
    }
  }

  /** Passes what clients can cause at any rate once a minute. */
  private record OnceAMinute(Filter before, AtomicLong last) implements Filter {
    private static final long PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);

    static OnceAMinute with(Filter before) {
      return new OnceAMinute(before, new AtomicLong(System.nanoTime() - 2 * PAUSE_NANOS));
    }

    @Override
    public boolean isLoggable(LogRecord logged) {
      long now = System.nanoTime();
      long passed = last.get();
      return now - passed > PAUSE_NANOS && last.compareAndSet(passed, now) && (before == null || before.isLoggable(logged));
    }
  }
}
