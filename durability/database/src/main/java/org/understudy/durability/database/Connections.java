package org.understudy.durability.database;

import com.mysql.cj.jdbc.AbandonedConnectionCleanupThread;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collections;
import java.util.Locale;
import org.hibernate.SessionFactory;
import org.hibernate.StatelessSession;
import org.hibernate.boot.MetadataSources;
import org.hibernate.boot.registry.BootstrapServiceRegistry;
import org.hibernate.boot.registry.BootstrapServiceRegistryBuilder;
import org.hibernate.boot.registry.StandardServiceRegistry;
import org.hibernate.boot.registry.StandardServiceRegistryBuilder;
import org.hibernate.cfg.JdbcSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The connection pool of a database and Hibernate's sessions over it. Thread-safe. */
final class Connections implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Connections.class);
  /** A dead connection delays the fence of a new primary by no more. */
  private static final int VALIDATION_MS = 1000;
  /** Finds connections that died while a backup did not use them. The shortest that the pool permits. */
  private static final int KEEP_ALIVE_MS = 30_000;

  private final PoolThreads threads;
  private final HikariDataSource pool;
  private final Product product;
  private final String schema;
  private final StandardServiceRegistry registry;
  private final SessionFactory sessions;

  /**
   * Connects. Blocks until the database has answered or the time of the settings is over.
   *
   * @throws SQLException when it does not answer or refuses the user
   */
  Connections(DatabaseSettings settings) throws SQLException {
    HikariConfig configuration = configuration(settings);
    this.threads = new PoolThreads(configuration.getPoolName());
    configuration.setThreadFactory(threads::make);
    this.pool = new HikariDataSource(configuration);
    StandardServiceRegistry services = null;
    try (Connection connection = pool.getConnection()) {
      this.product = Product.of(connection);
      this.schema = schema(connection);
      services = services(pool, product, connection);
      this.registry = services;
      this.sessions = new MetadataSources(services).buildMetadata().buildSessionFactory();
    } catch (SQLException | RuntimeException e) {
      if (services != null) {
        StandardServiceRegistryBuilder.destroy(services);
      }
      pool.close();
      throw e;
    }
  }

  Product product() {
    return product;
  }

  /** The schema in which the group has its tables. A server has one of this name, in H2 a database. */
  String schema() {
    return schema;
  }

  private static String schema(Connection connection) throws SQLException {
    try (Statement query = connection.createStatement(); ResultSet row = query.executeQuery("SELECT SCHEMA()")) {
      row.next();
      return row.getString(1);
    }
  }

  /** A session of Hibernate's; it takes a connection when its transaction begins. */
  StatelessSession session() {
    return sessions.openStatelessSession();
  }

  /** A connection without automatic commit. What is not committed is rolled back when it is closed. */
  Connection connection() throws SQLException {
    return pool.getConnection();
  }

  HikariDataSource pool() {
    return pool;
  }

  /** Closes a connection of the pool without a rollback, which would undo what is prepared there. */
  void detach(Connection connection) {
    try {
      Connection physical = connection.unwrap(Connection.class);
      pool.evictConnection(connection);
      physical.close();
    } catch (SQLException e) {
      LOG.debug("A connection whose branch is prepared could not be closed in order.", e);
    }
  }

  /** Replaces connections, each when it is not in use. */
  void renew() {
    HikariPoolMXBean control = pool.getHikariPoolMXBean();
    if (control != null) {
      control.softEvictConnections();
    }
  }

  /** The database answers again: whoever waits for a connection need not wait for the end of the pool's pause too. */
  void connectNow() {
    threads.wake();
    try (Connection connection = pool.getConnection()) {
      LOG.debug("The database answers again: {}", connection);
    } catch (SQLException e) {
      LOG.debug("The database answered, and gives no connection.", e);
    }
  }

  @Override
  public void close() {
    sessions.close();
    StandardServiceRegistryBuilder.destroy(registry);
    pool.close();
    // Tomcat reports drivers that a web application leaves registered.
    ClassLoader own = Connections.class.getClassLoader();
    // Drivers are found by their jars: the one of MySQL can be loaded beside the one that is used.
    if (own.getResource("com/mysql/cj/jdbc/AbandonedConnectionCleanupThread.class") != null) {
      MySqlThread.end(own);
    }
    for (Driver driver : Collections.list(DriverManager.getDrivers())) {
      if (own != ClassLoader.getSystemClassLoader() && driver.getClass().getClassLoader() == own) {
        try {
          DriverManager.deregisterDriver(driver);
        } catch (SQLException e) {
          throw new IllegalStateException(e);
        }
      }
    }
  }

  private static StandardServiceRegistry services(HikariDataSource pool, Product product, Connection connection) throws SQLException {
    // Hibernate finds its classes where it was loaded, in a web application too.
    BootstrapServiceRegistry bootstrap =
        new BootstrapServiceRegistryBuilder().applyClassLoader(Connections.class.getClassLoader()).build();
    return new StandardServiceRegistryBuilder(bootstrap)
        .applySetting(JdbcSettings.JAKARTA_NON_JTA_DATASOURCE, pool)
        .applySetting(JdbcSettings.CONNECTION_PROVIDER_DISABLES_AUTOCOMMIT, true)
        // Hibernate does not recognise MariaDB through Connector/J.
        .applySetting("hibernate.boot.allow_jdbc_metadata_access", false)
        .applySetting(JdbcSettings.JAKARTA_HBM2DDL_DB_NAME, product.hibernateName())
        .applySetting(JdbcSettings.JAKARTA_HBM2DDL_DB_MAJOR_VERSION, product.majorVersion(connection))
        .applySetting(JdbcSettings.JAKARTA_HBM2DDL_DB_MINOR_VERSION, product.minorVersion(connection))
        .build();
  }

  static HikariConfig configuration(DatabaseSettings settings) {
    HikariConfig hikari = new HikariConfig();
    hikari.setPoolName("understudy-database-" + settings.group());
    hikari.setUsername(settings.user());
    hikari.setPassword(settings.password());
    hikari.setMaximumPoolSize(settings.pool());
    hikari.setMinimumIdle(2);
    hikari.setAutoCommit(false);
    hikari.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
    hikari.setConnectionTimeout(Math.max(250, settings.timeoutMs()));
    hikari.setValidationTimeout(Math.max(250, Math.min(VALIDATION_MS, settings.timeoutMs() - 1)));
    hikari.setKeepaliveTime(KEEP_ALIVE_MS);
    // The first use waits for a connection, no longer than later ones.
    hikari.setInitializationFailTimeout(-1);
    if (settings.isH2()) {
      h2(settings, hikari);
    } else {
      mysql(settings, hikari);
    }
    return hikari;
  }

  private static void h2(DatabaseSettings settings, HikariConfig hikari) {
    hikari.setDriverClassName("org.h2.Driver");
    StringBuilder url = new StringBuilder(settings.url());
    String upper = settings.url().toUpperCase(Locale.ROOT);
    if (!settings.url().startsWith("jdbc:h2:mem:") && !upper.contains(";WRITE_DELAY=")) {
      // Durable at commit.
      url.append(";WRITE_DELAY=0");
    }
    if (!DatabaseSettings.isEmbedded(settings.url())) {
      url.append(";NETWORK_TIMEOUT=").append(settings.timeoutMs());
    }
    if (!upper.contains(";TIME ZONE=")) {
      // The same times at replicas in different zones.
      url.append(";TIME ZONE=UTC");
    }
    hikari.setJdbcUrl(url.toString());
    hikari.setConnectionInitSql("SET LOCK_TIMEOUT " + settings.lockMs());
  }

  private static void mysql(DatabaseSettings settings, HikariConfig hikari) {
    hikari.setDriverClassName("com.mysql.cj.jdbc.Driver");
    hikari.setJdbcUrl(settings.url());
    hikari.addDataSourceProperty("sslMode", switch (settings.tls()) {
      case DISABLED -> "DISABLED";
      case PREFERRED -> "PREFERRED";
      case REQUIRED -> "REQUIRED";
      case VERIFIED -> "VERIFY_IDENTITY";
    });
    if (settings.trustStore() != null) {
      hikari.addDataSourceProperty("trustCertificateKeyStoreUrl", Path.of(settings.trustStore()).toUri().toString());
      hikari.addDataSourceProperty("trustCertificateKeyStorePassword", settings.trustStorePassword());
    }
    // Statements are prepared at the server, once a connection, so that values are never part of SQL.
    hikari.addDataSourceProperty("useServerPrepStmts", "true");
    hikari.addDataSourceProperty("emulateUnsupportedPstmts", "false");
    hikari.addDataSourceProperty("cachePrepStmts", "true");
    hikari.addDataSourceProperty("prepStmtCacheSize", "256");
    hikari.addDataSourceProperty("prepStmtCacheSqlLimit", "8192");
    // No round trip for what the driver knows.
    hikari.addDataSourceProperty("useLocalSessionState", "true");
    hikari.addDataSourceProperty("elideSetAutoCommits", "true");
    hikari.addDataSourceProperty("cacheServerConfiguration", "true");
    // Never from a server's answer.
    hikari.addDataSourceProperty("allowLoadLocalInfile", "false");
    hikari.addDataSourceProperty("autoDeserialize", "false");
    // The same times at replicas in different zones.
    hikari.addDataSourceProperty("connectionTimeZone", "UTC");
    hikari.addDataSourceProperty("forceConnectionTimeZoneToSession", "true");
    hikari.addDataSourceProperty("tcpKeepAlive", "true");
    hikari.addDataSourceProperty("connectTimeout", Integer.toString(settings.timeoutMs()));
    hikari.addDataSourceProperty("socketTimeout", Integer.toString(settings.timeoutMs()));
    hikari.setConnectionInitSql("SET SESSION innodb_lock_wait_timeout = " + Math.max(1, (settings.lockMs() + 999) / 1000));
  }

  /** Loaded only where Connector/J is. */
  private static final class MySqlThread {
    /** Ends the driver's thread, which would keep a web application in memory. A shared driver keeps it. */
    static void end(ClassLoader own) {
      if (own != ClassLoader.getSystemClassLoader() && AbandonedConnectionCleanupThread.class.getClassLoader() == own) {
        AbandonedConnectionCleanupThread.uncheckedShutdown();
      }
    }
  }
}
