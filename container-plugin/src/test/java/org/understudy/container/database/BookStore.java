package org.understudy.container.database;

import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.understudy.replication.api.decision.Branch;
import org.understudy.replication.api.decision.DecidedRow;
import org.understudy.replication.api.decision.Decision;
import org.understudy.replication.api.decision.DecisionId;
import org.understudy.replication.api.decision.DecisionStore;
import org.understudy.replication.api.decision.DecisionStoreException;
import org.understudy.replication.api.decision.FencedException;
import org.understudy.replication.api.decision.OutcomeUnknownException;

/** A database in memory that holds one text, the same for all replicas of a test, with points at which it can be stopped. */
final class BookStore implements DecisionStore {
  /** A point in a transaction. */
  enum Point {
    BEFORE_COMMIT,
    AFTER_COMMIT
  }

  /** What happens at the next commit. */
  enum Fault {
    NONE,
    DEADLOCK,
    COMMIT_LOST,
    ANSWER_LOST
  }

  private final StringBuilder text = new StringBuilder();
  private final TreeMap<DecisionId, DecidedRow> rows = new TreeMap<>();
  private long epoch;
  private boolean down;
  private Fault fault = Fault.NONE;
  private Point stop;
  /** A permit for each transaction that has stopped. */
  final Semaphore stopped = new Semaphore(0);
  final Semaphore go = new Semaphore(0);
  final AtomicInteger fencedCommits = new AtomicInteger();

  /** An open transaction that adds to the text. */
  final class Transaction implements Branch {
    private final String more;
    private final boolean aborted;

    Transaction(String more) {
      this.more = more;
      this.aborted = more.startsWith("deadlock") && deadlocks.add(more);
    }

    @Override
    public Decision commit(DecisionId id, byte[] key, byte[] response) {
      pass(Point.BEFORE_COMMIT);
      Fault now = takeFault();
      if (now == Fault.DEADLOCK) {
        return Decision.ABORTED;
      }
      if (now != Fault.COMMIT_LOST) {
        write(new DecidedRow(id, key, response), more);
      }
      if (now != Fault.NONE) {
        throw new OutcomeUnknownException("The connection is lost.", null);
      }
      pass(Point.AFTER_COMMIT);
      return Decision.COMMITTED;
    }

    @Override
    public void rollback() {
      // What it would add is in no text.
    }

    @Override
    public boolean isAborted() {
      return aborted;
    }
  }

  /** Those that have been met. */
  private final Set<String> deadlocks = ConcurrentHashMap.newKeySet();

  private void pass(Point point) {
    synchronized (this) {
      if (stop != point) {
        return;
      }
      stop = null;
    }
    stopped.release();
    go.acquireUninterruptibly();
  }

  synchronized void stopNext(Point point) {
    stop = point;
  }

  synchronized void failNext(Fault next) {
    fault = next;
  }

  private synchronized Fault takeFault() {
    Fault now = fault;
    fault = Fault.NONE;
    return now;
  }

  private synchronized void write(DecidedRow row, String more) {
    DecisionId id = row.id();
    if (id.epoch() != epoch) {
      fencedCommits.incrementAndGet();
      throw new FencedException("Epoch " + epoch + " stands in the row, and the transaction has " + id.epoch() + ".");
    }
    if (rows.putIfAbsent(id, row) != null) {
      throw new IllegalStateException("The row " + id + " exists.");
    }
    text.append(more);
  }

  synchronized String text() {
    return text.toString();
  }

  synchronized DecisionId last() {
    return rows.lastKey();
  }

  synchronized void down(boolean now) {
    down = now;
  }

  private void requireUp() {
    if (down) {
      throw new DecisionStoreException("The database is down.", null);
    }
  }

  @Override
  public synchronized long fence(long raised, DecisionId last) {
    requireUp();
    long next = raised == 0 ? epoch + 1 : raised;
    if (next < epoch) {
      throw new FencedException("Epoch " + epoch + " stands in the row.");
    }
    epoch = next;
    return epoch;
  }

  @Override
  public synchronized Set<DecisionId> committed(Collection<DecisionId> prepared) {
    requireUp();
    Set<DecisionId> committed = new HashSet<>(prepared);
    committed.removeIf(id -> !isCommitted(id));
    return committed;
  }

  @Override
  public synchronized Decision resolve(DecisionId id) {
    requireUp();
    rows.putIfAbsent(id, new DecidedRow(id, null, null));
    return isCommitted(id) ? Decision.COMMITTED : Decision.ABORTED;
  }

  private boolean isCommitted(DecisionId id) {
    return rows.containsKey(id) && rows.get(id).key() != null;
  }

  @Override
  public synchronized void forget(DecisionId below, byte[] keptFrom) {
    rows.entrySet().removeIf(row -> {
      DecisionId id = row.getKey();
      boolean lower = id.epoch() < below.epoch()
          || id.epoch() == below.epoch() && id.isOnePhase() == below.isOnePhase() && id.index() < below.index();
      return lower && (keptFrom == null || row.getValue().key() == null || Arrays.compareUnsigned(row.getValue().key(), keptFrom) < 0);
    });
  }

  @Override
  public synchronized List<DecidedRow> rows(DecisionId after) {
    return rows.values().stream()
        .filter(row -> row.key() != null && row.key().length > 0 && (after == null || row.id().compareTo(after) > 0))
        .toList();
  }
}
