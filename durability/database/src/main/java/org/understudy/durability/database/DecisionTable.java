package org.understudy.durability.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.api.decision.BranchStore;
import org.understudy.replication.api.decision.DecidedRow;
import org.understudy.replication.api.decision.Decision;
import org.understudy.replication.api.decision.DecisionId;
import org.understudy.replication.api.decision.DecisionStore;
import org.understudy.replication.api.decision.DecisionStoreException;
import org.understudy.replication.api.decision.FencedException;
import org.understudy.replication.api.decision.StaleStoreException;

/** The decisions of a group as rows of its database, and the door by which the container closes the database. */
final class DecisionTable implements DecisionStore, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DecisionTable.class);
  /** Between two attempts at a database that fails at once. */
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final Database database;
  /** The epoch that this replica last wrote; 0 before. */
  private volatile long fenced;
  /** Up to where {@link #forget} has removed all rows but those that stay, by whether the decision is of one phase. */
  private final Map<Boolean, DecisionId> forgotten = new ConcurrentHashMap<>();
  private final BranchTable branches;
  /** Used by the one thread that asks. */
  private boolean answered = true;

  DecisionTable(Database database) {
    this.database = database;
    this.branches = new BranchTable(database, this);
  }

  long fencedEpoch() {
    return fenced;
  }

  @Override
  public long fence(long epoch, DecisionId last) {
    long written = persist(
        "raise the epoch to " + epoch,
        opened -> inTransaction(opened, connection -> raise(opened, connection, epoch, last)));
    fenced = written;
    forgotten.clear();
    return written;
  }

  /** Locks the epoch rows, which waits for every transaction that may still commit, and only then compares. */
  private long raise(Database.Opened opened, Connection connection, long epoch, DecisionId last) throws SQLException {
    long found = opened.epochs().lockAll(connection);
    if (epoch > 0 && found > epoch) {
      throw opened.epochs().mismatch(found, epoch);
    }
    long known = Math.max(fenced, last == null ? 0 : last.epoch());
    if (known > 0 && found < known) {
      throw stale((found < 0 ? "has no epoch row" : "has the epoch " + found) + ", and the group has had the epoch " + known);
    }
    if (last != null && opened.decisions().read(connection, last) != Decision.COMMITTED) {
      throw stale("does not have the decision " + last + ", which the group knows to have committed");
    }
    long next = epoch > 0 ? epoch : Math.max(found, 0) + 1;
    opened.epochs().write(connection, next, found < 0);
    return next;
  }

  private StaleStoreException stale(String what) {
    return new StaleStoreException(
        "The database " + database.place() + " " + what + ": it was restored from an old backup, or is another one. Nothing is served. "
            + "Restore the database to its last state; or stop all replicas, so that the group begins with the database as it is.");
  }

  @Override
  public Set<DecisionId> committed(Collection<DecisionId> prepared) {
    if (prepared.isEmpty()) {
      return Set.of();
    }
    return persist(
        "read " + prepared.size() + " decisions",
        opened -> inTransaction(opened, connection -> opened.decisions().committed(connection, prepared)));
  }

  @Override
  public Decision resolve(DecisionId id) {
    return persist("resolve the decision " + id, opened -> {
      try {
        // Waits for a transaction that has written the row. Afterwards none can write it.
        return inTransaction(opened, connection -> {
          opened.decisions().insertAborted(connection, id);
          return Decision.ABORTED;
        });
      } catch (SQLException e) {
        if (Failure.of(e) != Failure.DUPLICATE) {
          throw e;
        }
      }
      return inTransaction(opened, connection -> {
        Decision decided = opened.decisions().read(connection, id);
        if (decided == null) {
          throw new SQLException("The row of the decision is not visible.", "40001");
        }
        return decided;
      });
    });
  }

  @Override
  public void forget(DecisionId below, byte[] keptFrom) {
    // Rows that stay are met again only when they may go too.
    DecisionId from = keptFrom == null ? null : forgotten.get(below.isOnePhase());
    boolean more = true;
    while (more) {
      more = persist(
          "remove old decisions",
          opened -> inTransaction(opened, connection -> opened.decisions().forget(connection, from, below, keptFrom)));
    }
    if (keptFrom != null) {
      forgotten.put(below.isOnePhase(), below);
    }
  }

  @Override
  public List<DecidedRow> rows(DecisionId after) {
    return persist(
        "read its stored answers", opened -> inTransaction(opened, connection -> opened.decisions().rows(connection, after)));
  }

  @Override
  public boolean answers() {
    boolean answers = database.answers();
    if (answers && !answered) {
      database.connectNow();
    }
    answered = answers;
    return answers;
  }

  @Override
  public BranchStore branches() {
    return branches;
  }

  /** Closes the database. The container closes the store when the service is undeployed. */
  @Override
  public void close() {
    database.close();
  }

  static <R> R inTransaction(Database.Opened opened, Work<R> work) throws SQLException {
    try (Connection connection = opened.connections().connection()) {
      try {
        R result = work.run(connection);
        connection.commit();
        return result;
      } catch (SQLException | RuntimeException e) {
        rollback(connection);
        throw e;
      }
    }
  }

  private static void rollback(Connection connection) {
    try {
      connection.rollback();
    } catch (SQLException e) {
      LOG.debug("A transaction could not be rolled back.", e);
    }
  }

  /** Repeats work that others' locks or a lost connection delay, and ends sessions that hold locks and do nothing. */
  <R> R persist(String what, Attempt<R> attempt) {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(database.timeoutMs());
    while (true) {
      Database.Opened opened = database.opened();
      try {
        return attempt.run(opened);
      } catch (SQLException e) {
        boolean again = Failure.of(e).endsTransaction() || Failure.of(e) == Failure.DUPLICATE;
        if (!again || System.nanoTime() - end >= 0) {
          throw new DecisionStoreException(
              "The database " + database.place() + " could not " + what + " within " + database.timeoutMs() + " ms ("
                  + Failure.describe(e) + "). It is tried again.",
              e);
        }
        if (Failure.of(e) == Failure.CONFLICT) {
          endIdleSessions(opened);
        } else {
          opened.connections().renew();
        }
        LockSupport.parkNanos(PAUSE_NANOS);
      } catch (FencedException | StaleStoreException e) {
        throw e;
      }
    }
  }

  void endIdleSessions(Database.Opened opened) {
    try {
      int ended = inTransaction(opened, opened.connections().product()::endIdleSessions);
      if (ended > 0) {
        LOG.warn(
            "{} sessions of this user at {} held locks and were idle, those of a stopped replica for example. They were ended, and their "
                + "transactions rolled back.",
            ended, database.place());
        opened.connections().renew();
      }
    } catch (SQLException e) {
      LOG.warn("Idle sessions at {} could not be ended: {}.", database.place(), Failure.describe(e));
    }
  }

  /** Statements of one transaction. */
  @FunctionalInterface
  interface Work<R> {
    R run(Connection connection) throws SQLException;
  }

  /** What is repeated. */
  @FunctionalInterface
  interface Attempt<R> {
    R run(Database.Opened opened) throws SQLException;
  }
}
