package org.understudy.durability.database;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Where the databases differ. */
enum Product {
  /** Without shared row locks: each transaction locks one of several epoch rows, and fencing locks all of them. */
  H2("VARCHAR(128)", "VARBINARY(64)", "BLOB", "", "FOR UPDATE", "?", DatabaseSettings.MAX_POOL),
  MYSQL("VARCHAR(128) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin", "VARBINARY(64)", "LONGBLOB", " ENGINE=InnoDB", "LOCK IN SHARE MODE",
      "CAST(? AS BINARY)", 1),
  MARIADB("VARCHAR(128) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin", "VARBINARY(64)", "LONGBLOB", " ENGINE=InnoDB", "LOCK IN SHARE MODE",
      "CAST(? AS BINARY)", 1);

  private static final Logger LOG = LoggerFactory.getLogger(Product.class);
  private static final int SLEEP_S = 1;

  private final String groupType;
  private final String keyType;
  private final String responseType;
  private final String engine;
  private final String sharedLock;
  private final String bytes;
  private final int epochRows;

  Product(String groupType, String keyType, String responseType, String engine, String sharedLock, String bytes, int epochRows) {
    this.groupType = groupType;
    this.keyType = keyType;
    this.responseType = responseType;
    this.engine = engine;
    this.sharedLock = sharedLock;
    this.bytes = bytes;
    this.epochRows = epochRows;
  }

  /**
   * Returns the product of a connection.
   *
   * @throws IllegalArgumentException when it is another one
   */
  static Product of(Connection connection) throws SQLException {
    String name = connection.getMetaData().getDatabaseProductName();
    String version = connection.getMetaData().getDatabaseProductVersion();
    if ("H2".equals(name)) {
      return H2;
    }
    if ((name + version).toLowerCase(Locale.ROOT).contains("mariadb")) {
      return MARIADB;
    }
    if ("MySQL".equals(name)) {
      return MYSQL;
    }
    throw new IllegalArgumentException("The database is " + name + " " + version + "; MySQL, MariaDB and H2 are supported.");
  }

  /** How many epoch rows a group has: as many transactions as that may commit at once, where each locks its own row. */
  int epochRows() {
    return epochRows;
  }

  /** The name and the dialect for Hibernate. */
  String hibernateName() {
    return switch (this) {
      case H2 -> "H2";
      case MYSQL -> "MySQL";
      case MARIADB -> "MariaDB";
    };
  }

  int majorVersion(Connection connection) throws SQLException {
    return version(connection, 0);
  }

  int minorVersion(Connection connection) throws SQLException {
    return version(connection, 1);
  }

  /** MariaDB's version may begin with 5.5.5-, for old clients. */
  private static int version(Connection connection, int part) throws SQLException {
    String text = connection.getMetaData().getDatabaseProductVersion().replaceFirst("^5\\.5\\.5-", "");
    String[] parts = text.split("[^0-9]+");
    return parts.length > part && !parts[part].isEmpty() ? Integer.parseInt(parts[part]) : 0;
  }

  /** The statements that create the tables of decisions and epochs. */
  List<String> tables() {
    return List.of(
        "CREATE TABLE understudy_epoch (group_name " + groupType + " NOT NULL, slot INT NOT NULL, epoch BIGINT NOT NULL, "
            + "PRIMARY KEY (group_name, slot))" + engine,
        "CREATE TABLE understudy_decision (group_name " + groupType + " NOT NULL, epoch BIGINT NOT NULL, log_index BIGINT NOT NULL, "
            + "committed SMALLINT NOT NULL, request_key " + keyType + ", response " + responseType
            + ", PRIMARY KEY (group_name, epoch, log_index), UNIQUE (group_name, request_key))" + engine);
  }

  /**
   * Writes the row of a decision if the epoch is current, and keeps a lock on the epoch row that transactions share. Arguments: group,
   * epoch, index, request key, response, group, slot, epoch.
   */
  String insertDecision() {
    return "INSERT INTO understudy_decision (group_name, epoch, log_index, committed, request_key, response) SELECT ?, ?, ?, 1, " + bytes
        + ", " + bytes + " FROM understudy_epoch WHERE group_name = ? AND slot = ? AND epoch = ? " + sharedLock;
  }

  /** The statement that creates the table of branches for coordinators. */
  String branchTable() {
    return "CREATE TABLE understudy_branch (group_name " + groupType + " NOT NULL, epoch BIGINT NOT NULL, name VARCHAR(32) NOT NULL, "
        + "committed SMALLINT NOT NULL, transaction_id " + responseType + " NOT NULL, record " + responseType
        + " NOT NULL, PRIMARY KEY (group_name, epoch, name))" + engine;
  }

