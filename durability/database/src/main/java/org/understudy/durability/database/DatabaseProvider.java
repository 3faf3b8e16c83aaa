package org.understudy.durability.database;

import org.understudy.durability.proxy.SqlDatabase;
import org.understudy.durability.proxy.SqlDatabaseProvider;
import org.understudy.replication.api.ResourceHome;

/** Opens the database that {@code understudy.database.url} names. The keys are read at its first use. */
public final class DatabaseProvider implements SqlDatabaseProvider {
  /** For {@link java.util.ServiceLoader}. */
  public DatabaseProvider() {}

  @Override
  public SqlDatabase open(ResourceHome<?> home) {
    return new Database(() -> DatabaseSettings.of(home::setting), home, Failpoint.Listener.NONE);
  }
}
