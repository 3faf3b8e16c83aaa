package org.understudy.replication.simulation.transaction;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.understudy.replication.api.decision.BranchId;
import org.understudy.replication.api.decision.DecisionId;
import org.understudy.replication.api.decision.KnownBranch;
import org.understudy.replication.api.decision.ParticipantRecord;

/**
 * The database of one group. It survives all replicas, and its own restarts, which end the transactions that are not prepared. A method is
 * one statement or one short transaction, and happens at one moment.
 */
final class GroupDatabase {
  /** A transaction of one session. */
  static final class Branch {
    final SimulatedNode owner;
    /** The fenced epoch of its owner when it began. */
    final long epoch;
    private final Map<String, byte[]> changes = new TreeMap<>();
    /** The row that it has marked; null for none. */
    private BranchId marked;
    private boolean prepared;
    private boolean ended;

    Branch(SimulatedNode owner, long epoch) {
      this.owner = owner;
      this.epoch = epoch;
    }

    boolean hasChanges() {
      return !changes.isEmpty();
    }
  }

  private record Row(ParticipantRecord participant, boolean committed) {}

  private final Map<String, byte[]> values = new TreeMap<>();
  /** By key of a value. */
  private final Map<String, Branch> locks = new TreeMap<>();
  private final Set<Branch> active = new HashSet<>();
  private final Map<BranchId, Branch> prepared = new LinkedHashMap<>();
  private final Map<BranchId, Row> rows = new LinkedHashMap<>();
  private final Map<DecisionId, Boolean> decisions = new LinkedHashMap<>();
  private long epoch;
  private boolean down;

  boolean isDown() {
    return down;
  }

  /** Ends all transactions that are not prepared. */
  void restart(boolean staysDown) {
    down = staysDown;
    List.copyOf(active).forEach(this::rollBack);
  }

  /** The sessions of a replica that has died. */
  void disconnect(SimulatedNode owner) {
    List.copyOf(active).stream().filter(branch -> branch.owner == owner).forEach(this::rollBack);
  }

  byte[] value(String key) {
    return values.get(key);
  }

  /** What is locked or prepared, and the rows of branches; empty for nothing. */
  String unfinished() {
    return locks.isEmpty() && prepared.isEmpty() && rows.isEmpty()
        ? ""
        : "locked " + locks.keySet() + ", prepared " + prepared.keySet() + ", rows " + rows.keySet();
  }

  // ---- statements

  /**
   * Appends an entry to a value.
   *
   * @param entry null to read only
   * @return false when another transaction has locked the value, or this one has ended
   */
  boolean execute(Branch branch, String key, String entry) {
    Branch other = locks.get(key);
    if (branch.ended || branch.prepared || !branch.owner.isAlive() || (other != null && other != branch)) {
      return false;
    }
    active.add(branch);
    locks.put(key, branch);
    byte[] before = branch.changes.getOrDefault(key, values.get(key));
    if (entry != null && !SimulatedValues.entries(before).contains(entry)) {
      branch.changes.put(key, SimulatedValues.appended(before, entry));
    }
    return true;
  }

  /** Without effect on a prepared transaction. */
  void rollBack(Branch branch) {
    if (!branch.prepared) {
      end(branch);
    }
  }

  private void end(Branch branch) {
    branch.ended = true;
    active.remove(branch);
    locks.values().removeIf(owner -> owner == branch);
  }

  private void take(Branch branch) {
    values.putAll(branch.changes);
    end(branch);
  }

  // ---- the epoch, and updates that a row decides

  /** Returns false when another primary has raised the epoch higher. */
  boolean fence(long next) {
    boolean raises = epoch <= next;
    epoch = Math.max(epoch, next);
    return raises;
  }

  Set<DecisionId> committed(Collection<DecisionId> asked) {
    return asked.stream().filter(id -> decisions.getOrDefault(id, false)).collect(Collectors.toSet());
  }

  /** Commits a transaction with the row of its decision; returns false when it is rolled back. */
  boolean decide(Branch branch, DecisionId id) {
    boolean commits = !branch.ended && id.epoch() == epoch && !decisions.containsKey(id);
    if (commits) {
      decisions.put(id, true);
      take(branch);
    } else {
      end(branch);
    }
    return commits;
  }

  /** Returns whether the row of a decision is there. It never will be otherwise. */
  boolean resolve(DecisionId id) {
    decisions.putIfAbsent(id, false);
    return decisions.get(id);
  }

  // ---- prepared transactions

  /** Returns false when the epoch is not current. */
  boolean insertRow(BranchId id, ParticipantRecord participant) {
    return id.epoch() == epoch && rows.putIfAbsent(id, new Row(participant, false)) == null;
  }

  /** Marks the row as committed, within the branch. Returns false when there is no row, or the transaction has ended. */
  boolean mark(Branch branch, BranchId id) {
    if (branch.ended || !rows.containsKey(id)) {
      return false;
    }
    branch.marked = id;
    return true;
  }

  /** Returns false when the transaction has ended. */
  boolean prepare(Branch branch, BranchId id) {
    if (branch.ended) {
      return false;
    }
    branch.prepared = true;
    active.remove(branch);
    prepared.put(id, branch);
    return true;
  }

  /** Returns who has prepared it; null when it is unknown. */
  SimulatedNode ownerOf(BranchId id) {
    Branch branch = prepared.get(id);
    return branch == null ? null : branch.owner;
  }

  /** Null when there is no row. */
  String transactionOf(BranchId id) {
    Row row = rows.get(id);
    return row == null ? null : row.participant().transaction();
  }

  /** Returns false when it is not known. */
  boolean end(BranchId id, boolean commit) {
    Branch branch = prepared.remove(id);
    if (branch == null) {
      return false;
    }
    if (commit) {
      take(branch);
      rows.computeIfPresent(id, (key, row) -> new Row(row.participant(), row.committed() || id.equals(branch.marked)));
    } else {
      end(branch);
    }
    return true;
  }

  /** Whether the row is marked as committed; null when there is none. */
  Boolean isCommitted(BranchId id) {
    Row row = rows.get(id);
    return row == null ? null : row.committed();
  }

  /** Whether a branch has ended otherwise, or never was prepared and shall commit. Its row still shows that. */
  boolean refuses(BranchId id, boolean commit) {
    Row row = rows.get(id);
    return row != null && !prepared.containsKey(id) && row.committed() != commit;
  }

  /** Removes a row, and ends a session that has marked it and does nothing. Returns false when a prepared branch has locked it. */
  boolean delete(BranchId id) {
    Branch owner = prepared.get(id);
    if (owner != null && id.equals(owner.marked)) {
      return false;
    }
    List.copyOf(active).stream().filter(branch -> id.equals(branch.marked)).forEach(this::rollBack);
    rows.remove(id);
    return true;
  }

  /** The rows up to an epoch. */
  List<KnownBranch> known(long last) {
    List<KnownBranch> known = new ArrayList<>();
    rows.forEach((id, row) -> {
      if (id.epoch() <= last) {
        known.add(new KnownBranch(id, row.participant(), row.committed()));
      }
    });
    return known;
  }
}
