package org.understudy.durability.database;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.Date;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Time;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Native statements with bound arguments. They are prepared on the connection of Hibernate's session: its native queries interpret a
 * statement at each use, which adds a third to a transaction of H2, and return other types of times than JDBC.
 */
final class Statements {
  /** What drivers store without Java serialization. */
  private static final Set<Class<?>> TYPES = Set.of(
      String.class, Boolean.class, Byte.class, Short.class, Integer.class, Long.class, Float.class, Double.class, BigDecimal.class,
      byte[].class, LocalDate.class, LocalTime.class, LocalDateTime.class, Date.class, Time.class, Timestamp.class);

  private Statements() {}

  /** @throws StatementFailedException for an argument that a driver would have to serialize */
  static void checkTypes(String sql, Object... arguments) {
    for (int i = 0; i < arguments.length; i++) {
      if (arguments[i] != null && !TYPES.contains(arguments[i].getClass())) {
        throw new StatementFailedException(
            "Argument " + (i + 1) + " of the statement " + sql + " is a " + arguments[i].getClass().getName()
                + ", which has no column type in every database. Use text, a number, a boolean, bytes, or a date and time without a zone.",
            null);
      }
    }
  }

  /** Executes a statement that changes rows, and returns their number. */
  static int update(Connection connection, String sql, Object... arguments) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      bind(statement, arguments);
      return statement.executeUpdate();
    }
  }

  /** Executes a query and returns its rows; times as those of java.time, large objects whole. */
  static List<Object[]> query(Connection connection, String sql, Object... arguments) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      bind(statement, arguments);
      try (ResultSet rows = statement.executeQuery()) {
        ResultSetMetaData columns = rows.getMetaData();
        int[] types = new int[columns.getColumnCount()];
        for (int i = 0; i < types.length; i++) {
          types[i] = columns.getColumnType(i + 1);
        }
        List<Object[]> found = new ArrayList<>();
        while (rows.next()) {
          Object[] row = new Object[types.length];
          for (int i = 0; i < types.length; i++) {
            row[i] = value(rows, i + 1, types[i]);
          }
          found.add(row);
        }
        return found;
      }
    }
  }

  private static void bind(PreparedStatement statement, Object... arguments) throws SQLException {
    for (int i = 0; i < arguments.length; i++) {
      statement.setObject(i + 1, arguments[i]);
    }
  }

  /** Drivers differ in what getObject returns for these types. */
  private static Object value(ResultSet rows, int column, int type) throws SQLException {
    return switch (type) {
      // The types of java.sql lose fractions of seconds, and times that the zone of this JVM skips or has twice.
      case Types.TIMESTAMP -> rows.getObject(column, LocalDateTime.class);
      case Types.TIMESTAMP_WITH_TIMEZONE -> inUtc(rows.getObject(column, OffsetDateTime.class));
      case Types.DATE -> rows.getObject(column, LocalDate.class);
      case Types.TIME -> rows.getObject(column, LocalTime.class);
      case Types.CLOB, Types.LONGVARCHAR -> rows.getString(column);
      case Types.BLOB, Types.LONGVARBINARY, Types.VARBINARY, Types.BINARY -> rows.getBytes(column);
      default -> rows.getObject(column);
    };
  }

  private static LocalDateTime inUtc(OffsetDateTime time) {
    return time == null ? null : time.withOffsetSameInstant(ZoneOffset.UTC).toLocalDateTime();
  }
}
