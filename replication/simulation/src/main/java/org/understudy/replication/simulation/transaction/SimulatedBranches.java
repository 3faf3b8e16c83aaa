package org.understudy.replication.simulation.transaction;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.understudy.replication.api.decision.BranchId;
import org.understudy.replication.api.decision.Decision;
import org.understudy.replication.api.decision.DecisionId;
import org.understudy.replication.api.decision.InDoubt;
import org.understudy.replication.api.decision.KnownBranch;
import org.understudy.replication.api.decision.ParticipantRecord;
import org.understudy.replication.core.Input;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.update.StateChange;
import org.understudy.replication.simulation.World;

/**
 * The database parts of transactions at one replica, after the container's. What it has sent arrives although the replica dies or pauses.
 * Answers can be late or lost: then their connection has ended.
 */
final class SimulatedBranches {
  /** The key of the service that keeps values in the database. It never has a state. */
  static final String SERVICE = "db";
  private static final String PREFIX = "branch/";
  private static final long MS = 1_000_000L;
  private static final long AGAIN = 50 * MS;

  private final SimulatedNode node;
  private final TransactionSimulation simulation;
  private final World world;
  private final GroupDatabase database;
  /** The transactions whose branches are being prepared here, or whose updates this primary holds. */
  private final Set<String> own = new HashSet<>();
  /** Their preparation is under way: nothing else ends them. */
  private final Set<GroupDatabase.Branch> preparing = new HashSet<>();
  private final SimulatedLeftBranches left;
  private boolean inherited;
  private long fencing;
  private long epoch;

  SimulatedBranches(SimulatedNode node) {
    this.node = node;
    this.simulation = node.simulation;
    this.world = simulation.world();
    this.database = simulation.database(node.group);
    this.left = new SimulatedLeftBranches(node, this);
  }

  static boolean isInDatabase(String key) {
    return key.startsWith("d");
  }

  private boolean enforces(Rule rule) {
    return simulation.rules().contains(rule);
  }

  /** The time for one message, rarely long enough for a view change. What is read to find old branches is often old itself. */
  private long pause(TwoPhaseStep step) {
    boolean late = simulation.isFaulty() && world.chance(step == TwoPhaseStep.SEARCH ? 0.1 : 0.02);
    return late ? world.between(0, (step == TwoPhaseStep.SEARCH ? 2_500 : 900) * MS) : world.between(0, MS);
  }

  /** Sends a statement to the database, whose answer comes if this replica and the connection live. */
  private <T> void ask(TwoPhaseStep step, Supplier<T> statement, Consumer<T> answer, Runnable failed) {
    simulation.faults().moment(node, step, true);
    node.arrive(() -> {
      boolean lost = simulation.faults().losesConnection();
      boolean arrives = !lost || world.chance(0.5);
      world.after(pause(step), () -> {
        boolean done = arrives && !database.isDown();
        T result = done ? statement.get() : null;
        long back = Math.max(pause(step), simulation.named().delayed(node.group, step));
        world.after(back, () -> node.arrive(() -> {
          if (done) {
            simulation.faults().moment(node, step, false);
          }
          node.arrive(done && !lost ? () -> answer.accept(result) : failed);
        }));
      });
    });
  }

  // ---- values in the database

  /** Whether a branch that another primary has prepared is in doubt. */
  boolean isInherited() {
    return inherited;
  }

  GroupDatabase.Branch begin() {
    return new GroupDatabase.Branch(node, epoch);
  }

  /** Executes a statement; answers false when the transaction can only abort. */
  void execute(GroupDatabase.Branch branch, String key, String entry, Consumer<Boolean> answer) {
    ask(TwoPhaseStep.STATEMENT, () -> database.execute(branch, key, entry), answer, () -> answer.accept(false));
  }

  void read(String key, Consumer<List<String>> answer) {
    ask(TwoPhaseStep.STATEMENT, () -> SimulatedValues.entries(database.value(key)), answer, () -> answer.accept(null));
  }

  /** Without effect on a branch that is prepared, or being prepared. */
  void rollBack(GroupDatabase.Branch branch) {
    if (branch != null && !preparing.contains(branch)) {
      world.after(pause(TwoPhaseStep.STATEMENT), () -> database.rollBack(branch));
    }
  }

  // ---- preparation

