package org.understudy.durability.database;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.understudy.replication.api.decision.BranchId;
import org.understudy.replication.api.decision.FencedException;
import org.understudy.replication.api.decision.KnownBranch;
import org.understudy.replication.api.decision.ParticipantRecord;

/**
 * The statements on the rows of branches that coordinators decide. A row is committed before its branch is prepared. The branch marks it as
 * committed, in its own transaction: without the row it cannot be prepared, and the mark shows later that it was committed. Thread-safe.
 */
final class BranchRows {
  private static final String WHERE_ID = " WHERE group_name = ? AND epoch = ? AND name = ?";
  private static final int MAX_ROWS = 1_000;

  private final DatabaseSettings settings;
  private final Product product;

  BranchRows(DatabaseSettings settings, Product product) {
    this.settings = settings;
    this.product = product;
  }

  /**
   * Writes the row of a branch if its epoch is current.
   *
   * @param slot of the epoch row that is locked
   * @return whether it is
   */
  boolean insert(Connection connection, BranchId id, int slot, ParticipantRecord participant) throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement(product.insertBranch())) {
      identify(insert, id);
      insert.setBytes(4, participant.transaction().getBytes(StandardCharsets.UTF_8));
      insert.setBytes(5, participant.rest());
      insert.setString(6, settings.group());
      insert.setInt(7, slot);
      insert.setLong(8, id.epoch());
      return insert.executeUpdate() == 1;
    }
  }

  /**
   * Marks the row as committed, within the branch.
   *
   * @throws FencedException when another primary has removed the row
   */
  void mark(Connection connection, BranchId id) throws SQLException {
    try (PreparedStatement update = connection.prepareStatement("UPDATE understudy_branch SET committed = 1" + WHERE_ID)) {
      identify(update, id);
      if (update.executeUpdate() != 1) {
        throw new FencedException(
            "The row of the branch " + id + " of the group " + settings.group() + " in " + settings.place()
                + " is gone: another replica has become primary. Nothing was prepared.");
      }
    }
  }

  /** Returns whether the row is marked as committed; null when there is no row. */
  Boolean read(Connection connection, BranchId id) throws SQLException {
    try (PreparedStatement query = connection.prepareStatement("SELECT committed FROM understudy_branch" + WHERE_ID)) {
      identify(query, id);
      try (ResultSet rows = query.executeQuery()) {
        return rows.next() ? rows.getInt(1) == 1 : null;
      }
    }
  }

  /** Removes the row. Waits for a transaction that has marked it. */
  void delete(Connection connection, BranchId id) throws SQLException {
    try (PreparedStatement delete = connection.prepareStatement("DELETE FROM understudy_branch" + WHERE_ID)) {
      identify(delete, id);
      delete.executeUpdate();
    }
  }

  /** The oldest rows, up to an epoch. */
  List<KnownBranch> all(Connection connection, long epoch) throws SQLException {
    String sql = "SELECT epoch, name, committed, transaction_id, record FROM understudy_branch WHERE group_name = ? AND epoch <= ? "
        + "ORDER BY epoch, name LIMIT " + MAX_ROWS;
    List<KnownBranch> found = new ArrayList<>();
    try (PreparedStatement query = connection.prepareStatement(sql)) {
      query.setString(1, settings.group());
      query.setLong(2, epoch);
      try (ResultSet rows = query.executeQuery()) {
        while (rows.next()) {
          ParticipantRecord participant =
              new ParticipantRecord(new String(rows.getBytes(4), StandardCharsets.UTF_8), rows.getBytes(5));
          found.add(new KnownBranch(new BranchId(rows.getLong(1), rows.getString(2)), participant, rows.getInt(3) == 1));
        }
      }
    }
    return found;
  }

  private void identify(PreparedStatement statement, BranchId id) throws SQLException {
    statement.setString(1, settings.group());
    statement.setLong(2, id.epoch());
    statement.setString(3, id.name());
  }
}
