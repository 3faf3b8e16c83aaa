package org.understudy.replication.runtime.decision;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.api.decision.Branch;
import org.understudy.replication.api.decision.DecidedRow;
import org.understudy.replication.api.decision.Decision;
import org.understudy.replication.api.decision.DecisionId;
import org.understudy.replication.api.decision.DecisionStore;
import org.understudy.replication.api.decision.ExecutedBeforeException;
import org.understudy.replication.api.decision.FencedException;
import org.understudy.replication.api.decision.OutcomeUnknownException;
import org.understudy.replication.core.Input;
import org.understudy.replication.runtime.handshake.RefusalLog;
import org.understudy.thread.DaemonThreads;

/**
 * Has a {@link DecisionStore} decide, on at most {@link #THREADS} threads; one more fences. A commit whose outcome is unknown is
 * resolved, however often the database fails meanwhile. Failed attempts are repeated after {@link #PAUSE_MS}.
 */
public final class StoreDecisions implements DecisionMaker {
  /** Transactions that commit at the same time. */
  static final int THREADS = 16;

  private static final Logger LOG = LoggerFactory.getLogger(StoreDecisions.class);
  private static final long PAUSE_MS = 500;
  private static final long PREPARE_PAUSE_MS = 2_000;

  private final DecisionStore store;
  private final BooleanSupplier prepare;
  private final Runnable reload;
  private final boolean records;
  private final ScheduledThreadPoolExecutor commits = pool(THREADS, "understudy-decisions-");
  private final ScheduledThreadPoolExecutor fences = pool(1, "understudy-fence-");
  /** Guarded by this. */
  private final IdentityHashMap<Branch, Commit> open = new IdentityHashMap<>();
  /** The branches whose commit has begun, until their decision has been reported. Guarded by this. */
  private final Set<Branch> begun = Collections.newSetFromMap(new IdentityHashMap<>());
  /** Which lines were logged a short time ago. */
  private final RefusalLog log = new RefusalLog();
  private final DatabaseWatch watch;
  private volatile Answers inputs;
  private volatile Fence current;
  /** The rows that are to be read; null before. */
  private volatile Recall recall;
  /** The fence that has not succeeded so far, and why; null for none. */
  private volatile Unfenced unfenced;

  /** Prepares nothing, see {@link #StoreDecisions(DecisionStore, BooleanSupplier, Runnable, boolean)}. */
  public StoreDecisions(DecisionStore store, Runnable reload, boolean records) {
    this(store, () -> true, reload, records);
  }

  /**
   * @param prepare does what needs no fence; called in the background from {@link #start} on, until it returns true. May block
   * @param reload loads what the service keeps of the database in memory; blocks
   * @param records whether the replica's epochs outlive its process; if not, the store numbers them
   */
  public StoreDecisions(DecisionStore store, BooleanSupplier prepare, Runnable reload, boolean records) {
    this.prepare = prepare;
    this.store = store;
    this.reload = reload;
    this.records = records;
    this.watch = new DatabaseWatch(store, answers -> inputs.take(new Input.DatabaseSeen(answers)));
  }

  private static ScheduledThreadPoolExecutor pool(int threads, String prefix) {
    ScheduledThreadPoolExecutor pool = new ScheduledThreadPoolExecutor(threads, new DaemonThreads(prefix));
    pool.setKeepAliveTime(30, TimeUnit.SECONDS);
    pool.allowCoreThreadTimeOut(true);
    pool.setRemoveOnCancelPolicy(true);
    pool.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    return pool;
  }

  @Override
  public void start(Answers answers) {
    inputs = answers;
    prepare(0);
    watch.begin();
  }

