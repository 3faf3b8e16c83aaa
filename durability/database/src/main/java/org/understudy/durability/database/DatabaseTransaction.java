package org.understudy.durability.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.hibernate.StatelessSession;
import org.hibernate.jdbc.ReturningWork;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.durability.proxy.SqlTransaction;
import org.understudy.replication.api.decision.Branch;
import org.understudy.replication.api.decision.BranchId;
import org.understudy.replication.api.decision.Decision;
import org.understudy.replication.api.decision.DecisionId;
import org.understudy.replication.api.decision.DecisionStoreException;
import org.understudy.replication.api.decision.ExecutedBeforeException;
import org.understudy.replication.api.decision.FencedException;
import org.understudy.replication.api.decision.OutcomeUnknownException;
import org.understudy.replication.api.decision.ParticipantRecord;

/**
 * One database transaction. It takes a connection with its first statement and returns it when it ends. Used by one thread at a time,
 * as {@link Branch} describes.
 */
final class DatabaseTransaction implements SqlTransaction, Branch {
  private static final Logger LOG = LoggerFactory.getLogger(DatabaseTransaction.class);

  private final Database database;
  /** The epoch that the store had raised when this began; 0 before. */
  private final long epoch;
  /** Null before the first statement and after the end. */
  private StatelessSession session;
  /** Where the session of a coordinated transaction has a place; null without one. */
  private PreparedBranches place;
  private boolean executed;
  private boolean changed;
  /** Null unless a coordinator decides the transaction. */
  private ParticipantRecord participant;
  private boolean ended;
  private volatile boolean aborted;
  /** When the last statement has ended, in {@link System#nanoTime()}; null while one is executed. */
  private volatile Long usedAt;

  DatabaseTransaction(Database database, long epoch) {
    this.database = database;
    this.epoch = epoch;
  }

  @Override
  public int update(String sql, Object... arguments) {
    changed = true;
    return execute(sql, arguments, connection -> Statements.update(connection, sql, arguments));
  }

  @Override
  public List<Object[]> query(String sql, Object... arguments) {
    return execute(sql, arguments, connection -> Statements.query(connection, sql, arguments));
  }

  private <R> R execute(String sql, Object[] arguments, ReturningWork<R> statement) {
    requireOpen();
    Statements.checkTypes(sql, arguments);
    if (aborted) {
      throw new DecisionStoreException("The database has ended the operation's transaction before this statement: " + sql, null);
    }
    usedAt = null;
    try {
      R result;
      try {
        result = session().doReturningWork(statement);
      } catch (RuntimeException e) {
        if (executed || session == null || !Failure.isBrokenConnection(e)) {
          throw e;
        }
        // A connection that was idle in the pool may have died there. Nothing has been executed in this transaction.
        release();
        database.opened().connections().renew();
        result = session().doReturningWork(statement);
      }
      executed = true;
      return result;
    } catch (RuntimeException e) {
      throw failed(sql, e);
    } finally {
      usedAt = System.nanoTime();
    }
  }

  /** Whether the session may look to others like one of a stopped replica. */
  boolean isIdle(long nanos) {
    Long used = usedAt;
    return used != null && System.nanoTime() - used >= nanos;
  }

  private RuntimeException failed(String sql, RuntimeException thrown) {
    Failure failure = Failure.of(thrown);
    // The second is thrown where there is no connection.
    if (failure.endsTransaction() || thrown instanceof DecisionStoreException) {
      aborted = true;
      release();
      if (Failure.isLockTimeout(thrown)) {
        database.lockWaits().timedOut();
      }
      return thrown instanceof DecisionStoreException
          ? thrown : database.unavailable("The statement was not executed: " + sql, thrown);
    }
    executed = true;
    String described = "The database " + database.place() + " rejected the statement " + sql + " (" + Failure.describe(thrown) + ").";
    return new StatementFailedException(described, failure == Failure.DUPLICATE || failure == Failure.DATA ? null : thrown);
  }

