package org.understudy.container.transaction;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.api.decision.BranchId;
import org.understudy.replication.api.decision.Decision;
import org.understudy.replication.api.decision.DecisionStoreException;
import org.understudy.replication.api.decision.KnownBranch;
import org.understudy.replication.api.decision.StaleStoreException;

/**
 * The branches that former primaries have left in the database, and that no update in doubt names. Nobody has voted for them; or they are
 * <i>lost</i>, because all replicas have lost their memory since the vote: those wait for their coordinator's decision, or an operator's.
 * Thread-safe.
 */
final class LeftBranches {
  private static final Logger LOG = LoggerFactory.getLogger(LeftBranches.class);
  /** Of lost branches that this object knows. The others are found when some have ended. */
  private static final int MAX_LOST = 1_000;
  /** Of branches that cannot be ended, in one sweep: each may wait long for the database. */
  private static final int MAX_FAILED = 3;

  private final DatabaseBranches branches;
  private final DatabaseBranches.Group group;
  /** One sweep at a time. */
  private final AtomicBoolean sweeping = new AtomicBoolean();
  /** Asks the coordinator of a branch for its decision. */
  private volatile Consumer<KnownBranch> coordinators = branch -> LOG.debug("The coordinator of {} cannot be asked.", branch.participant());
  private final Map<BranchId, Lost> lost = new ConcurrentHashMap<>();
  /** After which branch the next sweep begins; null for the first one. For one sweep at a time. */
  private BranchId start;
  private volatile boolean reports;

  /**
   * A branch whose vote the log does not know.
   *
   * @param part the coordinator's group and the name of the part; empty for a coordinator that is no group
   */
  record Lost(BranchId id, String transaction, String part) {}

  /** What one sweep has found. */
  private static final class Sweep {
    private final boolean whole;
    private final Set<BranchId> lost = new HashSet<>();
    private int failed;

    Sweep(boolean whole) {
      this.whole = whole;
    }
  }

  LeftBranches(DatabaseBranches branches, DatabaseBranches.Group group) {
    this.branches = branches;
    this.group = group;
  }

  /** Sets what asks the coordinators of branches whose votes the log does not know. Must not block. */
  void askBy(Consumer<KnownBranch> asking) {
    coordinators = asking;
  }

  /** Lets a sweep that finds no lost branch report that to the group. */
  void report() {
    reports = true;
  }

  /** The lost branches of a transaction that this primary has found. */
  List<Lost> lost(String transaction) {
    return lost().stream().filter(one -> one.transaction().equals(transaction)).toList();
  }

  /** The lost branches that this primary has found, in the order of their transactions; none at other replicas. */
  List<Lost> lost() {
    return group.isPrimary() ? lost.values().stream().sorted(Comparator.comparing(Lost::transaction)).toList() : List.of();
  }

  private static BranchId last(List<KnownBranch> page) {
    return page.get(page.size() - 1).id();
  }

  private static boolean isPart(KnownBranch branch, String transaction, String part) {
    return branch.participant().transaction().equals(transaction) && branch.participant().restText().equals(part);
  }

  /**
   * Ends lost branches of a transaction as has been decided. Blocks. The row of a committed branch stays: if this replica was replaced
   * meanwhile, its successor needs it.
   *
   * @param part as in {@link Lost}
   */
  void end(String transaction, String part, Decision decision) {
    if (!branches.isUsed()) {
      return;
    }
    for (List<KnownBranch> page = branches.known(null); !page.isEmpty(); page = branches.known(last(page))) {
      for (KnownBranch branch : left(page)) {
        if (isPart(branch, transaction, part)) {
          branches.endNow(branch.id(), decision);
          lost.remove(branch.id());
          branches.run(this::sweep);
        }
      }
    }
  }

  /** Whether the database has a lost branch of a part that is not committed. What {@link #lost()} shows can have ended since. Blocks. */
  boolean isThere(String transaction, String part) {
    KnownBranch found = find(transaction, part);
    return found != null && !found.committed() && !branches.logged().contains(found.id());
  }

  /** Null for none. */
  private KnownBranch find(String transaction, String part) {
    for (List<KnownBranch> page = branches.known(null); !page.isEmpty(); page = branches.known(last(page))) {
      for (KnownBranch branch : page) {
        if (isPart(branch, transaction, part)) {
          return branch;
        }
      }
    }
    return null;
  }

