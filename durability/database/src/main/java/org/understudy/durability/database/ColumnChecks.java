package org.understudy.durability.database;

import java.lang.invoke.MethodType;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import org.understudy.durability.database.StoredColumn.TextRules;

/**
 * Compares the columns from which a state object is loaded with the types of its values. What a database changes when it stores a value
 * would be noticed after a failover only.
 */
final class ColumnChecks {
  /** What a collation may ignore, and two texts that differ in it only. */
  private static final String[][] PAIRS = {
    {"upper and lower case", "a", "A"}, {"accents", "e", "\u00e9"}, {"spaces at the end", "a", "a "}
  };

  private final Connection connection;
  private final Product product;
  private final List<String> rejections = new ArrayList<>();
  private final List<String> warnings = new ArrayList<>();

  ColumnChecks(Connection connection, Product product) {
    this.connection = connection;
    this.product = product;
  }

  /** Why values cannot be kept, in sentences. */
  List<String> rejections() {
    return rejections;
  }

  /** What may be changed, in sentences. */
  List<String> warnings() {
    return warnings;
  }

  /**
   * Checks the columns of queries.
   *
   * @param queries the types as which the columns of each query are read; {@code Object}, or none, where the type is unknown
   */
  void check(Map<String, List<Class<?>>> queries) throws SQLException {
    for (Map.Entry<String, List<Class<?>>> query : queries.entrySet()) {
      try (PreparedStatement statement = connection.prepareStatement(query.getKey())) {
        ResultSetMetaData columns = statement.getMetaData();
        for (int i = 1; columns != null && i <= columns.getColumnCount(); i++) {
          Class<?> value = i <= query.getValue().size() ? query.getValue().get(i - 1) : Object.class;
          check(column(columns, i), MethodType.methodType(value).wrap().returnType());
        }
      }
    }
    String mode = product.changesOfMode(connection);
    if (mode != null) {
      warnings.add(mode);
    }
  }

  private void check(StoredColumn column, Class<?> value) {
    String rejection = column.rejection(value);
    if (rejection != null) {
      rejections.add(rejection);
      return;
    }
    String warning = column.warning(value);
    if (warning != null) {
      warnings.add(warning);
    }
  }

  private StoredColumn column(ResultSetMetaData columns, int index) throws SQLException {
    String table = columns.getTableName(index);
    String name = columns.getColumnName(index);
    boolean isText = columns.getColumnClassName(index).equals(String.class.getName());
    String place = (table.isEmpty() ? "" : table + ".") + name;
    String typeName =
        columns.getColumnTypeName(index).toLowerCase(Locale.ROOT).replace("character varying", "varchar").replace("character", "char");
    return new StoredColumn(
        place, columns.getColumnType(index), typeName, columns.getPrecision(index), columns.getScale(index),
        isText ? rules(table, name, columns.getColumnTypeName(index)) : null);
  }

  /** Null when nothing is known. */
  private TextRules rules(String table, String column, String typeName) throws SQLException {
    if (product == Product.H2) {
      String collation = product.setting(connection, "COLLATION");
      if (typeName.toUpperCase(Locale.ROOT).contains("IGNORECASE")) {
        return new TextRules("of VARCHAR_IGNORECASE", "upper and lower case", true);
      }
      return new TextRules(collation, collation == null || collation.equals("OFF") ? "" : ignored("'%s'"), true);
    }
    String sql = "SELECT COLLATION_NAME, CHARACTER_SET_NAME FROM INFORMATION_SCHEMA.COLUMNS "
        + "WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ? AND COLUMN_NAME = ?";
    try (PreparedStatement query = connection.prepareStatement(sql)) {
      query.setString(1, table);
      query.setString(2, column);
      try (ResultSet row = query.executeQuery()) {
        String collation = row.next() ? row.getString(1) : null;
        if (collation == null || !collation.matches("\\w+")) {
          return null;
        }
        String characters = row.getString(2);
        String text = "CONVERT('%s' USING " + characters + ") COLLATE " + collation;
        return new TextRules(collation, ignored(text), characters.matches("utf8mb4|utf16|utf32|utf16le"));
      }
    }
  }

  /** Asks the database what it ignores when it compares texts, in words. */
  private String ignored(String text) throws SQLException {
    StringJoiner ignored = new StringJoiner(", ");
    for (String[] pair : PAIRS) {
      String sql = "SELECT " + text.formatted(pair[1]) + " = " + text.formatted(pair[2]);
      try (PreparedStatement query = connection.prepareStatement(sql); ResultSet row = query.executeQuery()) {
        if (row.next() && row.getBoolean(1)) {
          ignored.add(pair[0]);
        }
      }
    }
    return ignored.toString();
  }
}
