package org.understudy.durability.database;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;
import org.hibernate.StatelessSession;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.api.decision.BranchId;
import org.understudy.replication.api.decision.DecisionStoreException;

/**
 * The statements that prepare and end the branches of one group: those of XA in MySQL and MariaDB, and H2's own, on which its XA rests. Any
 * session can end a prepared branch. Thread-safe.
 *
 * <p>H2 2.4 has a defect: it rolls back a part only of what a session has prepared that is closed. The session is kept open here therefore.
 * Where it is another replica's, the database is closed first; H2 opens it again and knows the branch then as after a restart.
 *
 * <p>MariaDB has one, too: while it closes the session that has prepared a branch, another session can end the branch, is told that it has
 * done so, and nothing is ended until the server restarts. What was prepared here is ended only when the server does not list that session
 * any more, and {@link #SERVER_CLOSES_NANOS} later.
 */
final class PreparedBranches {
  private static final Logger LOG = LoggerFactory.getLogger(PreparedBranches.class);
  /** Marks our identifiers among those of others: "UNDR". */
  private static final int FORMAT = 0x554e4452;
  private static final int GROUP_BYTES = 8;
  /** XAER_NOTA: unknown, or still attached to the session that has prepared it. */
  private static final int MYSQL_UNKNOWN = 1397;
  private static final int H2_UNKNOWN = 90129;
  private static final int H2_CLOSED = 90121;
  /** What a server still does for a session that it does not list any more takes microseconds. */
  private static final long SERVER_CLOSES_NANOS = 5_000_000;
  /** Of four connections of the pool, one is for other work and for the rows of branches. */
  private static final int SHARE = 4;

  private final Product product;
  private final String group;
  private final String schema;
  /** The sessions of branches that were prepared here; in H2 only. */
  private final Map<BranchId, StatelessSession> open = new ConcurrentHashMap<>();
  /** The server's numbers of closed sessions that have prepared a branch here, until it is ended; not in H2. */
  private final Map<BranchId, Long> closing = new ConcurrentHashMap<>();
  private final int most;
  private final Semaphore places;

