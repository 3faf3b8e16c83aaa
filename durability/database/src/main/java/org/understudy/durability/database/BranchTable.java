package org.understudy.durability.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.api.decision.BranchId;
import org.understudy.replication.api.decision.BranchStore;
import org.understudy.replication.api.decision.Decision;
import org.understudy.replication.api.decision.DecisionStoreException;
import org.understudy.replication.api.decision.KnownBranch;
import org.understudy.replication.api.decision.StaleStoreException;

/** The branches of a group in its database that coordinators decide. */
final class BranchTable implements BranchStore {
  private static final Logger LOG = LoggerFactory.getLogger(BranchTable.class);

  private final Database database;
  private final DecisionTable decisions;

  BranchTable(Database database, DecisionTable decisions) {
    this.database = database;
    this.decisions = decisions;
  }

  @Override
  public long epoch() {
    return decisions.fencedEpoch();
  }

  @Override
  public void end(BranchId id, Decision decision) {
    boolean commit = decision == Decision.COMMITTED;
    if (!commit && removeUnused(id)) {
      return;
    }
    AtomicBoolean openedAgain = new AtomicBoolean();
    boolean ended = decisions.persist("end the branch " + id, opened -> {
      boolean found = endNow(opened, id, commit, openedAgain);
      if (!found && DecisionTable.inTransaction(opened, connection -> opened.prepared().isPrepared(connection, id))) {
        // In MariaDB, until that session ends. It is tried again, and ended if it belongs to a stopped replica.
        throw new SQLException("The branch is attached to the session that has prepared it.", "40001");
      }
      return found;
    });
    if (ended && !commit) {
      LOG.debug("The branch {} in {} is aborted.", id, database.place());
      forget(id);
      return;
    }
    // What a server says of a commit is not enough: see PreparedBranches.
    Boolean committed = decisions.persist(
        "read the row of the branch " + id,
        opened -> DecisionTable.inTransaction(opened, connection -> opened.branches().read(connection, id)));
    if (ended && (committed == null || !committed)) {
      throw new DecisionStoreException(
          "The database " + database.place() + " reports that it has committed the branch " + id + ", and its row is not committed. The "
              + "transaction stays in doubt. Restart the database server: it finds the prepared branch then, and the branch is committed.",
          null);
    }
    if (commit) {
      requireCommitted(id, committed);
    } else if (committed != null) {
      abort(id, committed);
    }
  }

  /**
   * Ends a branch that an earlier version has begun and never prepared: removes its row, which a prepared branch has locked. Such versions
   * gave it the id that the branch of a group of the same name in another schema of the server can have. That one must not be rolled back
   * here.
   *
   * @return whether there is such a row, and no branch of this group has locked it
   */
  private boolean removeUnused(BranchId id) {
    return decisions.persist("read the row of the branch " + id, opened -> {
      KnownBranch row = DecisionTable.inTransaction(opened, connection -> opened.branches().find(connection, id));
      if (row == null || id.equals(BranchId.of(id.epoch(), opened.prepared().schema(), row.participant()))) {
        return false;
      }
      if (row.committed()) {
        abort(id, true);
      }
      try {
        return DecisionTable.inTransaction(opened, connection -> opened.branches().deleteUncommitted(connection, id));
      } catch (SQLException e) {
        if (Failure.of(e) != Failure.CONFLICT) {
          throw e;
        }
        LOG.debug("The row of the branch {} is locked.", id, e);
        return false;
      }
    });
  }

  /** Without a transaction, which MariaDB requires. Returns whether the database knew the branch. */
  private boolean endNow(Database.Opened opened, BranchId id, boolean commit, AtomicBoolean openedAgain) throws SQLException {
    if (opened.prepared().endOpen(id, commit)) {
      return true;
    }
    if (!commit && opened.prepared().rollsBackAfterOpening() && !openedAgain.get()) {
      openAgain(opened, id, openedAgain);
    }
    try (Connection connection = opened.connections().connection()) {
      connection.setAutoCommit(true);
      try {
        if (opened.prepared().isClosing(connection, id)) {
          throw new SQLException("The server still closes the session that has prepared the branch.", "40001");
        }
        return opened.prepared().end(connection, id, commit);
      } finally {
        connection.setAutoCommit(false);
      }
    }
  }

  private void openAgain(Database.Opened opened, BranchId id, AtomicBoolean openedAgain) throws SQLException {
    try (Connection connection = opened.connections().connection()) {
      if (!opened.prepared().isPrepared(connection, id)) {
        return;
      }
      LOG.warn("The database {} is closed and opened again, to roll back the branch {} of another replica.", database.place(), id);
      opened.prepared().closeDatabase(connection);
      openedAgain.set(true);
    } finally {
      opened.connections().renew();
    }
  }

  private void requireCommitted(BranchId id, Boolean committed) {
    if (committed == null || !committed) {
      throw new StaleStoreException(
          "The database " + database.place() + " has neither the prepared branch " + id + " nor its committed row, and its transaction has "
              + "committed: the database was restored from an old backup, or somebody has ended the branch. The transaction stays in "
              + "doubt. Restore the database to its last state, or repair its tables and let an operator abort the transaction here.");
    }
  }

  private void abort(BranchId id, boolean committed) {
    if (committed) {
      throw new DecisionStoreException(
          "The branch " + id + " in " + database.place() + " is committed, so its transaction cannot be aborted here. It stays in doubt. "
              + "Ask the coordinator's operator how it was decided.",
          null);
    }
    // A branch without its row cannot be prepared any more; one that has marked the row holds it until its session ends.
    forget(id);
  }

  @Override
  public List<KnownBranch> known(BranchId after) {
    return decisions.persist(
        "read its branches",
        opened -> DecisionTable.inTransaction(opened, connection -> opened.branches().next(connection, after, decisions.fencedEpoch())));
  }

  @Override
  public void forget(BranchId id) {
    decisions.persist("remove the row of the branch " + id, opened -> DecisionTable.inTransaction(opened, connection -> {
      opened.branches().delete(connection, id);
      return true;
    }));
  }
}
