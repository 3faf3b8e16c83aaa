package org.understudy.durability.database;

import java.security.cert.CertificateException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.net.ssl.SSLException;

/** What an error of the database means for the transaction that met it. */
enum Failure {
  /** The database has rolled the transaction back, or it must be: a deadlock, or a lock that was not granted in time. */
  CONFLICT,
  /** No connection, or the connection has died. What was not committed never will be. */
  CONNECTION,
  /** A unique key has this value already. */
  DUPLICATE,
  /** The values are not allowed: a constraint, a range, a type. The transaction goes on. */
  DATA,
  /** Anything else. The transaction goes on. */
  STATEMENT;

  /** Deadlock, lock wait timeout, and a row changed since the snapshot (MySQL, MariaDB). */
  private static final Set<Integer> MYSQL_CONFLICTS = Set.of(1205, 1213, 1020, 3572);
  /** Deadlock, lock timeout, concurrent update (H2). */
  private static final Set<Integer> H2_CONFLICTS = Set.of(40001, 50200, 90131);
  /** Of MySQL, MariaDB and H2. */
  private static final Set<Integer> LOCK_TIMEOUTS = Set.of(1205, 50200);
  /** Shutdown in progress, killed, connection limits (MySQL, MariaDB). */
  private static final Set<Integer> MYSQL_CONNECTION = Set.of(1040, 1053, 1927, 3169, 4031, 1317);
  /**
   * Connection broken, database closed, closed object, file in use or corrupt, database being closed, and an error within H2 itself, which
   * a statement gets whose session is being closed (H2).
   */
  private static final Set<Integer> H2_CONNECTION = Set.of(90067, 90098, 90121, 90007, 90020, 57014, 90135, 50000);
  private static final int H2_NO_ADMINISTRATOR = 90040;
  private static final int MAX_CAUSES = 20;
  private static final Set<Integer> DUPLICATES = Set.of(1062, 1586, 23505);

  static Failure of(Throwable thrown) {
    SQLException sql = sqlException(thrown);
    if (sql == null) {
      return STATEMENT;
    }
    String state = sql.getSQLState() == null ? "" : sql.getSQLState();
    int code = sql.getErrorCode();
    if (sql instanceof SQLTransientConnectionException || state.startsWith("08") || MYSQL_CONNECTION.contains(code)
        || H2_CONNECTION.contains(code)) {
      return CONNECTION;
    }
    if (state.startsWith("40") || MYSQL_CONFLICTS.contains(code) || H2_CONFLICTS.contains(code)) {
      return CONFLICT;
    }
    if (DUPLICATES.contains(code)) {
      return DUPLICATE;
    }
    return state.startsWith("22") || state.startsWith("23") ? DATA : STATEMENT;
  }

  /** Whether the transaction cannot go on. */
  boolean endsTransaction() {
    return this == CONFLICT || this == CONNECTION;
  }

  /** Whether a lock was not granted in time, rather than that there was a deadlock. */
  static boolean isLockTimeout(Throwable thrown) {
    SQLException sql = sqlException(thrown);
    return of(thrown) == CONFLICT && LOCK_TIMEOUTS.contains(sql.getErrorCode());
  }

  /** Whether a connection has died, rather than that there is none. */
  static boolean isBrokenConnection(Throwable thrown) {
    return of(thrown) == CONNECTION && !(sqlException(thrown) instanceof SQLTransientConnectionException);
  }

  /**
   * For messages: the state and code of the error, and its reason. A pool or driver reports only that there is no connection, so the reason
   * is that of the last cause. Without the driver's text where this may hold values of rows.
   */
  static String describe(Throwable thrown) {
    SQLException sql = sqlException(thrown);
    if (sql == null) {
      return thrown.toString();
    }
    Failure kind = of(thrown);
    String codes = "SQLSTATE " + sql.getSQLState() + ", code " + sql.getErrorCode();
    if (kind == DUPLICATE || kind == DATA) {
      return codes;
    }
    List<Throwable> chain = chain(thrown);
    String text = "";
    for (int i = chain.size() - 1; i >= 0 && text.isEmpty(); i--) {
      text = firstLine(chain.get(i).getMessage());
    }
    return codes + ": " + text;
  }

  /** What to do about the error, as sentences that begin with a space; empty if there is nothing more to say than {@link #describe}. */
  static String advice(Throwable thrown) {
    boolean tls = chain(thrown).stream().anyMatch(one -> one instanceof SSLException || one instanceof CertificateException);
    SQLException sql = sqlException(thrown);
    if (sql != null && sql.getErrorCode() == H2_NO_ADMINISTRATOR) {
      return " understudy.database.user must be an administrator of an H2 database: execute ALTER USER … ADMIN TRUE there.";
    }
    return tls
        ? " The TLS connection failed. understudy.database.tls=verified needs a certificate that names the host of "
            + "understudy.database.url, and understudy.trust.store, else the JVM's trust store, must contain it or its issuer."
        : "";
  }

  private static String firstLine(String message) {
    return message == null ? "" : message.lines().findFirst().orElse("").strip();
  }

  private static SQLException sqlException(Throwable thrown) {
    SQLException found = null;
    for (Throwable one : chain(thrown)) {
      if (one instanceof SQLException sql && (found == null || found.getSQLState() == null)) {
        found = sql;
      }
    }
    return found;
  }

  private static List<Throwable> chain(Throwable thrown) {
    List<Throwable> chain = new ArrayList<>();
    for (Throwable one = thrown; one != null && chain.size() < MAX_CAUSES; one = one.getCause()) {
      chain.add(one);
    }
    return chain;
  }
}
