package org.understudy.durability.compiler;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.understudy.durability.proxy.SqlAction;
import org.understudy.durability.proxy.SqlDatabase;
import org.understudy.durability.proxy.SqlTransaction;
import org.understudy.replication.api.decision.DecisionStore;

/** A database in memory with one connection: statements are executed as JDBC executes them. */
final class TestDatabase implements SqlDatabase, SqlAction, AutoCloseable {
  private final Connection connection;
  /** The statements that changed rows, in order. */
  private final List<String> statements = new ArrayList<>();
  private final Set<String> initialized = new HashSet<>();
  private int actions;
  private int checked;

  TestDatabase() throws SQLException {
    connection = DriverManager.getConnection("jdbc:h2:mem:");
    connection.setAutoCommit(false);
  }

  List<String> statements() {
    return statements;
  }

  int actions() {
    return actions;
  }

  void end(boolean commit) {
    try {
      if (commit) {
        connection.commit();
      } else {
        connection.rollback();
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public SqlAction begin() {
    actions++;
    return this;
  }

  @Override
  public SqlTransaction beginTransaction() {
    throw new UnsupportedOperationException("These tests have no transactions.");
  }

  @Override
  public void read(Consumer<SqlAction> queries) {
    queries.accept(this);
  }

  @Override
  public void initialize(String object, List<String> tables) {
    if (initialized.add(object)) {
      tables.forEach(each -> execute(each));
      end(true);
    }
  }

  @Override
  public void check(String object, List<String> all) {
    for (String sql : all) {
      try (PreparedStatement parsed = prepared(sql)) {
        checked += parsed.getParameterMetaData().getParameterCount();
      } catch (SQLException e) {
        throw new IllegalStateException(sql, e);
      }
    }
  }

  /** The number of arguments in all statements that were checked. */
  int checked() {
    return checked;
  }

  private int execute(String sql, Object... arguments) {
    try (PreparedStatement statement = prepared(sql, arguments)) {
      return statement.executeUpdate();
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  private PreparedStatement prepared(String sql, Object... arguments) throws SQLException {
    PreparedStatement statement = connection.prepareStatement(sql);
    for (int i = 0; i < arguments.length; i++) {
      statement.setObject(i + 1, arguments[i]);
    }
    return statement;
  }

  @Override
  public int update(String sql, Object... arguments) {
    statements.add(sql);
    return execute(sql, arguments);
  }

  @Override
  public List<Object[]> query(String sql, Object... arguments) {
    List<Object[]> rows = new ArrayList<>();
    try (PreparedStatement statement = prepared(sql, arguments); ResultSet result = statement.executeQuery()) {
      while (result.next()) {
        Object[] row = new Object[result.getMetaData().getColumnCount()];
        for (int i = 0; i < row.length; i++) {
          boolean time = result.getMetaData().getColumnType(i + 1) == Types.TIMESTAMP;
          row[i] = time ? result.getObject(i + 1, LocalDateTime.class) : result.getObject(i + 1);
        }
        rows.add(row);
      }
      return rows;
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  @Override
  public DecisionStore decisionStore() {
    throw new UnsupportedOperationException("This database decides nothing.");
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
