package org.understudy.container.interceptor;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.cxf.interceptor.Fault;
import org.apache.cxf.logging.FaultListener;
import org.apache.cxf.message.FaultMode;
import org.apache.cxf.message.Message;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs the requests that the service's stack rejects, in one truncated and escaped line, at most once a minute for each kind: clients
 * control content and frequency. An unchecked exception of a service is logged with its stack trace, at the same rate. A fault that the
 * service declares is an answer and is not logged.
 */
public final class FaultLog implements FaultListener {
  private static final Logger LOG = LoggerFactory.getLogger(FaultLog.class);
  private static final long PAUSE_NS = TimeUnit.MINUTES.toNanos(1);
  private static final int MAX_KINDS = 256;
  private static final int MAX_CHARS = 300;

  private final ConcurrentHashMap<String, Long> lastLogged = new ConcurrentHashMap<>();

  @Override
  public boolean faultOccurred(Exception exception, String description, Message message) {
    if (exception instanceof StoredFault) {
      // It was logged when it was stored.
      return false;
    }
    if (message != null && message.get(FaultMode.class) == FaultMode.CHECKED_APPLICATION_FAULT) {
      return false;
    }
    Throwable cause = exception instanceof Fault && exception.getCause() != null ? exception.getCause() : exception;
    StackTraceElement[] stack = cause.getStackTrace();
    boolean ofService = cause instanceof RuntimeException && !(cause instanceof Fault);
    String kind = cause.getClass().getName() + (ofService && stack.length > 0 ? stack[0] : "");
    if (isDue(kind)) {
      if (ofService) {
        LOG.error("The service threw {}. The client receives a fault. Logged at most once a minute. Stack:{}",
            line(cause.toString()), frames(stack));
      } else {
        LOG.warn("A request was rejected (logged at most once a minute): {}", line(exception.getMessage()));
      }
    }
    return false;
  }

  private boolean isDue(String kind) {
    long now = System.nanoTime();
    if (lastLogged.size() >= MAX_KINDS) {
      lastLogged.values().removeIf(at -> now - at > PAUSE_NS);
      if (lastLogged.size() >= MAX_KINDS) {
        return false;
      }
    }
    boolean[] due = new boolean[1];
    lastLogged.compute(kind, (key, before) -> {
      due[0] = before == null || now - before > PAUSE_NS;
      return due[0] ? Long.valueOf(now) : before;
    });
    return due[0];
  }

  private static String frames(StackTraceElement[] stack) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < Math.min(stack.length, 12); i++) {
      text.append(System.lineSeparator()).append("\tat ").append(stack[i]);
    }
    return text.toString();
  }

  /** Returns one line of printable characters, so that content from a client cannot start another line. */
  static String line(String text) {
    String whole = String.valueOf(text);
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < Math.min(whole.length(), MAX_CHARS); i++) {
      char c = whole.charAt(i);
      if (Character.isISOControl(c) || Character.getType(c) == Character.FORMAT
          || Character.getType(c) == Character.LINE_SEPARATOR || Character.getType(c) == Character.PARAGRAPH_SEPARATOR) {
        line.append(String.format("\\u%04x", (int) c));
      } else {
        line.append(c);
      }
    }
    return whole.length() > MAX_CHARS ? line + " … (" + whole.length() + " characters)" : line.toString();
  }
}
