package org.understudy.durability.database;

import java.util.List;
import org.understudy.durability.proxy.SqlDatabase;
import org.understudy.replication.api.decision.DecisionId;
import org.understudy.replication.api.decision.DecisionStore;

/** What one replica has of its group's database: a pool of its own. */
final class TestReplica implements AutoCloseable {
  static final byte[] NO_KEY = {};

  private volatile Failpoint.Listener listener = Failpoint.Listener.NONE;
  private final Database database;
  private final String table;

  TestReplica(DatabaseSettings settings, String table) {
    this.table = table;
    this.database = new Database(() -> settings, null, step -> listener.reached(step));
  }

  /** What happens at the steps of this replica's commits. */
  void at(Failpoint step, Runnable action) {
    listener = reached -> {
      if (reached == step) {
        listener = Failpoint.Listener.NONE;
        action.run();
      }
    };
  }

  void atEach(Failpoint step, Runnable action) {
    listener = reached -> {
      if (reached == step) {
        action.run();
      }
    };
  }

  Database database() {
    return database;
  }

  SqlDatabase sql() {
    return database;
  }

  String table() {
    return table;
  }

  DecisionStore store() {
    return database.decisionStore();
  }

  void createTable() {
    database.initialize(table, List.of("CREATE TABLE " + table + " (client INT PRIMARY KEY, balance INT)"));
  }

  DatabaseTransaction begin() {
    return (DatabaseTransaction) database.beginTransaction();
  }

  /** A transaction that has inserted a bill. */
  DatabaseTransaction bill(int client) {
    DatabaseTransaction transaction = begin();
    transaction.update("INSERT INTO " + table + " VALUES (?, ?)", client, 0);
    return transaction;
  }

  boolean hasBill(int client) {
    boolean[] found = {false};
    database.read(queries -> found[0] = !queries.query("SELECT client FROM " + table + " WHERE client = ?", client).isEmpty());
    return found[0];
  }

  static DecisionId id(long epoch, long index) {
    return new DecisionId(epoch, index);
  }

  static byte[] response(DecisionId id) {
    return ("response of " + id).getBytes(java.nio.charset.StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    database.close();
  }
}
