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
import org.understudy.replication.api.decision.Decision;
import org.understudy.replication.api.decision.DecisionId;

/** The statements on the rows of decisions. A row states that a decision has committed, or that it never will. Thread-safe. */
final class DecisionRows {
  private static final String WHERE_ID = " FROM understudy_decision WHERE group_name = ? AND epoch = ? AND log_index = ?";
  private static final int IDS_A_QUERY = 100;

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
  Optional<StoredReply> reply(Connection connection, byte[] key) throws SQLException {
    String sql = "SELECT epoch, log_index, response FROM understudy_decision WHERE group_name = ? AND request_key = ? AND committed = 1";
    try (PreparedStatement query = connection.prepareStatement(sql)) {
      query.setString(1, settings.group());
      query.setBytes(2, key);
      try (ResultSet rows = query.executeQuery()) {
        return rows.next()
            ? Optional.of(new StoredReply(new DecisionId(rows.getLong(1), rows.getLong(2)), rows.getBytes(3)))
            : Optional.empty();
      }
    }
  }

  /** Removes the rows of lower decisions. */
  void forget(Connection connection, DecisionId below) throws SQLException {
    String sql = "DELETE FROM understudy_decision WHERE group_name = ? AND (epoch < ? OR epoch = ? AND log_index < ?)";
    try (PreparedStatement delete = connection.prepareStatement(sql)) {
      delete.setString(1, settings.group());
      delete.setLong(2, below.epoch());
      delete.setLong(3, below.epoch());
      delete.setLong(4, below.index());
      delete.executeUpdate();
    }
  }

  private void identify(PreparedStatement statement, DecisionId id) throws SQLException {
    statement.setString(1, settings.group());
    statement.setLong(2, id.epoch());
    statement.setLong(3, id.index());
  }
}