  private void prepare(long pauseMs) {
    try {
      fences.schedule(guarded(this::prepareNow), pauseMs, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      LOG.debug("The replica is closing: the database is not prepared.", e);
    }
  }

  private void prepareNow() {
    // A fence prepares too, and must not wait for this.
    boolean ready = false;
    try {
      ready = unfenced == null && prepare.getAsBoolean();
    } catch (RuntimeException | Error e) {
      if (!fences.isShutdown() && isDue("prepare " + reason(e))) {
        LOG.warn("{} This replica could not serve as primary until then.", reason(e));
      }
      LOG.debug("The database could not be prepared.", e);
    }
    if (!ready) {
      prepare(PREPARE_PAUSE_MS);
    }
  }

  private static String reason(Throwable thrown) {
    return thrown.getMessage() == null ? thrown + "." : thrown.getMessage();
  }

  // ------------------------------------------------------------------------------------------------ branches

  private record Commit(long token, DecisionId id, byte[] key, byte[] response, Branch branch) {}

  @Override
  public void decide(long token, DecisionId id, byte[] key, byte[] response, Branch branch) {
    Commit commit = new Commit(token, id, key, response, branch);
    synchronized (this) {
      open.put(branch, commit);
    }
    run(() -> commit(commit), 0);
  }

  /** Returns false when the branch was rolled back meanwhile, or its commit has begun. */
  private synchronized boolean begin(Commit commit) {
    boolean queued = open.remove(commit.branch(), commit);
    if (queued) {
      begun.add(commit.branch());
    }
    return queued;
  }

  private void commit(Commit commit) {
    if (!begin(commit)) {
      return;
    }
    try {
      report(commit, commit.branch().commit(commit.id(), commit.key(), commit.response()), true);
    } catch (FencedException e) {
      LOG.warn("Update {} is not committed, because another replica has fenced the database: {}", commit.id(), e.getMessage());
      report(commit, Decision.ABORTED, false);
    } catch (ExecutedBeforeException e) {
      LOG.warn("Update {} is not committed, because its request was executed before: {}", commit.id(), e.getMessage());
      report(commit, new Input.Decided(commit.token(), commit.id(), Decision.ABORTED, false, true));
    } catch (OutcomeUnknownException e) {
      LOG.warn("It is unknown whether update {} is committed. Its objects stay locked until the database answers: {}", commit.id(),
          e.getMessage());
      resolve(commit);
    } catch (RuntimeException | Error e) {
      LOG.error("The commit of update {} failed. Its objects stay locked until the database tells the outcome.", commit.id(), e);
      resolve(commit);
    }
  }

  private void resolve(Commit commit) {
    try {
      report(commit, store.resolve(commit.id()), true);
    } catch (RuntimeException | Error e) {
      if (isDue("resolve " + e.getMessage())) {
        LOG.warn("The database does not answer whether update {} is committed. The replica asks again: {}", commit.id(), e.getMessage());
      }
      run(() -> resolve(commit), PAUSE_MS);
    }
  }

  private void report(Commit commit, Decision decision, boolean again) {
    report(commit, new Input.Decided(commit.token(), commit.id(), decision, again));
  }

  private void report(Commit commit, Input.Decided decided) {
    try {
      if (!inputs.take(decided)) {
        LOG.debug("The replica has ended: its successor finds the decision of update {} in the database.", commit.id());
      }
    } finally {
      synchronized (this) {
        begun.remove(commit.branch());
      }
    }
  }

  @Override
  public void rollBack(Branch branch, Runnable then) {
    // A commit that has begun ends the branch whatever comes of it.
    boolean ended;
    synchronized (this) {
      open.remove(branch);
      ended = begun.contains(branch);
    }
    if (ended || !run(() -> rollBackNow(branch, then), 0)) {
      then.run();
    }
  }

  private static void rollBackNow(Branch branch, Runnable then) {
    try {
      branch.rollback();
    } finally {
      then.run();
    }
  }

  /** Returns false when the replica is closing. */
  private boolean run(Runnable task, long pauseMs) {
    try {
      commits.schedule(guarded(task), pauseMs, TimeUnit.MILLISECONDS);
      return true;
    } catch (RejectedExecutionException e) {
      LOG.debug("The replica is closing: the database ends the transaction when its connection ends.", e);
      return false;
    }
  }

  /** Lines that differ in a number only, as a duration or an epoch, are one. */
  private boolean isDue(String line) {
    return log.isDue(line.replaceAll("[0-9]+", "#"), System.nanoTime());
  }

  private static Runnable guarded(Runnable task) {
    return () -> {
      try {
        task.run();
      } catch (RuntimeException | Error e) {
        LOG.error("A task for the database failed.", e);
      }
    };
  }

  // ------------------------------------------------------------------------------------------------ the fence

  private record Fence(long view, DecisionId last, List<DecisionId> prepared, boolean reload) {}

  private record Unfenced(long view, String why) {}

  @Override
  public String unfenced(long view) {
    Unfenced known = unfenced;
    return known != null && known.view() == view ? known.why() : null;
  }

  @Override
  public String silent() {
    return watch.silent();
  }

  @Override
  public void fence(long view, DecisionId last, List<DecisionId> prepared, boolean reload) {
    Fence requested = new Fence(view, last, List.copyOf(prepared), reload);
    current = requested;
    recall = null;
    unfenced = new Unfenced(view, "The new primary has not finished loading its database.");
    fence(requested, 0);
  }

  private void fence(Fence requested, long pauseMs) {
    try {
      fences.schedule(guarded(() -> attempt(requested)), pauseMs, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      LOG.debug("The replica is closing: the database is not fenced.", e);
    }
  }

  private void attempt(Fence requested) {
    if (requested != current) {
      return;
    }
    Input answer;
    boolean failed = false;
    try {
      long epoch = store.fence(records ? requested.view() : 0, requested.last());
      Set<DecisionId> committed = requested.prepared().isEmpty() ? Set.of() : Set.copyOf(store.committed(requested.prepared()));
      if (requested.reload()) {
        reload.run();
      }
      answer = new Input.Fenced(requested.view(), epoch, committed);
    } catch (RuntimeException | Error e) {
      failed = true;
      answer = failed(requested.view(), e);
    }
    boolean taken = inputs.take(answer);
    if (taken && failed) {
      fence(requested, PAUSE_MS);
    } else if (requested == current) {
      unfenced = null;
    }
  }

  private record Recall(long view, DecisionId after) {}

  @Override
  public void recall(long view, DecisionId after) {
    Recall requested = new Recall(view, after);
    recall = requested;
    recall(requested, 0);
  }

  private void recall(Recall requested, long pauseMs) {
    try {
      fences.schedule(guarded(() -> attempt(requested)), pauseMs, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      LOG.debug("The replica is closing: the rows of the database are not read.", e);
    }
  }

  private void attempt(Recall requested) {
    if (requested != recall) {
      return;
    }
    Input answer;
    boolean failed = false;
    try {
      List<DecidedRow> rows = store.rows(requested.after());
      DecisionId last = rows.isEmpty() ? null : rows.get(rows.size() - 1).id();
      answer = new Input.Recalled(requested.view(), DecisionContent.replies(rows), last);
    } catch (RuntimeException | Error e) {
      failed = true;
      answer = failed(requested.view(), e);
    }
    boolean taken = inputs.take(answer);
    if (taken && failed) {
      recall(requested, PAUSE_MS);
    } else if (requested == recall) {
      unfenced = null;
    }
  }

  private Input failed(long view, Throwable thrown) {
    String why = reason(thrown);
    if (isDue("fence " + why)) {
      LOG.error("{} This replica is primary and serves nothing until then.", why);
    }
    Fence fence = current;
    if (fence != null && fence.view() == view) {
      unfenced = new Unfenced(view, why);
    }
    LOG.debug("The database could not be fenced, or its rows could not be read.", thrown);
    return new Input.FenceFailed(
        view,
        "The primary cannot use the database of the service. Nothing was executed. Retry later; the server's log has the reason.");
  }

  @Override
  public void forget(DecisionId below, boolean all) {
    try {
      fences.execute(() -> {
        try {
          store.forget(below, all ? null : DecisionContent.lowestMessageId());
        } catch (RuntimeException e) {
          LOG.warn("The database cannot remove decided rows below {}. The replica tries again: {}", below, e.getMessage());
        }
      });
    } catch (RejectedExecutionException e) {
      LOG.debug("The replica is closing: rows stay in the database.", e);
    }
  }

  @Override
  public void close() {
    current = null;
    recall = null;
    watch.close();
    fences.shutdownNow();
    // Not waited for: a database that does not answer must not delay the end of this replica, which its successor waits for.
    commits.shutdown();
  }
}
