package org.understudy.container.transaction;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.api.decision.BranchId;
import org.understudy.replication.api.decision.BranchStore;
import org.understudy.replication.api.decision.DatabaseBacked;
import org.understudy.replication.api.decision.Decision;
import org.understudy.replication.api.decision.DecisionStoreException;
import org.understudy.replication.api.decision.InDoubt;
import org.understudy.replication.api.decision.KnownBranch;
import org.understudy.replication.core.limit.KeyKind;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.update.StateChange;
import org.understudy.replication.runtime.Replica;
import org.understudy.replication.runtime.handshake.RefusalLog;
import org.understudy.thread.DaemonThreads;
import org.understudy.thread.RepeatedTask;
import org.understudy.thread.Threads;

/**
 * The database parts of transactions that coordinators decide. A branch is prepared before its update enters the log, and ended before the
 * mark does: so a primary whose log has an update in doubt finds its branch, and one whose log has none knows that nobody has voted for a
 * branch that it finds. Thread-safe. Threads of its own wait for the database.
 */
final class DatabaseBranches implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DatabaseBranches.class);
  /** The prefix of the keys by which updates in the log name their branches. They never have a state. */
  static final String PREFIX = "branch/";
  /** Its state is the epoch in the database from which on the log has known every vote. */
  private static final String SINCE = "branches/since";
  /** Has a state when a primary has found no branch in the database whose vote the log does not know. */
  private static final String CHECKED = "branches/checked";
  private static final int THREADS = 4;
  private static final long SWEEP_MS = 2_000;
  private static final long REMEMBER_SECONDS = 5;

  private final Group group;
  /** Null without a database that can prepare branches. */
  private volatile DatabaseBacked service;
  private final RefusalLog log = new RefusalLog();
  private volatile boolean inherited;
  /** The transactions whose branches are being prepared here, or whose updates this primary holds. */
  private final Set<String> own = ConcurrentHashMap.newKeySet();
  private final LeftBranches left;
  private final ScheduledThreadPoolExecutor threads =
      new ScheduledThreadPoolExecutor(THREADS, new DaemonThreads("understudy-branches-"));

  /** What this replica knows of its group. Only {@link #confirmPrimary} is certain. */
  interface Group {
    boolean isPrimary();

    /** The updates in doubt, also those whose marks are not stable. */
    List<InDoubt> undecided();

    /** The replicated state under a key; null for none. */
    byte[] state(String key);

    /** As {@link OwnRequests#update}. */
    CompletableFuture<Failure> update(StateChange change);

    /** As {@link OwnRequests#confirmPrimary}. */
    CompletableFuture<Failure> confirmPrimary();
  }

  DatabaseBranches(Group group) {
    this.group = group;
    this.left = new LeftBranches(this, group);
  }

  DatabaseBranches(Replica replica, OwnRequests requests) {
    this(new Group() {
      @Override
      public boolean isPrimary() {
        return replica.routing().servesUpdates();
      }

      @Override
      public List<InDoubt> undecided() {
        return replica.undecided();
      }

      @Override
      public byte[] state(String key) {
        return replica.state(key);
      }

      @Override
      public CompletableFuture<Failure> update(StateChange change) {
        return requests.update(change);
      }

      @Override
      public CompletableFuture<Failure> confirmPrimary() {
        return requests.confirmPrimary();
      }
    });
  }

  static List<KeyKind> kinds() {
    return List.of(KeyKind.common(PREFIX), KeyKind.common(SINCE.substring(0, SINCE.indexOf('/') + 1)));
  }

  /** Lets the group's database take part. During deployment. */
  void use(DatabaseBacked backed) {
    if (backed.decisionStore().branches() != null) {
      service = backed;
      threads.scheduleWithFixedDelay(
          new RepeatedTask("The search for branches that are left", left::sweep), SWEEP_MS, SWEEP_MS, TimeUnit.MILLISECONDS);
    }
  }

  /** What former primaries have left. */
  LeftBranches left() {
    return left;
  }

  /** Runs what waits for the database. Returns false when the web application is stopping. */
  boolean run(Runnable task) {
    try {
      threads.execute(task);
      return true;
    } catch (RejectedExecutionException e) {
      LOG.debug("The web application is stopping.", e);
      return false;
    }
  }

  /** Whether branches may be prepared in the database whose votes the group has lost with its memory. */
  boolean mayHaveLost() {
    return service != null && group.state(CHECKED) == null;
  }

  /** The primary has found no such branch. Does not block. */
  void noneLost() {
    if (group.state(CHECKED) == null) {
      group.update(new StateChange(CHECKED, new byte[] {1}));
    }
  }

  /** Whether the group has a database that can prepare branches. */
  boolean isUsed() {
    return service != null;
  }

  /** As {@link BranchStore#epoch}. */
  long epoch() {
    return store().epoch();
  }

  /** As {@link BranchStore#known}. */
  List<KnownBranch> known(BranchId after) {
    return store().known(after);
  }

  /** Ends a branch that no update names. Blocks, as {@link BranchStore#end}. */
  void endNow(BranchId id, Decision decision) {
    store().end(id, decision);
    if (decision == Decision.COMMITTED) {
      service.databaseChanged();
    }
  }

  /** Whether the branch of a transaction is being prepared here, or this primary holds its update. */
  boolean isOwn(String transaction) {
    return own.contains(transaction);
  }

  private BranchStore store() {
    DatabaseBacked backed = service;
    if (backed == null) {
      throw new DecisionStoreException("The group's database cannot prepare transactions.", null);
    }
    return backed.decisionStore().branches();
  }

  // ---- preparation

  /**
   * Prepares the branch of a transaction. Blocks.
   *
   * @param changes of the replicated state
   * @return the changes of the update that the log prepares
   * @throws RuntimeException when it is not prepared, or that is unknown
   */
  List<StateChange> prepare(String transaction, TransactionPart part, List<StateChange> changes) {
    own.add(transaction);
    remember(store().epoch());
    BranchId id = part.branch().prepare();
    if (id == null) {
      return changes;
    }
    List<StateChange> all = new ArrayList<>(changes);
    all.add(new StateChange(PREFIX + id, null));
    StateChange lock = part.lock();
    if (changes.stream().noneMatch(one -> one.resource().equals(lock.resource()))) {
      if (group.state(lock.resource()) != null) {
        throw new IllegalStateException("The service has changed its database and shows no change of its objects.");
      }
      all.add(lock);
    }
    return all;
  }

  /** Before the first branch: a log without this has lost votes. */
  private void remember(long epoch) {
    if (group.state(SINCE) == null) {
      byte[] since = ByteBuffer.allocate(Long.BYTES).putLong(epoch).array();
      try {
        Failure failure = group.update(new StateChange(SINCE, since)).get(REMEMBER_SECONDS, TimeUnit.SECONDS);
        if (failure != null) {
          throw new DecisionStoreException("The branch was not prepared: " + failure.sentence(), null);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new DecisionStoreException("The branch was not prepared: the server stops.", e);
      } catch (ExecutionException | TimeoutException e) {
        throw new DecisionStoreException("The branch was not prepared: the backups do not answer.", e);
      }
    }
  }

  /** Whether the log knows every vote for the branches of an epoch. */
  boolean remembers(long epoch) {
    byte[] since = group.state(SINCE);
    return since != null && ByteBuffer.wrap(since).getLong() <= epoch;
  }

  /** A transaction has ended here. If it is not committed, its branch may be prepared without an update in the log. */
  void ended(String transaction, Decision decision) {
    if (own.remove(transaction) && decision == Decision.ABORTED && service != null) {
      run(left::sweep);
    }
  }

  // ---- the decision

  /** Whether a branch that another primary has prepared is in doubt: the rows that it has changed are locked. */
  boolean isInherited() {
    // What is known of an earlier role does not count.
    return inherited && group.isPrimary();
  }

  /** A new primary finds updates in doubt. Does not block. */
  void inherited(List<InDoubt> updates) {
    inherited |= updates.stream().anyMatch(this::isForeign);
  }

  private boolean isForeign(InDoubt update) {
    return branchOf(update) != null && !own.contains(update.participant().transaction());
  }

  void recount() {
    inherited = inherited && group.undecided().stream().anyMatch(this::isForeign);
  }

  private static BranchId branchOf(InDoubt update) {
    return update.resources().stream().filter(key -> key.startsWith(PREFIX)).findFirst()
        .map(key -> BranchId.parse(key.substring(PREFIX.length()))).orElse(null);
  }

  /**
   * Ends the branch of an update in doubt, before its mark. Blocks.
   *
   * @throws DecisionStoreException when the database does not answer, or has lost the branch: there must be no mark then
   */
  void end(InDoubt update, Decision decision) {
    BranchId id = branchOf(update);
    if (id == null) {
      return;
    }
    try {
      store().end(id, decision);
    } catch (DecisionStoreException e) {
      if (log.isDue(id.toString(), System.nanoTime())) {
        LOG.error(
            "The transaction {} is {} and stays in doubt here, because its part of the database has not ended: {}",
            update.participant(), decision, e.getMessage());
      }
      throw e;
    }
    if (decision == Decision.COMMITTED && !own.contains(update.participant().transaction())) {
      service.databaseChanged();
    }
  }

  /** The mark of an update is stable. */
  void settled(InDoubt update) {
    BranchId id = branchOf(update);
    if (id != null) {
      recount();
      run(() -> forget(id));
    }
  }

  /** Removes the row of a branch that has ended; if the database does not answer, later. Blocks. */
  void forget(BranchId id) {
    try {
      store().forget(id);
    } catch (DecisionStoreException e) {
      LOG.debug("The row of the branch {} stays until it is found again.", id, e);
    }
  }

  /** The branches that updates in doubt name. */
  Set<BranchId> logged() {
    return group.undecided().stream().map(DatabaseBranches::branchOf).filter(Objects::nonNull).collect(Collectors.toSet());
  }

  @Override
  public void close() {
    threads.shutdownNow();
    Threads.join("The threads of branches in databases", threads);
  }
}
