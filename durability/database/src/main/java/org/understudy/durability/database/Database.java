package org.understudy.durability.database;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.flywaydb.core.api.FlywayException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.durability.proxy.SqlAction;
import org.understudy.durability.proxy.SqlDatabase;
import org.understudy.durability.proxy.SqlTransaction;
import org.understudy.replication.api.ResourceHome;
import org.understudy.replication.api.decision.DecidedRow;
import org.understudy.replication.api.decision.DecisionStore;
import org.understudy.replication.api.decision.DecisionStoreException;

/**
 * The database of a service, which all replicas of its group use. It connects when it is first used, and again after each failure, with
 * a pool of connections. It refuses to commit what has another epoch than the group's row; see {@code docs/design/durability.md}.
 *
 * <p>Thread-safe. Every method that uses the database blocks, at most for {@code understudy.database.timeout.ms} a statement, and throws
 * {@link DecisionStoreException} when the database does not answer.
 */
public final class Database implements SqlDatabase, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Database.class);

  private final Supplier<DatabaseSettings> configuration;
  private final ResourceHome<?> home;
  private final Failpoint.Listener failpoint;
  private final DecisionTable decisions = new DecisionTable(this);
  private final LockWaits lockWaits = new LockWaits(this, decisions);
  private final Object opening = new Object();
  /** Null before the first probe, and where the database is part of this process. */
  private DatabaseProbe probe;
  private volatile DatabaseSettings settings;
  private volatile Opened opened;
  private boolean closed;

  /**
   * Does not connect.
   *
   * @param configuration read at the first use
   * @param home of the service; null when nothing calls {@link #begin}
   */
  Database(Supplier<DatabaseSettings> configuration, ResourceHome<?> home, Failpoint.Listener failpoint) {
    this.configuration = configuration;
    this.home = home;
    this.failpoint = failpoint;
  }

  @Override
  public SqlAction begin() {
    DatabaseTransaction transaction = new DatabaseTransaction(this, decisions.fencedEpoch());
    home.enlist(transaction);
    return transaction;
  }

  @Override
  public SqlTransaction beginTransaction() {
    return new DatabaseTransaction(this, decisions.fencedEpoch());
  }

  @Override
  public void read(Consumer<SqlAction> queries) {
    DatabaseTransaction transaction = new DatabaseTransaction(this, decisions.fencedEpoch());
    try {
      queries.accept(transaction);
    } finally {
      transaction.rollback();
    }
  }

  @Override
  public void initialize(String object, List<String> statements) {
    Opened database = opened();
    try {
      database.migrations().initialize(object, statements);
    } catch (FlywayException e) {
      throw unavailable("The tables of the state object " + object + " were not checked", e);
    }
  }

  @Override
  public boolean isInitialized(String object, List<String> statements) {
    try {
      if (!connected().migrations().haveRun(object, statements)) {
        return false;
      }
    } catch (FlywayException e) {
      throw unavailable("The tables of the state object " + object + " were not checked", e);
    }
    // Makes the first session, for which Hibernate loads classes.
    read(queries -> queries.query("SELECT COUNT(*) FROM understudy_epoch"));
    return true;
  }

  @Override
  public void check(String object, List<String> statements) {
    Opened database = opened();
    for (String sql : statements) {
      try (Connection connection = database.connections().connection(); PreparedStatement statement = connection.prepareStatement(sql)) {
        statement.getParameterMetaData();
      } catch (SQLException e) {
        if (Failure.of(e) == Failure.CONNECTION) {
          throw unavailable("The statements of the state object " + object + " were not checked", e);
        }
        throw new StatementFailedException(
            "The database " + place() + " does not accept a statement of the state object " + object + ": " + sql + " ("
                + Failure.describe(e) + "). Correct it in the durability mapping.",
            e);
      }
    }
  }

  @Override
  public void checkColumns(String object, Map<String, List<Class<?>>> queries) {
    Opened database = opened();
    try (Connection connection = database.connections().connection()) {
      ColumnChecks checks = new ColumnChecks(connection, database.connections().product());
      checks.check(queries);
      if (!checks.rejections().isEmpty()) {
        throw new StatementFailedException(
            "The state object " + object + " cannot be kept in the database " + place() + ". " + String.join(" ", checks.rejections()),
            null);
      }
      for (String warning : checks.warnings()) {
        LOG.warn("The database {} may change values of the state object {} when it stores them. {}", place(), object, warning);
      }
    } catch (SQLException e) {
      throw unavailable("The columns of the state object " + object + " were not checked", e);
    }
  }

  @Override
  public boolean comparesUpdates() {
    return home != null && "restore".equals(home.setting("understudy.check"));
  }

  @Override
  public DecisionStore decisionStore() {
    return decisions;
  }

  /**
   * Reads the row of a request that has committed here.
   *
   * @param key the encoded identity of the request
   */
  public Optional<DecidedRow> reply(byte[] key) {
    Opened database = opened();
    try (Connection connection = database.connections().connection()) {
      return database.decisions().reply(connection, key);
    } catch (SQLException e) {
      throw unavailable("A stored answer was not read", e);
    }
  }

  /** Whether the database answers, asked beside the pool. Blocks for some seconds at most. */
  boolean answers() {
    DatabaseProbe present;
    synchronized (opening) {
      if (closed || DatabaseSettings.isEmbedded(settings().url())) {
        return true;
      }
      if (probe == null) {
        probe = new DatabaseProbe(settings());
      }
      present = probe;
    }
    return present.answers();
  }

  /** The database answers again after a time without. */
  void connectNow() {
    Opened open = opened;
    if (open != null) {
      open.connections().connectNow();
    }
  }

  /** Closes the pool. Open transactions are rolled back. */
  @Override
  public void close() {
    DatabaseProbe present;
    synchronized (opening) {
      closed = true;
      present = probe;
      probe = null;
      if (opened != null) {
        opened.connections().close();
        opened = null;
      }
    }
    if (present != null) {
      // It may be asking, which lasts some seconds.
      present.close();
    }
  }

  LockWaits lockWaits() {
    return lockWaits;
  }

  Failpoint.Listener failpoint() {
    return failpoint;
  }

  /** The connections and tables; connects at the first use, and creates tables that are missing. */
  Opened opened() {
    Opened open = connected();
    if (!open.migrations().isDone()) {
      try {
        open.migrations().run();
      } catch (FlywayException e) {
        throw unavailable("The tables of decisions were not checked", e);
      }
    }
    return open;
  }

  /** The connections, also before the tables exist. */
  private Opened connected() {
    Opened open = opened;
    if (open != null) {
      return open;
    }
    synchronized (opening) {
      if (closed) {
        throw new DecisionStoreException("The database was closed with its service. Nothing was executed.", null);
      }
      if (opened == null) {
        opened = connect();
      }
      return opened;
    }
  }

  private Opened connect() {
    DatabaseSettings current = settings();
    Connections connections;
    try {
      connections = new Connections(current);
    } catch (SQLException | RuntimeException e) {
      throw unavailable("The database was not opened", e);
    }
    Product product = connections.product();
    return new Opened(
        connections, new Migrations(connections.pool(), product), new EpochRows(current, product), new DecisionRows(current, product),
        new BranchRows(current, product), new PreparedBranches(current.group(), product, connections.schema(), current.pool()));
  }

  private DatabaseSettings settings() {
    DatabaseSettings current = settings;
    if (current == null) {
      current = configuration.get();
      settings = current;
    }
    return current;
  }

  String place() {
    return settings().place();
  }

  int timeoutMs() {
    return settings().timeoutMs();
  }

  /** An exception for a database that does not do its work now. */
  DecisionStoreException unavailable(String what, Throwable cause) {
    return new DecisionStoreException(
        what + ": the database " + place() + " could not be used (" + Failure.describe(cause) + ")." + Failure.advice(cause), cause);
  }

  /** What there is once the database has been reached. */
  record Opened(
      Connections connections,
      Migrations migrations,
      EpochRows epochs,
      DecisionRows decisions,
      BranchRows branches,
      PreparedBranches prepared) {}
}
