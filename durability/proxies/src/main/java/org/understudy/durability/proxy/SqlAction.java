package org.understudy.durability.proxy;

import java.util.List;

/**
 * The statements of one database transaction, as generated proxies use it. Every method blocks until the database has answered. Used by
 * one thread at a time. A failure is a {@link RuntimeException}; the operation lets it pass and is undone.
 */
public interface SqlAction {
  /**
   * Executes a statement that changes rows.
   *
   * @param sql with a question mark for each argument; always prepared, never put together from values
   * @return the number of changed rows
   */
  int update(String sql, Object... arguments);

  /**
   * Executes a query.
   *
   * @param sql as for {@link #update}
   * @return the rows, each with the values of its columns in order, as JDBC returns them; dates and times as {@code LocalDate}, {@code
   *     LocalTime} and {@code LocalDateTime}
   */
  List<Object[]> query(String sql, Object... arguments);
}
