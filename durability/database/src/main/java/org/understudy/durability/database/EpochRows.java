package org.understudy.durability.database;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.understudy.replication.api.decision.FencedException;

/**
 * The epoch rows of a group. A transaction that commits holds a lock on one of them, which it shares with other transactions or has for
 * itself; fencing locks all of them. Thread-safe.
 */
final class EpochRows {
  private final DatabaseSettings settings;
  private final Product product;
  /** The rows that no transaction of this replica uses; null where transactions share one row. */
  private final Deque<Integer> free;

  EpochRows(DatabaseSettings settings, Product product) {
    this.settings = settings;
    this.product = product;
    this.free = product.epochRows() == 1 ? null : new ConcurrentLinkedDeque<>();
    for (int slot = 0; free != null && slot < product.epochRows(); slot++) {
      free.add(slot);
    }
  }

  /** Takes a row for one transaction. Never waits: a replica has as many rows as it may have connections. */
  int take() {
    if (free == null) {
      return 0;
    }
    Integer slot = free.pollFirst();
    if (slot == null) {
      throw new IllegalStateException("More than " + product.epochRows() + " transactions commit at once.");
    }
    return slot;
  }

  void release(int slot) {
    if (free != null) {
      // The row that was used last is the cheapest to find.
      free.addFirst(slot);
    }
  }

  /**
   * Locks the rows for this transaction alone, which waits for all transactions that hold one, and returns the epoch.
   *
   * @return -1 when the group has no rows yet
   */
  long lockAll(Connection connection) throws SQLException {
    try (PreparedStatement lock = connection.prepareStatement("UPDATE understudy_epoch SET epoch = epoch WHERE group_name = ?")) {
      lock.setString(1, settings.group());
      lock.executeUpdate();
    }
    return read(connection);
  }

  /** Reads the epoch without a lock; -1 when the group has no rows. */
  long read(Connection connection) throws SQLException {
    String sql = "SELECT MAX(epoch) FROM understudy_epoch WHERE group_name = ?";
    try (PreparedStatement query = connection.prepareStatement(sql)) {
      query.setString(1, settings.group());
      try (ResultSet rows = query.executeQuery()) {
        rows.next();
        long epoch = rows.getLong(1);
        return rows.wasNull() ? -1 : epoch;
      }
    }
  }

  /** Sets the epoch of rows that this transaction has locked, or of new rows. */
  void write(Connection connection, long epoch, boolean isNew) throws SQLException {
    if (!isNew) {
      try (PreparedStatement update = connection.prepareStatement("UPDATE understudy_epoch SET epoch = ? WHERE group_name = ?")) {
        update.setLong(1, epoch);
        update.setString(2, settings.group());
        update.executeUpdate();
      }
      return;
    }
    String sql = "INSERT INTO understudy_epoch (group_name, slot, epoch) VALUES (?, ?, ?)";
    try (PreparedStatement insert = connection.prepareStatement(sql)) {
      for (int slot = 0; slot < product.epochRows(); slot++) {
        insert.setString(1, settings.group());
        insert.setInt(2, slot);
        insert.setLong(3, epoch);
        insert.executeUpdate();
      }
    }
  }

  /**
   * Locks a row with other transactions and compares its epoch.
   *
   * @throws FencedException when it is another one
   */
  void requireShared(Connection connection, int slot, long epoch) throws SQLException {
    try (PreparedStatement query = connection.prepareStatement(product.readEpochShared())) {
      query.setString(1, settings.group());
      query.setInt(2, slot);
      try (ResultSet rows = query.executeQuery()) {
        long found = rows.next() ? rows.getLong(1) : -1;
        if (found != epoch) {
          throw mismatch(found, epoch);
        }
      }
    }
  }

  /** The epoch of this replica is not that of the row. */
  FencedException mismatch(long found, long epoch) {
    String place = " of the group " + settings.group() + " in " + settings.place();
    if (found > epoch) {
      return new FencedException(
          "The epoch row" + place + " is " + found + ", and this replica has " + epoch + ": another replica has become primary. "
              + "Nothing was committed.");
    }
    return new FencedException(
        "The epoch row" + place + (found < 0 ? " is missing" : " is " + found) + ", and this replica has " + epoch + ": the database is "
            + "older than the group, restored from a backup for example. Nothing was committed. Stop the group, and restore the database "
            + "to its last state.");
  }
}