  private StatelessSession session() {
    if (session == null) {
      if (participant != null && place == null) {
        PreparedBranches branches = database.opened().prepared();
        branches.enter(database.place());
        place = branches;
      }
      StatelessSession opened = database.opened().connections().session();
      session = opened;
      database.lockWaits().add(this);
      opened.beginTransaction();
      if (participant != null) {
        opened.doWork(connection -> database.opened().prepared().start(connection, branchId()));
      }
    }
    return session;
  }

  @Override
  public Decision commit(DecisionId id, byte[] key, byte[] response) {
    requireOpen();
    if (aborted) {
      rollback();
      return Decision.ABORTED;
    }
    database.failpoint().reached(Failpoint.BEFORE_ROW);
    Database.Opened opened;
    try {
      opened = database.opened();
    } catch (RuntimeException e) {
      return aborted(id, e);
    }
    int slot = opened.epochs().take();
    try {
      if (!write(opened, id, slot, key, response)) {
        return Decision.ABORTED;
      }
      database.failpoint().reached(Failpoint.BEFORE_COMMIT);
      Decision decision = sendCommit(id);
      database.failpoint().reached(Failpoint.AFTER_COMMIT);
      return decision;
    } finally {
      ended = true;
      release();
      opened.epochs().release(slot);
    }
  }

  @Override
  public void coordinate(ParticipantRecord record) {
    if (session != null) {
      throw new IllegalStateException("A branch is for a coordinator from its first statement on.");
    }
    participant = record;
  }

  private BranchId branchId() {
    return BranchId.of(Math.max(1, epoch), database.opened().prepared().schema(), participant);
  }

  @Override
  public BranchId prepare() {
    requireOpen();
    if (aborted || !changed || session == null) {
      rollback();
      if (aborted) {
        throw new DecisionStoreException("The database " + database.place() + " has ended the transaction. Nothing was prepared.", null);
      }
      return null;
    }
    BranchId id = branchId();
    try {
      Database.Opened opened = database.opened();
      insertRow(opened, id);
      database.failpoint().reached(Failpoint.BEFORE_MARK);
      session().doWork(connection -> opened.branches().mark(connection, id));
      database.failpoint().reached(Failpoint.BEFORE_PREPARE);
      session().doWork(connection -> opened.prepared().prepare(connection, id));
      database.failpoint().reached(Failpoint.AFTER_PREPARE);
      place.keep(id, session, opened.connections());
      database.lockWaits().remove(this);
      session = null;
      place = null;
      return id;
    } catch (DecisionStoreException e) {
      throw e;
    } catch (RuntimeException e) {
      throw database.unavailable("The branch " + id + " was not prepared, or it is unknown whether it was", e);
    } finally {
      ended = true;
      release();
    }
  }

  /** Commits the row of the branch, in a transaction of its own. */
  private void insertRow(Database.Opened opened, BranchId id) {
    int slot = opened.epochs().take();
    try {
      boolean isCurrent =
          DecisionTable.inTransaction(opened, connection -> opened.branches().insert(connection, id, slot, participant));
      if (!isCurrent) {
        throw opened.epochs().mismatch(DecisionTable.inTransaction(opened, opened.epochs()::read), id.epoch());
      }
    } catch (SQLException e) {
      throw database.unavailable("The branch " + id + " was not prepared", e);
    } finally {
      opened.epochs().release(slot);
    }
  }

  /** Returns false when the transaction is aborted. */
  private boolean write(Database.Opened opened, DecisionId id, int slot, byte[] key, byte[] response) {
    try {
      boolean isCurrent = session().doReturningWork(connection -> insert(opened, connection, id, slot, key, response));
      if (isCurrent) {
        return true;
      }
      long found = session().doReturningWork(opened.epochs()::read);
      throw opened.epochs().mismatch(found, id.epoch());
    } catch (FencedException e) {
      throw e;
    } catch (RuntimeException e) {
      if (Failure.of(e) == Failure.DUPLICATE) {
        throw duplicate(opened, id, key);
      }
      aborted(id, e);
      return false;
    }
  }

