package org.understudy.durability.database;

import java.util.List;
import org.flywaydb.core.api.logging.Log;
import org.flywaydb.core.api.logging.LogCreator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Flyway's log lines, as lines of {@code org.flywaydb.core}. Its progress is logged at DEBUG, and so are its errors, which it also throws:
 * the replica reports them once a minute. Warnings stay, except those that accompany a correct start or an exception. Thread-safe. Public
 * for Flyway.
 */
public final class FlywayLog implements LogCreator, Log {
  private static final Logger LOG = LoggerFactory.getLogger("org.flywaydb.core");
  /** Parts of warnings about what {@link Migrations} intends, a newer database and migrations of several services in any order. */
  private static final List<String> EXPECTED =
      List.of(
          "is newer than this version of Flyway", "has not been verified", "has been verified", "outOfOrder mode is active",
          "contains a failed", "newer than the latest available migration");

  /** For Flyway. */
  public FlywayLog() {}

  @Override
  public Log createLogger(Class<?> type) {
    return this;
  }

  @Override
  public boolean isDebugEnabled() {
    return LOG.isDebugEnabled();
  }

  @Override
  public void debug(String message) {
    LOG.debug(message);
  }

  @Override
  public void info(String message) {
    LOG.debug(message);
  }

  @Override
  public void notice(String message) {
    LOG.debug(message);
  }

  @Override
  public void warn(String message) {
    if (EXPECTED.stream().anyMatch(message::contains)) {
      LOG.debug(message);
    } else {
      LOG.warn(message);
    }
  }

  @Override
  public void error(String message) {
    LOG.debug(message);
  }

  @Override
  public void error(String message, Exception cause) {
    LOG.debug(message, cause);
  }
}