  /**
   * @param schema that the group uses in the database
   * @param pool how many connections there are at most
   */
  PreparedBranches(String group, Product product, String schema, int pool) {
    this.product = product;
    this.schema = schema;
    this.most = Math.max(1, pool - Math.max(1, pool / SHARE));
    this.places = new Semaphore(most);
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(group.getBytes(StandardCharsets.UTF_8));
      this.group = HexFormat.of().formatHex(Arrays.copyOf(digest, GROUP_BYTES));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every JVM has SHA-256.", e);
    }
  }

  String schema() {
    return schema;
  }

  /** As SQL. Contains hexadecimal digits and a number only. */
  private String name(BranchId id) {
    return product == Product.H2
        ? "\"UNDERSTUDY_" + group + "_" + id.epoch() + "_" + id.name() + "\""
        : "'" + id.name() + "','" + group + "." + id.epoch() + "'," + FORMAT;
  }

  /**
   * Takes a place for a session of a branch, which keeps its connection until it is prepared, in H2 until it is decided. Followed by
   * {@link #leave} or {@link #keep}.
   *
   * @throws DecisionStoreException when there is none
   */
  void enter(String place) {
    if (!places.tryAcquire()) {
      throw new DecisionStoreException(
          "Transactions over several groups have " + most + " connections to the database " + place + " and use them all. The statement "
              + "was not executed. Repeat the transaction later, or raise understudy.database.pool.",
          null);
    }
  }

  void leave() {
    places.release();
  }

  /** Begins a branch, before its first statement. */
  void start(Connection connection, BranchId id) throws SQLException {
    if (product != Product.H2) {
      execute(connection, "XA START " + name(id));
    }
  }

  /** Prepares a branch, after its last statement. */
  void prepare(Connection connection, BranchId id) throws SQLException {
    if (product == Product.H2) {
      execute(connection, "PREPARE COMMIT " + name(id));
    } else {
      // Once it is prepared, the session answers nothing else.
      closing.put(id, number(connection, "SELECT CONNECTION_ID()"));
      execute(connection, "XA END " + name(id));
      execute(connection, "XA PREPARE " + name(id));
    }
  }

  /** Whether sessions of prepared branches are open here; in H2 only. */
  boolean keepsSessions() {
    return !open.isEmpty();
  }

  /** Takes the session of a prepared branch, which nothing else uses from now on, and its place. */
  void keep(BranchId id, StatelessSession session, Connections connections) {
    if (product == Product.H2) {
      open.put(id, session);
      return;
    }
    leave();
    try {
      // Now any session can end the branch, and the pool does not roll it back.
      session.doWork(connections::detach);
      session.close();
    } catch (RuntimeException e) {
      LOG.debug("The session of a prepared branch could not be closed in order.", e);
    }
  }

  /**
   * Ends a branch by the session that has prepared it.
   *
   * @return false when that is not here, or its connection has died
   */
  boolean endOpen(BranchId id, boolean commit) {
    StatelessSession session = open.remove(id);
    if (session == null) {
      return false;
    }
    try {
      boolean ended = session.doReturningWork(connection -> end(connection, id, commit));
      session.getTransaction().commit();
      return ended;
    } catch (RuntimeException e) {
      LOG.debug("The session of the branch {} has ended.", id, e);
      return false;
    } finally {
      try {
        session.close();
      } catch (RuntimeException e) {
        LOG.debug("The session of a branch could not be closed.", e);
      }
      leave();
    }
  }

  /** Whether {@link #end} with a rollback needs a database that was opened since the branch was prepared. */
  boolean rollsBackAfterOpening() {
    return product == Product.H2;
  }

  /** Closes the database, which the next connection opens. Its user must be an administrator. */
  void closeDatabase(Connection connection) throws SQLException {
    try {
      execute(connection, "SHUTDOWN");
    } catch (SQLException e) {
      // The connection can end with it.
      if (e.getErrorCode() != H2_CLOSED) {
        throw e;
      }
    }
  }

  /** Ends a branch that is not prepared, so that its connection can be used again. */
  void rollBackOpen(Connection connection, BranchId id) throws SQLException {
    if (product != Product.H2) {
      execute(connection, "XA END " + name(id));
      execute(connection, "XA ROLLBACK " + name(id));
    }
  }

  /** Whether the server still closes the session that has prepared a branch here. Waits briefly when it does not any more. */
  boolean isClosing(Connection connection, BranchId id) throws SQLException {
    Long session = closing.get(id);
    if (session == null) {
      return false;
    }
    // Each user sees his own sessions.
    if (number(connection, "SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE ID = " + session) > 0) {
      return true;
    }
    LockSupport.parkNanos(SERVER_CLOSES_NANOS);
    closing.remove(id);
    return false;
  }

  private static long number(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement(); ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getLong(1);
    }
  }

  /**
   * Commits a prepared branch or rolls it back.
   *
   * @param connection with automatic commit
   * @return false when the database does not know it
   */
  boolean end(Connection connection, BranchId id, boolean commit) throws SQLException {
    String verb = commit ? "COMMIT" : "ROLLBACK";
    try {
      execute(connection, product == Product.H2 ? verb + " TRANSACTION " + name(id) : "XA " + verb + " " + name(id));
      return true;
    } catch (SQLException e) {
      if (e.getErrorCode() != MYSQL_UNKNOWN && e.getErrorCode() != H2_UNKNOWN) {
        throw e;
      }
      return false;
    }
  }

  /** Whether the database lists a branch as prepared. In MySQL the user must have the right to see it. */
  boolean isPrepared(Connection connection, BranchId id) throws SQLException {
    String sql = product == Product.H2 ? "SELECT TRANSACTION_NAME FROM INFORMATION_SCHEMA.IN_DOUBT" : "XA RECOVER";
    String own = product == Product.H2 ? name(id).replace("\"", "") : id.name() + group + "." + id.epoch();
    try (Statement statement = connection.createStatement(); ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        if (own.equals(rows.getString(product == Product.H2 ? "TRANSACTION_NAME" : "data"))) {
          return true;
        }
      }
      return false;
    }
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