  /** Prepares the branch of a part, if it has one, and hands over the changes of the update. */
  void prepare(OpenPart part, ParticipantRecord participant, Consumer<List<StateChange>> then, Runnable failed) {
    if (part.branch == null || !part.branch.hasChanges()) {
      rollBack(part.branch);
      then.accept(part.list());
      return;
    }
    own.add(part.transaction);
    preparing.add(part.branch);
    Runnable undo = () -> {
      preparing.remove(part.branch);
      rollBack(part.branch);
      own.remove(part.transaction);
      failed.run();
    };
    BranchId id = BranchId.of(Math.max(1, part.branch.epoch), participant);
    List<StateChange> changes = new ArrayList<>(part.list());
    changes.add(new StateChange(PREFIX + id, null));
    changes.add(new StateChange(SERVICE, null));
    if (enforces(Rule.BRANCH_BEFORE_UPDATE)) {
      left.remember(epoch, remembered -> require(remembered, undo, () -> prepare(part.branch, id, participant, () -> {
        preparing.remove(part.branch);
        then.accept(changes);
      }, undo)));
    } else {
      then.accept(changes);
      prepare(part.branch, id, participant, () -> preparing.remove(part.branch), () -> preparing.remove(part.branch));
    }
  }

  private void prepare(GroupDatabase.Branch branch, BranchId id, ParticipantRecord participant, Runnable then, Runnable failed) {
    ask(
        TwoPhaseStep.BRANCH_ROW,
        () -> database.insertRow(id, participant),
        inserted -> require(inserted, failed, () -> ask(
            TwoPhaseStep.BRANCH_MARK,
            () -> !enforces(Rule.BRANCH_MARKS_ITS_ROW) || database.mark(branch, id),
            marked -> require(marked, failed, () -> ask(
                TwoPhaseStep.BRANCH_PREPARATION,
                () -> database.prepare(branch, id),
                prepared -> require(prepared, failed, then),
                failed)),
            failed)),
        failed);
  }

  private static void require(boolean condition, Runnable failed, Runnable then) {
    (condition ? then : failed).run();
  }

  /** The transactions whose branches this primary holds; empty for none. */
  String unfinished() {
    return own.isEmpty() ? "" : own.toString();
  }

  /** A transaction has ended here. */
  void ended(String transaction) {
    own.remove(transaction);
  }

  // ---- the decision

  /** A new primary finds updates in doubt. */
  void inherited(List<InDoubt> updates) {
    inherited |= updates.stream().anyMatch(this::isForeign);
  }

  private boolean isForeign(InDoubt update) {
    return branchOf(update) != null && !own.contains(update.participant().transaction());
  }

  static BranchId branchOf(InDoubt update) {
    return update.resources().stream().filter(key -> key.startsWith(PREFIX)).findFirst()
        .map(key -> BranchId.parse(key.substring(PREFIX.length()))).orElse(null);
  }

  BranchId branchOf(DecisionId id) {
    return node.core().undecided().stream().filter(update -> update.id().equals(id)).findFirst()
        .map(SimulatedBranches::branchOf).orElse(null);
  }

  /**
   * Ends a branch before its mark.
   *
   * @param id null for none
   * @param failed called instead of the mark when the branch has not ended: the decision comes again
   */
  void end(BranchId id, Decision decision, Runnable mark, Runnable failed) {
    if (id == null) {
      mark.run();
    } else if (!enforces(Rule.BRANCH_BEFORE_MARK)) {
      mark.run();
      end(id, decision == Decision.COMMITTED, () -> {}, () -> {});
    } else if (!enforces(Rule.ROW_UNTIL_STABLE_MARK)) {
      end(id, decision == Decision.COMMITTED, () -> delete(id, mark, failed), failed);
    } else {
      end(id, decision == Decision.COMMITTED, mark, failed);
    }
  }

  /** Commits a branch, or rolls it back and removes its row. */
  void end(BranchId id, boolean commit, Runnable then, Runnable failed) {
    ask(
        TwoPhaseStep.BRANCH_END,
        () -> {
          SimulatedNode owner = database.ownerOf(id);
          if (!commit && owner != null && owner != node) {
            // As H2 needs it.
            database.restart(false);
          }
          boolean ended = database.end(id, commit);
          if (ended && commit) {
            simulation.history().branchCommitted(node.group, database.transactionOf(id), world.now());
          }
          return ended;
        },
        known -> {
          if (known && commit) {
            then.run();
          } else if (known) {
            delete(id, then, failed);
          } else {
            endUnknown(id, commit, then, failed);
          }
        },
        failed);
  }

