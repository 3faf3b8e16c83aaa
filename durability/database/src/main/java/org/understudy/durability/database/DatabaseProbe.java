package org.understudy.durability.database;

import com.zaxxer.hikari.HikariConfig;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out whether the database answers, on a connection of its own: those of the pool are in use where it matters, and the pool pauses
 * for up to five seconds after failures. Thread-safe.
 */
final class DatabaseProbe implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DatabaseProbe.class);
  /** A database whose answer takes longer counts as one that does not answer. */
  private static final int ANSWER_SECONDS = 2;
  private static final int SECOND_MS = 1_000;

  private final String driver;
  private final String url;
  private final Properties properties = new Properties();
  private Connection connection;
  private boolean closed;

  DatabaseProbe(DatabaseSettings settings) {
    HikariConfig configuration = Connections.configuration(settings.withinMs(ANSWER_SECONDS * SECOND_MS));
    driver = configuration.getDriverClassName();
    url = configuration.getJdbcUrl();
    properties.putAll(configuration.getDataSourceProperties());
    properties.put("user", settings.user());
    if (settings.password() != null) {
      properties.put("password", settings.password());
    }
  }

  /** Connects if there is no connection that answers. Blocks for some seconds at most. */
  synchronized boolean answers() {
    boolean kept = connection != null;
    return !closed && (answersNow() || kept && answersNow());
  }

  private boolean answersNow() {
    try {
      if (connection == null) {
        // Registers it: this may be the first use of the database.
        Class.forName(driver, true, DatabaseProbe.class.getClassLoader());
        connection = DriverManager.getConnection(url, properties);
        return true;
      }
      if (connection.isValid(ANSWER_SECONDS)) {
        return true;
      }
    } catch (SQLException | ClassNotFoundException e) {
      LOG.debug("The database does not answer.", e);
    }
    end();
    return false;
  }

  private void end() {
    try {
      if (connection != null) {
        connection.close();
      }
    } catch (SQLException e) {
      LOG.debug("A connection that does not answer could not be closed in order.", e);
    }
    connection = null;
  }

  @Override
  public synchronized void close() {
    closed = true;
    end();
  }
}
