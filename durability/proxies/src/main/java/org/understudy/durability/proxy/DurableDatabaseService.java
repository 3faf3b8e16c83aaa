package org.understudy.durability.proxy;

import org.understudy.replication.api.ResourceHome;
import org.understudy.replication.api.decision.DatabaseBacked;
import org.understudy.replication.api.decision.DecisionStore;

/** What a generated service with database objects extends. */
public abstract class DurableDatabaseService extends DurableService implements DatabaseBacked {
  private final SqlDatabase database;

  /**
   * @param home the service's home, from the container
   * @param database usually of {@link SqlDatabaseProvider#openDatabase}
   */
  protected DurableDatabaseService(ResourceHome<?> home, SqlDatabase database) {
    super(home);
    this.database = database;
  }

  /** The database of all database objects of the service. */
  protected final SqlDatabase database() {
    return database;
  }

  @Override
  public final DecisionStore decisionStore() {
    return database.decisionStore();
  }

  @Override
  public final boolean isDatabaseOnly() {
    return durableObjects().areInDatabase();
  }

  @Override
  public final boolean prepareDatabase() {
    return durableObjects().prepare();
  }

  @Override
  public final void reload() {
    durableObjects().recover();
  }

  @Override
  public final void databaseChanged() {
    durableObjects().refresh();
  }
}
