package org.understudy.durability.proxy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.understudy.replication.api.decision.DecisionStore;

/** A table of bills, and the statements that its transactions have executed. */
final class FakeDatabase implements SqlDatabase {
  final Map<String, Integer> committed = new TreeMap<>();
  final List<String> initialized = new ArrayList<>();
  /** The transactions that {@link #begin} has begun. */
  final List<Work> actions = new ArrayList<>();
  int reads;
  int checks;
  boolean failsToCommit;
  /** The next statement that changes rows is refused, and changes none. */
  boolean rejectsNext;

  /** One transaction. */
  final class Work implements SqlTransaction {
    final Map<String, Integer> rows = new TreeMap<>(committed);
    final List<String> statements = new ArrayList<>();
    boolean ended;

    @Override
    public int update(String sql, Object... arguments) {
      if (ended) {
        throw new IllegalStateException("The transaction has ended.");
      }
      if (rejectsNext) {
        rejectsNext = false;
        throw new IllegalStateException("The statement was rejected.");
      }
      statements.add(sql);
      if (sql.startsWith("INSERT")) {
        rows.put((String) arguments[0], (Integer) arguments[1]);
        return 1;
      }
      return rows.computeIfPresent((String) arguments[1], (client, balance) -> balance + (Integer) arguments[0]) == null ? 0 : 1;
    }

    @Override
    public List<Object[]> query(String sql, Object... arguments) {
      return rows.entrySet().stream().map(row -> new Object[] {row.getKey(), row.getValue()}).toList();
    }

    @Override
    public void commit() {
      ended = true;
      if (failsToCommit) {
        throw new IllegalStateException("The connection is lost.");
      }
      committed.clear();
      committed.putAll(rows);
    }

    @Override
    public void rollback() {
      ended = true;
    }
  }

  @Override
  public SqlAction begin() {
    Work work = new Work();
    actions.add(work);
    return work;
  }

  @Override
  public SqlTransaction beginTransaction() {
    return new Work();
  }

  @Override
  public void read(Consumer<SqlAction> queries) {
    reads++;
    queries.accept(new Work());
  }

  @Override
  public void initialize(String object, List<String> statements) {
    initialized.add(object + ": " + statements);
  }

  @Override
  public boolean isInitialized(String object, List<String> statements) {
    return initialized.contains(object + ": " + statements);
  }

  @Override
  public void check(String object, List<String> statements) {
    checks++;
  }

  @Override
  public DecisionStore decisionStore() {
    throw new UnsupportedOperationException("This database decides nothing.");
  }
}