  private DecisionStoreException duplicate(Database.Opened opened, DecisionId id, byte[] key) {
    // A row of the same request has committed, because other transactions' rows are locked until they end.
    boolean executed = key.length > 0
        && session().doReturningWork(connection -> opened.decisions().reply(connection, key)).isPresent();
    return executed
        ? new ExecutedBeforeException(
            "A row of the same request as decision " + id + " is in " + database.place()
                + " already: the request has been executed before. It was not executed again.")
        : new DecisionStoreException("The row of decision " + id + " is in " + database.place() + " already.", null);
  }

  private static boolean insert(
      Database.Opened opened, Connection connection, DecisionId id, int slot, byte[] key, byte[] response) throws SQLException {
    return opened.decisions().insert(connection, id, slot, key, response);
  }

  private Decision sendCommit(DecisionId id) {
    try {
      session.getTransaction().commit();
      return Decision.COMMITTED;
    } catch (RuntimeException e) {
      if (Failure.of(e) == Failure.CONFLICT) {
        return aborted(id, e);
      }
      throw new OutcomeUnknownException(
          "The outcome of decision " + id + " in " + database.place() + " is unknown: COMMIT failed (" + Failure.describe(e) + ").", e);
    }
  }

  private Decision aborted(DecisionId id, RuntimeException thrown) {
    LOG.info("Decision {} in {} is aborted: {}.", id, database.place(), Failure.describe(thrown));
    aborted = true;
    rollback();
    return Decision.ABORTED;
  }

  @Override
  public void commit() {
    requireOpen();
    if (aborted) {
      rollback();
      throw new DecisionStoreException("The database has ended the transaction. Nothing was committed.", null);
    }
    Database.Opened opened = database.opened();
    int slot = opened.epochs().take();
    try {
      session().doWork(connection -> opened.epochs().requireShared(connection, slot, epoch));
      session.getTransaction().commit();
    } catch (FencedException e) {
      throw e;
    } catch (RuntimeException e) {
      throw Failure.of(e) == Failure.CONFLICT
          ? database.unavailable("The transaction was not committed", e)
          : new OutcomeUnknownException(
              "The outcome of a transaction in " + database.place() + " is unknown: COMMIT failed (" + Failure.describe(e) + ").", e);
    } finally {
      ended = true;
      release();
      opened.epochs().release(slot);
    }
  }

  @Override
  public void rollback() {
    ended = true;
    release();
  }

  @Override
  public boolean isAborted() {
    return aborted;
  }

  private void requireOpen() {
    if (ended) {
      throw new IllegalStateException("The database transaction has ended.");
    }
  }

  /** Rolls back what is not committed, and returns the connection. */
  private void release() {
    StatelessSession open = session;
    session = null;
    if (open != null) {
      database.lockWaits().remove(this);
      close(open);
    }
    if (place != null) {
      place.leave();
      place = null;
    }
  }

  private void close(StatelessSession open) {
    if (participant != null) {
      rollBackBranch(open);
    }
    try {
      if (open.getTransaction().isActive()) {
        open.getTransaction().rollback();
      }
    } catch (RuntimeException e) {
      // The connection is dead: the server rolls back.
      LOG.debug("A transaction could not be rolled back.", e);
    }
    try {
      open.close();
    } catch (RuntimeException e) {
      LOG.debug("A session could not be closed.", e);
    }
  }

  /** Makes the connection usable for the pool, or removes it there. */
  private void rollBackBranch(StatelessSession open) {
    try {
      Database.Opened opened = database.opened();
      open.doWork(connection -> {
        try {
          opened.prepared().rollBackOpen(connection, branchId());
        } catch (SQLException e) {
          LOG.debug("The branch has ended, or its connection is dead: the server rolls it back.", e);
          opened.connections().detach(connection);
        }
      });
    } catch (RuntimeException e) {
      LOG.debug("The connection of a branch is closed.", e);
    }
  }
}