  /**
   * Whether the database can never end a lost branch so, which it could not do now: it was not prepared, or has ended otherwise. Blocks.
   *
   * @param failure of {@link #end}
   */
  boolean refuses(String transaction, String part, Decision decision, DecisionStoreException failure) {
    boolean commit = decision == Decision.COMMITTED;
    if (commit && !(failure instanceof StaleStoreException)) {
      return false;
    }
    // Without its row, it may have ended so, and the row was removed meanwhile.
    KnownBranch found = find(transaction, part);
    return found != null && found.committed() != commit;
  }

  /** Ends what a former primary has left, by another thread. Without effect while that goes on. */
  void sweep() {
    // Before the fence this replica sees none of them, and would report that none is lost.
    if (!group.isPrimary() || branches.epoch() == 0) {
      return;
    }
    branches.recount();
    if (!sweeping.compareAndSet(false, true)) {
      return;
    }
    BranchId from = start;
    start = null;
    sweepAfter(from, new Sweep(from == null));
  }

  /** Ends what is left of the branches after one, and then of those after them. */
  private void sweepAfter(BranchId after, Sweep sweep) {
    boolean goesOn = false;
    try {
      long epoch = branches.epoch();
      List<KnownBranch> page = branches.known(after);
      List<KnownBranch> left = left(page);
      while (left.isEmpty() && !page.isEmpty()) {
        page = branches.known(last(page));
        left = left(page);
      }
      if (left.isEmpty()) {
        finish(sweep);
        return;
      }
      BranchId end = last(page);
      List<KnownBranch> some = left;
      // Afterwards: the log of a replaced primary lacks what its successor still needs. One that is primary again has another epoch.
      group.confirmPrimary().whenComplete((failure, thrown) -> {
        boolean ends = false;
        try {
          ends = failure == null && thrown == null && branches.epoch() == epoch && branches.run(() -> endLeft(some, end, sweep));
        } finally {
          if (!ends) {
            sweeping.set(false);
          }
        }
      });
      goesOn = true;
    } catch (DecisionStoreException e) {
      LOG.debug("The branches in the database could not be read.", e);
    } finally {
      if (!goesOn) {
        sweeping.set(false);
      }
    }
  }

  /** All have been read. */
  private void finish(Sweep sweep) {
    if (sweep.whole) {
      lost.keySet().retainAll(sweep.lost);
      if (sweep.lost.isEmpty() && sweep.failed == 0 && reports) {
        branches.noneLost();
      }
    }
  }

  /** The branches that no update in doubt here names. If this replica is the primary, nobody has voted for them, or they are committed. */
  private List<KnownBranch> left(List<KnownBranch> page) {
    List<KnownBranch> known = new ArrayList<>(page);
    // In this order: what is prepared here is in the log before it is no longer here.
    known.removeIf(branch -> branches.isOwn(branch.participant().transaction()));
    Set<BranchId> logged = branches.logged();
    known.removeIf(branch -> logged.contains(branch.id()));
    return known;
  }

  private void endLeft(List<KnownBranch> left, BranchId end, Sweep sweep) {
    boolean goesOn = false;
    try {
      for (KnownBranch branch : left) {
        if (!endLeft(branch, sweep) && ++sweep.failed == MAX_FAILED) {
          // Those behind it come first the next time.
          start = branch.id();
          return;
        }
      }
      goesOn = branches.run(() -> sweepAfter(end, sweep));
    } finally {
      if (!goesOn) {
        sweeping.set(false);
      }
    }
  }

  /** Returns false when the branch cannot be ended now. */
  private boolean endLeft(KnownBranch branch, Sweep sweep) {
    try {
      if (branch.committed()) {
        branches.forget(branch.id());
      } else if (!branches.remembers(branch.id().epoch())) {
        sweep.lost.add(branch.id());
        if (lost.size() < MAX_LOST) {
          lost.put(branch.id(), new Lost(branch.id(), branch.participant().transaction(), branch.participant().restText()));
        }
        coordinators.accept(branch);
      } else {
        LOG.info("The branch {} of the transaction {} is rolled back: nobody has voted for it.", branch.id(), branch.participant());
        branches.endNow(branch.id(), Decision.ABORTED);
      }
      return true;
    } catch (DecisionStoreException e) {
      LOG.debug("The branch {} in the database has not ended.", branch.id(), e);
      return false;
    }
  }
}
