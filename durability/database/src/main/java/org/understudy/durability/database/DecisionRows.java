package org.understudy.durability.database;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.understudy.replication.api.decision.DecidedRow;
import org.understudy.replication.api.decision.Decision;
import org.understudy.replication.api.decision.DecisionId;

/** The statements on the rows of decisions. A row states that a decision has committed, or that it never will. Thread-safe. */
final class DecisionRows {
  private static final String WHERE_ID = " FROM understudy_decision WHERE group_name = ? AND epoch = ? AND log_index = ?";
  private static final int IDS_A_QUERY = 100;
  private static final int ROWS_A_PAGE = 500;
  /** Unless one row is larger. */
  private static final long BYTES_A_PAGE = 4 << 20;
  private static final int ROWS_A_DELETE = 5_000;

  private final DatabaseSettings settings;
  private final Product product;

  DecisionRows(DatabaseSettings settings, Product product) {
    this.settings = settings;
    this.product = product;
  }

  /**
   * Writes the row of a decision if its epoch is current.
   *
   * @return whether it is
   */
  boolean insert(Connection connection, DecisionId id, int slot, byte[] key, byte[] response) throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement(product.insertDecision())) {
      insert.setString(1, settings.group());
      insert.setLong(2, id.epoch());
      insert.setLong(3, id.index());
      insert.setBytes(4, key.length == 0 ? null : key);
      insert.setBytes(5, response);
      insert.setString(6, settings.group());
      insert.setInt(7, slot);
      insert.setLong(8, id.epoch());
      return insert.executeUpdate() == 1;
    }
  }

  /** Writes a row that states that the decision never commits. */
  void insertAborted(Connection connection, DecisionId id) throws SQLException {
    String sql = "INSERT INTO understudy_decision (group_name, epoch, log_index, committed) VALUES (?, ?, ?, 0)";
    try (PreparedStatement insert = connection.prepareStatement(sql)) {
      identify(insert, id);
      insert.executeUpdate();
    }
  }

  /** Reads the row of a decision; null when there is none. */
  Decision read(Connection connection, DecisionId id) throws SQLException {
    try (PreparedStatement query = connection.prepareStatement("SELECT committed" + WHERE_ID)) {
      identify(query, id);
      try (ResultSet rows = query.executeQuery()) {
        return !rows.next() ? null : rows.getInt(1) == 1 ? Decision.COMMITTED : Decision.ABORTED;
      }
    }
  }

  /** Returns those decisions that have committed. */
  Set<DecisionId> committed(Connection connection, Collection<DecisionId> prepared) throws SQLException {
    Map<Long, List<DecisionId>> byEpoch = new TreeMap<>();
    prepared.forEach(id -> byEpoch.computeIfAbsent(id.epoch(), epoch -> new ArrayList<>()).add(id));
    Set<DecisionId> found = new HashSet<>();
    for (List<DecisionId> ids : byEpoch.values()) {
      for (int from = 0; from < ids.size(); from += IDS_A_QUERY) {
        found.addAll(committedOfEpoch(connection, ids.subList(from, Math.min(from + IDS_A_QUERY, ids.size()))));
      }
    }
    return found;
  }

  private Set<DecisionId> committedOfEpoch(Connection connection, List<DecisionId> ids) throws SQLException {
    String marks = "?" + ", ?".repeat(ids.size() - 1);
    String sql = "SELECT log_index FROM understudy_decision WHERE group_name = ? AND epoch = ? AND committed = 1 AND log_index IN ("
        + marks + ")";
    long epoch = ids.get(0).epoch();
    Set<DecisionId> found = new HashSet<>();
    try (PreparedStatement query = connection.prepareStatement(sql)) {
      query.setString(1, settings.group());
      query.setLong(2, epoch);
      for (int i = 0; i < ids.size(); i++) {
        query.setLong(3 + i, ids.get(i).index());
      }
      try (ResultSet rows = query.executeQuery()) {
        while (rows.next()) {
          found.add(new DecisionId(epoch, rows.getLong(1)));
        }
      }
    }
    return found;
  }

  /** Reads the committed row of a request. */
  Optional<DecidedRow> reply(Connection connection, byte[] key) throws SQLException {
    String sql = "SELECT epoch, log_index, response FROM understudy_decision WHERE group_name = ? AND request_key = ? AND committed = 1";
    try (PreparedStatement query = connection.prepareStatement(sql)) {
      query.setString(1, settings.group());
      query.setBytes(2, key);
      try (ResultSet rows = query.executeQuery()) {
        return rows.next()
            ? Optional.of(new DecidedRow(new DecisionId(rows.getLong(1), rows.getLong(2)), key, rows.getBytes(3)))
            : Optional.empty();
      }
    }
  }

  /**
   * Reads committed rows with a request key, in ascending order of their ids: the first ones after an id.
   *
   * @param after null: from the beginning
   * @return empty at the end
   */
  List<DecidedRow> rows(Connection connection, DecisionId after) throws SQLException {
    // A driver may fetch all rows of a result at once: their sizes come first.
    int count = 0;
    try (PreparedStatement query = page(connection, "OCTET_LENGTH(response)", after, ROWS_A_PAGE); ResultSet rows = query.executeQuery()) {
      for (long bytes = 0; rows.next() && (count == 0 || bytes + rows.getLong(4) <= BYTES_A_PAGE); count++) {
        bytes += rows.getLong(4);
      }
    }
    List<DecidedRow> found = new ArrayList<>(count);
    if (count > 0) {
      try (PreparedStatement query = page(connection, "response", after, count); ResultSet rows = query.executeQuery()) {
        while (rows.next()) {
          found.add(new DecidedRow(new DecisionId(rows.getLong(1), rows.getLong(2)), rows.getBytes(3), rows.getBytes(4)));
        }
      }
    }
    return found;
  }

  private PreparedStatement page(Connection connection, String last, DecisionId after, int count) throws SQLException {
    PreparedStatement query = connection.prepareStatement(
        "SELECT epoch, log_index, request_key, " + last + " FROM understudy_decision WHERE group_name = ? "
            + "AND (epoch > ? OR epoch = ? AND log_index > ?) AND committed = 1 AND request_key IS NOT NULL "
            + "ORDER BY epoch, log_index LIMIT " + count);
    query.setString(1, settings.group());
    query.setLong(2, after == null ? 0 : after.epoch());
    query.setLong(3, after == null ? 0 : after.epoch());
    query.setLong(4, after == null ? 0 : after.index());
    return query;
  }

  /**
   * Removes at most {@link #ROWS_A_DELETE} rows of lower epochs, and of lower decisions of the same kind in the epoch of this one.
   *
   * @param from what is lower is gone already; null: unknown
   * @param keptFrom rows with a request key from this one on stay; null: none does
   * @return whether there may be more
   */
  boolean forget(Connection connection, DecisionId from, DecisionId below, byte[] keptFrom) throws SQLException {
    String sql = "DELETE FROM understudy_decision WHERE group_name = ? AND (epoch >= ? AND epoch < ? "
        + "OR epoch = ? AND log_index >= ? AND log_index < ? AND committed = 1)"
        + (keptFrom == null ? "" : " AND (request_key IS NULL OR request_key < ?)") + " LIMIT " + ROWS_A_DELETE;
    boolean sameEpoch = from != null && from.epoch() == below.epoch();
    try (PreparedStatement delete = connection.prepareStatement(sql)) {
      delete.setString(1, settings.group());
      delete.setLong(2, from == null ? 0 : from.epoch());
      delete.setLong(3, below.epoch());
      delete.setLong(4, below.epoch());
      delete.setLong(5, sameEpoch ? from.index() : below.isOnePhase() ? DecisionId.ONE_PHASE : 0);
      delete.setLong(6, below.index());
      if (keptFrom != null) {
        delete.setBytes(7, keptFrom);
      }
      return delete.executeUpdate() == ROWS_A_DELETE;
    }
  }

  private void identify(PreparedStatement statement, DecisionId id) throws SQLException {
    statement.setString(1, settings.group());
    statement.setLong(2, id.epoch());
    statement.setLong(3, id.index());
  }
}
