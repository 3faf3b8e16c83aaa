package org.understudy.replication.simulation;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.understudy.replication.api.decision.DecisionId;
import org.understudy.replication.core.Rule;
import org.understudy.replication.simulation.checker.Action;
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

  private final World world;
  private final Set<Rule> rules;
  private final History history;
  private long epoch;
  /** The rows of decisions; those of aborted ones too. */
  private final TreeMap<DecisionId, Boolean> rows = new TreeMap<>();
  private final Map<String, Cell> cells = new TreeMap<>();
  /** Everything that has ever committed, by the writer. Only for the checker. */
  private final Map<Long, Integer> committed = new TreeMap<>();
  /** The open transactions that have read the epoch under a lock. */
  private final Set<SimulatedBranch> locking = new HashSet<>();
  private long downUntil;
  private int commits;
  private int fences;

  /** What the database holds of one resource. */
  record Cell(long value, long writer) {
    static final Cell EMPTY = new Cell(0, 0);
  }

  SimulatedDatabase(World world, Set<Rule> rules, History history) {
    this.world = world;
    this.rules = rules;
    this.history = history;
  }

  /** Whether the database has a part of this resource's state. */
  static boolean has(String resource) {
    return resource.equals("shared1");
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

  boolean isDown() {
    return world.now() < downUntil;
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
  boolean commit(SimulatedBranch branch, DecisionId id) {
    boolean ended = enforces(Rule.EPOCH_IN_TRANSACTION) && !locking.remove(branch);
    if (ended || rows.containsKey(id) || !cell(branch.resource()).equals(branch.before())) {
      return false;
    }
    rows.put(id, true);
    commits++;
    cells.put(branch.resource(), branch.after());
    if (committed.put(branch.after().writer(), branch.operation()) != null) {
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
    if (last != null && !Boolean.TRUE.equals(rows.get(last))) {
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
      if (Boolean.TRUE.equals(rows.get(id))) {
        found.add(id);
      }
    }
    return found;
  }

  /** Returns whether the update has committed; if not, it never will. */
  boolean resolve(DecisionId id) {
    if (enforces(Rule.RESOLVE_EXCLUDES_LATE_COMMIT)) {
      rows.putIfAbsent(id, false);
    }
    return Boolean.TRUE.equals(rows.get(id));
  }

  void forget(DecisionId below) {
    rows.headMap(below).clear();
  }

  // ------------------------------------------------------------------------------------------------ the checker

  /** Compares what is committed here with the replicated state: exactly the same requests. */
  void check(Map<String, byte[]> image, List<Operation> operations) {
    Map<Long, Integer> replicated = new TreeMap<>();
    for (ExecutedUpdate update : ExecutedUpdate.all(image)) {
      Operation operation = operations.get(update.operation());
      if (has(operation.resource()) && operation.action() == Action.ADD) {
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
