package org.understudy.durability.database;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.understudy.replication.api.decision.BranchId;
import org.understudy.replication.api.decision.BranchStore;
import org.understudy.replication.api.decision.FencedException;
import org.understudy.replication.api.decision.KnownBranch;
import org.understudy.replication.api.decision.ParticipantRecord;

/**
 * The statements on the rows of branches that coordinators decide. A row is committed before its branch is prepared. The branch marks it as
 * committed, in its own transaction: without the row it cannot be prepared, and the mark shows later that it was committed. Thread-safe.
 */
final class BranchRows {
  private static final String SELECT = "SELECT epoch, name, committed, transaction_id, record FROM understudy_branch";
  private static final String WHERE_ID = " WHERE group_name = ? AND epoch = ? AND name = ?";

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
    delete(connection, id, "");
  }

  /** Removes the row unless it is marked. Waits for a transaction that has marked it. Returns whether it has removed the row. */
  boolean deleteUncommitted(Connection connection, BranchId id) throws SQLException {
    return delete(connection, id, " AND committed = 0");
  }

  private boolean delete(Connection connection, BranchId id, String condition) throws SQLException {
    try (PreparedStatement delete = connection.prepareStatement("DELETE FROM understudy_branch" + WHERE_ID + condition)) {
      identify(delete, id);
      return delete.executeUpdate() == 1;
    }
  }

  /**
   * The next rows, up to an epoch.
   *
   * @param after null for the first ones
   */
  List<KnownBranch> next(Connection connection, BranchId after, long epoch) throws SQLException {
    String sql = SELECT + " WHERE group_name = ? AND epoch <= ? AND (epoch > ? OR epoch = ? AND name > ?) ORDER BY epoch, name LIMIT "
        + BranchStore.PAGE;
    List<KnownBranch> found = new ArrayList<>();
    try (PreparedStatement query = connection.prepareStatement(sql)) {
      query.setString(1, settings.group());
      query.setLong(2, epoch);
      query.setLong(3, after == null ? 0 : after.epoch());
      query.setLong(4, after == null ? 0 : after.epoch());
      query.setString(5, after == null ? "" : after.name());
      try (ResultSet rows = query.executeQuery()) {
        while (rows.next()) {
          found.add(known(rows));
        }
      }
    }
    return found;
  }

  /** Returns what the row of a branch records; null when there is no row. */
  KnownBranch find(Connection connection, BranchId id) throws SQLException {
    try (PreparedStatement query = connection.prepareStatement(SELECT + WHERE_ID)) {
      identify(query, id);
      try (ResultSet rows = query.executeQuery()) {
        return rows.next() ? known(rows) : null;
      }
    }
  }

  private static KnownBranch known(ResultSet row) throws SQLException {
    ParticipantRecord participant = new ParticipantRecord(new String(row.getBytes(4), StandardCharsets.UTF_8), row.getBytes(5));
    return new KnownBranch(new BranchId(row.getLong(1), row.getString(2)), participant, row.getInt(3) == 1);
  }

  private void identify(PreparedStatement statement, BranchId id) throws SQLException {
    statement.setString(1, settings.group());
    statement.setLong(2, id.epoch());
    statement.setString(3, id.name());
  }
}
