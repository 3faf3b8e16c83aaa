package org.understudy.durability.proxy;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.understudy.replication.api.ResourceHome;
import org.understudy.replication.api.decision.DecisionStore;

/** The database of a service's database objects, the same for all replicas. Thread-safe; every method may block. */
public interface SqlDatabase {
  /**
   * Begins the database transaction of the operation that the calling thread executes, and enlists it with the service's home ({@link
   * ResourceHome#enlist}), which ends it. Called at most once an operation, or once for all operations of a transaction.
   */
  SqlAction begin();

  /** Begins a database transaction that its caller ends. */
  SqlTransaction beginTransaction();

  /** Runs queries in a transaction of their own, which sees what has been committed. */
  void read(Consumer<SqlAction> queries);

  /**
   * Creates the tables of a state object. Runs once in the life of the database, by one replica, and never inside an action.
   *
   * @param object the name of the state object
   * @param statements in order; the same for each call with this name, otherwise the database refuses them
   */
  void initialize(String object, List<String> statements);

  /**
   * Connects, and returns whether {@link #initialize} has run for a state object. Changes nothing, so that every replica may call it.
   *
   * @param object the name of the state object
   * @param statements those of {@link #initialize}
   */
  default boolean isInitialized(String object, List<String> statements) {
    return false;
  }

  /**
   * Has the database parse statements of a state object without executing them, so that one that names a missing table is found before the
   * first request.
   *
   * @throws RuntimeException for a statement that the database refuses
   */
  default void check(String object, List<String> statements) {}

  /**
   * Compares the columns from which a state object is loaded with the types of its values, so that columns which store other values than
   * they get are found before the first request. Logs what may be changed.
   *
   * @param queries the types as which the columns of each query are read, in order; {@code Object}, or none, where the type is unknown
   * @throws RuntimeException for columns that cannot keep the values
   */
  default void checkColumns(String object, Map<String, List<Class<?>>> queries) {}

  /** Whether each update is compared with what the database has stored ({@code understudy.check=restore}, for tests). */
  default boolean comparesUpdates() {
    return false;
  }

  /** The rows that decide updates in this database. */
  DecisionStore decisionStore();
}