  private void endUnknown(BranchId id, boolean commit, Runnable then, Runnable failed) {
    ask(
        TwoPhaseStep.STATEMENT,
        () -> String.valueOf(database.isCommitted(id)),
        row -> {
          boolean committed = row.equals("true");
          if (commit && committed) {
            then.run();
          } else if (commit || committed) {
            world.trace("%d.%d cannot end %s: commit %b, row %s", node.group, node.number, id, commit, row);
            failed.run();
          } else {
            delete(id, then, failed);
          }
        },
        failed);
  }

  /** Takes whether the database can never end a branch so. */
  void refuses(BranchId id, boolean commit, Consumer<Boolean> refused) {
    ask(TwoPhaseStep.STATEMENT, () -> database.refuses(id, commit), refused, () -> refused.accept(false));
  }

  void delete(BranchId id, Runnable then, Runnable failed) {
    ask(TwoPhaseStep.BRANCH_FORGETTING, () -> database.delete(id), deleted -> require(deleted, failed, then), failed);
  }

  /** The mark of an update is stable. */
  void settled(BranchId id) {
    if (id != null) {
      recount();
      delete(id, () -> {}, () -> {});
    }
  }

  void recount() {
    inherited = inherited && node.core().undecided().stream().anyMatch(this::isForeign);
  }

  // ---- what a former primary has left

  /** What former primaries have left. */
  SimulatedLeftBranches left() {
    return left;
  }

  /** The epoch to which this replica has raised the database last. */
  long epoch() {
    return epoch;
  }

  /** Reads the rows of branches, to find what has been left. */
  void search(Consumer<List<KnownBranch>> answer, Runnable failed) {
    long now = epoch;
    ask(TwoPhaseStep.SEARCH, () -> database.known(now), answer, failed);
  }

  /** Reads the rows of branches, for a part that the log does not know. */
  void known(Consumer<List<KnownBranch>> answer, Runnable failed) {
    long now = epoch;
    ask(TwoPhaseStep.STATEMENT, () -> database.known(now), answer, failed);
  }

  /** Those that no update in doubt here names, and that are not being prepared here. */
  List<KnownBranch> unnamed(List<KnownBranch> known) {
    List<KnownBranch> unnamed = new ArrayList<>(known);
    unnamed.removeIf(branch -> own.contains(branch.participant().transaction()));
    if (enforces(Rule.BRANCH_AS_DECIDED)) {
      Set<BranchId> logged =
          node.core().undecided().stream().map(SimulatedBranches::branchOf).filter(Objects::nonNull).collect(Collectors.toSet());
      unnamed.removeIf(branch -> logged.contains(branch.id()));
    }
    return unnamed;
  }

  // ---- the epoch, and updates that a row decides

  void fence(long view, List<DecisionId> prepared) {
    fencing = view;
    ask(
        TwoPhaseStep.FENCE,
        () -> database.fence(view) ? database.committed(prepared) : null,
        committed -> {
          if (fencing == view && committed != null) {
            epoch = view;
            node.step(new Input.Fenced(view, view, committed));
          }
        },
        () -> world.after(AGAIN, () -> node.arrive(() -> {
          if (fencing == view) {
            fence(view, prepared);
          }
        })));
  }

  /** An update that the log has prepared is decided by the row of its branch. */
  void decide(long token, DecisionId id, GroupDatabase.Branch branch) {
    ask(
        TwoPhaseStep.ROW,
        () -> database.decide(branch, id),
        committed -> node.step(new Input.Decided(token, id, committed ? Decision.COMMITTED : Decision.ABORTED, false)),
        () -> resolve(token, id));
  }

  private void resolve(long token, DecisionId id) {
    ask(
        TwoPhaseStep.STATEMENT,
        () -> database.resolve(id),
        committed -> node.step(new Input.Decided(token, id, committed ? Decision.COMMITTED : Decision.ABORTED, false)),
        () -> world.after(AGAIN, () -> node.arrive(() -> resolve(token, id))));
  }
}
