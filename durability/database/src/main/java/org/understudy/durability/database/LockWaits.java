package org.understudy.durability.database;

import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The open transactions of this replica, and what happens when one of them has waited for a lock in vain: a stopped replica may hold it.
 * Thread-safe.
 */
final class LockWaits {
  private static final Logger LOG = LoggerFactory.getLogger(LockWaits.class);
  /** A session of ours that was idle for so long could be ended instead. Half of what {@link Product#endIdleSessions} requires. */
  private static final long IDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private final Database database;
  private final DecisionTable decisions;
  private final Set<DatabaseTransaction> open = ConcurrentHashMap.newKeySet();
  private final ReentrantLock ending = new ReentrantLock();

  LockWaits(Database database, DecisionTable decisions) {
    this.database = database;
    this.decisions = decisions;
  }

  void add(DatabaseTransaction transaction) {
    open.add(transaction);
  }

  void remove(DatabaseTransaction transaction) {
    open.remove(transaction);
  }

  /** Ends idle sessions, unless one of them can be this replica's, or this replica is not the last that has fenced. Blocks. */
  void timedOut() {
    if (!ending.tryLock()) {
      return;
    }
    try {
      Database.Opened opened = database.opened();
      boolean own = open.stream().anyMatch(one -> one.isIdle(IDLE_NANOS)) || opened.prepared().keepsSessions();
      long epoch = decisions.fencedEpoch();
      if (!own && epoch > 0 && DecisionTable.inTransaction(opened, opened.epochs()::read) == epoch) {
        decisions.endIdleSessions(opened);
      }
    } catch (SQLException | RuntimeException e) {
      LOG.debug("Idle sessions at {} were not ended.", database.place(), e);
    } finally {
      ending.unlock();
    }
  }
}
