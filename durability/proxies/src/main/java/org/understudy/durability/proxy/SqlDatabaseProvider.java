package org.understudy.durability.proxy;

import java.util.List;
import java.util.ServiceLoader;
import org.understudy.replication.api.ResourceHome;

/** Opens the database that the deployment configures. Found with {@link ServiceLoader}: there is one in the module of databases. */
public interface SqlDatabaseProvider {
  /**
   * Opens the database of a service. Does not connect: a database that is down at the start does not fail the deployment.
   *
   * @param home of the service, with which branches are enlisted
   */
  SqlDatabase open(ResourceHome<?> home);

  /**
   * Opens the database of a service by the provider on the class path.
   *
   * @throws IllegalStateException when there is none, or more than one
   */
  static SqlDatabase openDatabase(ResourceHome<?> home) {
    List<ServiceLoader.Provider<SqlDatabaseProvider>> found =
        ServiceLoader.load(SqlDatabaseProvider.class, SqlDatabaseProvider.class.getClassLoader()).stream().toList();
    if (found.size() != 1) {
      throw new IllegalStateException(
          "The service has database objects and the class path has " + found.size() + " database providers, not one. Add the artifact "
              + "understudy-durability-database to the web application.");
    }
    return found.get(0).get().open(home);
  }
}