  /**
   * Writes the row of a branch if the epoch is current, with the same lock. Arguments: group, epoch, name, transaction, record, group,
   * slot, epoch.
   */
  String insertBranch() {
    return "INSERT INTO understudy_branch (group_name, epoch, name, committed, transaction_id, record) SELECT ?, ?, ?, 0, " + bytes + ", "
        + bytes + " FROM understudy_epoch WHERE group_name = ? AND slot = ? AND epoch = ? " + sharedLock;
  }

  /** Reads the epoch with that lock. Arguments: group, slot. */
  String readEpochShared() {
    return "SELECT epoch FROM understudy_epoch WHERE group_name = ? AND slot = ? " + sharedLock;
  }

  /** Returns a setting of H2, or null. */
  String setting(Connection connection, String name) throws SQLException {
    String sql = "SELECT SETTING_VALUE FROM INFORMATION_SCHEMA.SETTINGS WHERE SETTING_NAME = ?";
    try (PreparedStatement query = connection.prepareStatement(sql)) {
      query.setString(1, name);
      try (ResultSet row = query.executeQuery()) {
        return row.next() ? row.getString(1) : null;
      }
    }
  }

  /** Returns what the mode of the session changes in values, as a sentence; null for nothing. */
  String changesOfMode(Connection connection) throws SQLException {
    if (this == H2) {
      String mode = setting(connection, "MODE");
      return "Oracle".equalsIgnoreCase(mode) ? "H2 runs in MODE=Oracle, which stores empty texts as null. Use another mode." : null;
    }
    try (Statement query = connection.createStatement(); ResultSet row = query.executeQuery("SELECT @@SESSION.sql_mode")) {
      String mode = row.next() ? row.getString(1) : "";
      List<String> modes = List.of(mode.split(","));
      if (!modes.contains("STRICT_TRANS_TABLES") && !modes.contains("STRICT_ALL_TABLES")) {
        return "sql_mode lacks STRICT_TRANS_TABLES: values that are too long or too large are cut. Add it to sql_mode.";
      }
      return modes.contains("EMPTY_STRING_IS_NULL")
          ? "sql_mode has EMPTY_STRING_IS_NULL: empty texts are stored as null. Remove it from sql_mode." : null;
    }
  }

  /**
   * Ends sessions of this database user that have been idle for a second or more, also within a transaction. Their transactions are
   * rolled back. In H2 the user must be an administrator.
   *
   * @return how many
   */
  int endIdleSessions(Connection connection) throws SQLException {
    List<Long> idle = this == H2 ? idleInH2(connection) : idleInMySql(connection);
    int ended = 0;
    for (long id : idle) {
      // MySQL prepares no KILL with a parameter.
      try (Statement kill = connection.createStatement()) {
        kill.execute(this == H2 ? "SELECT ABORT_SESSION(" + id + ")" : "KILL " + id);
        ended++;
      } catch (SQLException e) {
        LOG.debug("Session {} has ended by itself, or belongs to a user with more rights.", id, e);
      }
    }
    return ended;
  }

  private static List<Long> idleInH2(Connection connection) throws SQLException {
    List<Long> ids = new ArrayList<>();
    String sql = "SELECT SESSION_ID FROM INFORMATION_SCHEMA.SESSIONS WHERE USER_NAME = CURRENT_USER AND CONTAINS_UNCOMMITTED "
        + "AND SLEEP_SINCE <= DATEADD(SECOND, ?, CURRENT_TIMESTAMP) AND SESSION_ID <> SESSION_ID()";
    try (PreparedStatement query = connection.prepareStatement(sql)) {
      query.setInt(1, -SLEEP_S);
      try (ResultSet rows = query.executeQuery()) {
        while (rows.next()) {
          ids.add(rows.getLong(1));
        }
      }
    }
    return ids;
  }

  private static List<Long> idleInMySql(Connection connection) throws SQLException {
    List<Long> ids = new ArrayList<>();
    String schema = connection.getCatalog();
    String user = connection.getMetaData().getUserName().replaceFirst("@.*", "");
    try (PreparedStatement query = connection.prepareStatement("SHOW PROCESSLIST"); ResultSet rows = query.executeQuery()) {
      while (rows.next()) {
        boolean ours = user.equals(rows.getString("User")) && schema.equals(rows.getString("db"));
        if (ours && "Sleep".equals(rows.getString("Command")) && rows.getLong("Time") >= SLEEP_S) {
          ids.add(rows.getLong("Id"));
        }
      }
    }
    return ids;
  }
}
