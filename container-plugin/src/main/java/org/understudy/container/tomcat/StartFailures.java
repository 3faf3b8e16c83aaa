package org.understudy.container.tomcat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * The exceptions with which servlets of a web application fail while it starts. Tomcat keeps them nowhere but in its log, and goes on
 * with the application. Thread-safe.
 */
public final class StartFailures extends Handler {
  private final List<LogRecord> thrown = new CopyOnWriteArrayList<>();
  /** Null when the server does not log by the JDK. */
  private Logger logger;

  /** Begins to record them. */
  public void begin(TomcatApplication application) {
    logger = application.logger();
    if (logger != null) {
      logger.addHandler(this);
    }
  }

  /** Returns the exception of a servlet, as the end of a sentence. */
  public String of(String servlet) {
    return thrown.stream()
        .filter(entry -> String.valueOf(entry.getMessage()).contains("[" + servlet + "]"))
        .map(entry -> entry.getThrown().toString())
        .findFirst().orElse("the server's log has its exception");
  }

  @Override
  public void publish(LogRecord entry) {
    if (entry.getThrown() != null) {
      thrown.add(entry);
    }
  }

  @Override
  public void flush() {
    // Nothing is buffered.
  }

  /** Ends recording. */
  @Override
  public void close() {
    if (logger != null) {
      logger.removeHandler(this);
    }
    thrown.clear();
  }
}
