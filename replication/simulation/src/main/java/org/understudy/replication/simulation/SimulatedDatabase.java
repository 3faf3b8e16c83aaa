package org.understudy.replication.simulation;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongConsumer;
import org.understudy.replication.api.decision.DecidedRow;
import org.understudy.replication.api.decision.DecisionId;
import org.understudy.replication.core.Rule;
import org.understudy.replication.runtime.decision.DecisionContent;
import org.understudy.replication.simulation.checker.Action;
import org.understudy.replication.simulation.checker.DatabaseChecker;
import org.understudy.replication.simulation.checker.ExecutedUpdate;
import org.understudy.replication.simulation.checker.History;
import org.understudy.replication.simulation.checker.Operation;

/**
 * The database server that all replicas of a simulation use, with the promises of a {@link
 * org.understudy.replication.api.decision.DecisionStore}. It lives on when a replica dies, and so does what a replica has sent to it: a
 * COMMIT can arrive long after its sender. Each method is one step of the server.
 */
final class SimulatedDatabase {
  private static final long MILLISECOND = 1_000_000L;
  private static final int ROWS_A_PAGE = 3;

  private final World world;
  private final Set<Rule> rules;
  private final History history;
  private long epoch;
  /** The resources of which nothing is replicated. */
  private final Set<String> whole;
  private final LongConsumer onCommit;
  /** The rows of decisions; those of aborted ones too. */
  private final TreeMap<DecisionId, Row> rows = new TreeMap<>();
  /** Everything that has ever committed of those resources. Only for the checker. */
  private final List<DatabaseChecker.Commit> commitsOfWhole = new ArrayList<>();
  private final Map<String, Cell> cells = new TreeMap<>();
  /** Everything that has ever committed, by the writer. Only for the checker. */
  private final Map<Long, Integer> committed = new TreeMap<>();
  /** The open transactions that have read the epoch under a lock. */
  private final Set<SimulatedBranch> locking = new HashSet<>();
  private long downUntil;
  /** The replicas that do not reach it. */
  private final Set<Integer> cutOff = new TreeSet<>();
  private int commits;
  private int fences;

  /** What the database holds of one resource. */
  record Cell(long value, long writer) {
    static final Cell EMPTY = new Cell(0, 0);
  }

  /** The row of a decision; without content if it says that the transaction never commits. */
  private record Row(boolean committed, byte[] key, byte[] response) {
    static final Row ABORTED = new Row(false, new byte[0], new byte[0]);
  }

  /**
   * @param whole the resources of which nothing is replicated
   * @param onCommit gets the writer of each committed transaction on one of them
   */
  SimulatedDatabase(World world, Set<Rule> rules, History history, Set<String> whole, LongConsumer onCommit) {
    this.world = world;
    this.rules = rules;
    this.history = history;
    this.whole = whole;
    this.onCommit = onCommit;
  }

  /** Whether the database has this resource's state, or a part of it. */
  boolean has(String resource) {
    return resource.equals("shared1") || hasWhole(resource);
  }

  /** Whether the database has all of this resource's state. */
  boolean hasWhole(String resource) {
    return whole.contains(resource);
  }

  boolean hasWhole() {
    return !whole.isEmpty();
  }

  World world() {
    return world;
  }

  boolean enforces(Rule rule) {
    return rules.contains(rule);
  }

  /** Goes down now and then until this time, so that nothing is answered. */
  void faultsUntil(long end) {
    world.after(world.between(200 * MILLISECOND, 2_500 * MILLISECOND), () -> {
      if (world.now() < end) {
        downUntil = world.now() + world.between(10 * MILLISECOND, 900 * MILLISECOND);
        world.trace("the database is down");
        faultsUntil(end);
      }
    });
  }

  void heal() {
    downUntil = 0;
  }

  /** Whether it answers nothing to this replica. */
  boolean isDown(int replica) {
    return world.now() < downUntil || cutOff.contains(replica);
  }

  void cutOff(int replica) {
    cutOff.add(replica);
  }

  void reconnect(int replica) {
    cutOff.remove(replica);
  }

  Cell cell(String resource) {
    return cells.getOrDefault(resource, Cell.EMPTY);
  }

  Map<String, Cell> cells() {
    return new TreeMap<>(cells);
  }

  int commits() {
    return commits;
  }

  int fences() {
    return fences;
  }

  // ------------------------------------------------------------------------------------------------ transactions

  /** The first step of a commit: reads the epoch under a lock. Returns false when it is another one. */
  boolean lockEpoch(SimulatedBranch branch, DecisionId id) {
    if (!enforces(Rule.EPOCH_IN_TRANSACTION)) {
      return true;
    }
    if (epoch != id.epoch()) {
      return false;
    }
    locking.add(branch);
    return true;
  }

