package org.understudy.test;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicLong;

/** Reads a value from an H2 database, past the service that uses it. */
public final class DatabaseRow {
  /** H2's code of an error within itself: the query's session is being closed. */
  private static final int CLOSING = 50000;

  private DatabaseRow() {}

  /**
   * Returns the number in the first column of the first row; 0 without a row. Waits while the database does not accept connections: a
   * primary closes it for a moment to roll a branch back.
   *
   * @param url of the database, whose user is sa without a password
   * @throws AssertionError when the query fails
   */
  public static long number(String url, String sql) {
    AtomicLong found = new AtomicLong();
    Condition.await("the database", () -> {
      try (Connection connection = DriverManager.getConnection(url, "sa", "");
          Statement statement = connection.createStatement();
          ResultSet row = statement.executeQuery(sql)) {
        found.set(row.next() ? row.getLong(1) : 0);
        return true;
      } catch (SQLException e) {
        if (e instanceof SQLNonTransientConnectionException || e.getErrorCode() == CLOSING) {
          return false;
        }
        throw new AssertionError(e);
      }
    });
    return found.get();
  }
}