  /** The last step of a commit. Returns false when the transaction was ended, or another one has written the row or the cell. */
  boolean commit(SimulatedBranch branch, DecisionId id, byte[] key, byte[] response) {
    boolean ended = enforces(Rule.EPOCH_IN_TRANSACTION) && !locking.remove(branch);
    if (ended || rows.containsKey(id) || !cell(branch.resource()).equals(branch.before())) {
      world.trace("the database aborts %s: %s is %s, not %s", id, branch.resource(), cell(branch.resource()), branch.before());
      return false;
    }
    rows.put(id, new Row(true, key, response));
    commits++;
    cells.put(branch.resource(), branch.after());
    if (hasWhole(branch.resource())) {
      commitsOfWhole.add(
          new DatabaseChecker.Commit(branch.resource(), branch.after().writer(), branch.operation(), branch.after().value()));
      onCommit.accept(branch.after().writer());
    } else if (committed.put(branch.after().writer(), branch.operation()) != null) {
      history.violation("database", "writer " + branch.after().writer() + " has committed twice");
    }
    world.trace("the database commits %s: %s is %s", id, branch.resource(), branch.after());
    return true;
  }

  void rollBack(SimulatedBranch branch) {
    locking.remove(branch);
  }

  // ------------------------------------------------------------------------------------------------ the store

  /** Raises the epoch, and ends transactions of lower ones. Returns the epoch that stands; 0 when it is a higher one. */
  long fence(long raised, DecisionId last) {
    if (enforces(Rule.FENCE_AT_PROMOTION) && raised < epoch) {
      return 0;
    }
    if (last != null && !isCommitted(last)) {
      history.violation("database", "decision " + last + " is forgotten, and it is the last one that the group knows");
    }
    if (enforces(Rule.FENCE_AT_PROMOTION) && raised > epoch) {
      fences++;
      epoch = raised;
      locking.clear();
    }
    epoch = Math.max(epoch, enforces(Rule.FENCE_AT_PROMOTION) ? 0 : 1);
    world.trace("the database is fenced by %d and has epoch %d", raised, epoch);
    return epoch;
  }

  Set<DecisionId> committed(List<DecisionId> prepared) {
    Set<DecisionId> found = new TreeSet<>();
    for (DecisionId id : prepared) {
      if (isCommitted(id)) {
        found.add(id);
      }
    }
    return found;
  }

  /** Returns whether the update has committed; if not, it never will. */
  boolean resolve(DecisionId id) {
    if (enforces(Rule.RESOLVE_EXCLUDES_LATE_COMMIT)) {
      rows.putIfAbsent(id, Row.ABORTED);
    }
    return isCommitted(id);
  }

  private boolean isCommitted(DecisionId id) {
    return rows.containsKey(id) && rows.get(id).committed();
  }

  void forget(DecisionId below, boolean all) {
    byte kept = DecisionContent.lowestMessageId()[0];
    rows.headMap(below).entrySet().removeIf(row -> {
      DecisionId id = row.getKey();
      byte[] key = row.getValue().key();
      boolean lower = id.epoch() < below.epoch() || row.getValue().committed() && id.isOnePhase() == below.isOnePhase();
      return lower && (all || key.length == 0 || key[0] < kept);
    });
  }

  /** A few rows of committed decisions with a key, in ascending order. */
  List<DecidedRow> rows(DecisionId after) {
    List<DecidedRow> page = new ArrayList<>();
    for (Map.Entry<DecisionId, Row> row : (after == null ? rows : rows.tailMap(after, false)).entrySet()) {
      if (row.getValue().committed() && row.getValue().key().length > 0 && page.size() < ROWS_A_PAGE) {
        page.add(new DecidedRow(row.getKey(), row.getValue().key(), row.getValue().response()));
      }
    }
    return page;
  }

  List<DatabaseChecker.Commit> commitsOfWhole() {
    return commitsOfWhole;
  }

  // ------------------------------------------------------------------------------------------------ the checker

  /** Compares what is committed here with the replicated state: exactly the same requests. */
  void check(Map<String, byte[]> image, List<Operation> operations) {
    whole.forEach(resource -> new DatabaseChecker(history).check(resource, commitsOfWhole));
    Map<Long, Integer> replicated = new TreeMap<>();
    for (ExecutedUpdate update : ExecutedUpdate.all(image)) {
      Operation operation = operations.get(update.operation());
      if (has(operation.resource()) && !hasWhole(operation.resource()) && operation.action() == Action.ADD) {
        replicated.put(update.writer(), update.operation());
      }
    }
    if (!replicated.equals(committed)) {
      List<String> halves = new ArrayList<>();
      replicated.forEach((writer, number) -> {
        if (!committed.containsKey(writer)) {
          halves.add(operations.get(number) + " only in the replicated state");
        }
      });
      committed.forEach((writer, number) -> {
        if (!replicated.containsKey(writer)) {
          halves.add(operations.get(number) + " only in the database");
        }
      });
      history.violation("half a request", halves.toString());
    }
  }
}
