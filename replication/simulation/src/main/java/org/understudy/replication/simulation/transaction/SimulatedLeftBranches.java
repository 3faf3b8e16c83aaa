package org.understudy.replication.simulation.transaction;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.understudy.replication.api.decision.BranchId;
import org.understudy.replication.api.decision.Decision;
import org.understudy.replication.api.decision.KnownBranch;
import org.understudy.replication.core.Role;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.update.StateChange;

/**
 * What former primaries have left in the database, at one replica, after the container's {@code LeftBranches}: branches that nobody has
 * voted for; or <i>lost</i> ones, because the group has lost its memory since the vote.
 */
final class SimulatedLeftBranches {
  /** Its state is the epoch of the database from which on the log has known every vote. */
  private static final String SINCE = "branches/since";
  /** Has a state when a primary has found no branch whose vote the log does not know. */
  private static final String CHECKED = "branches/checked";
  private static final long SWEEP = 120_000_000L;

  private final SimulatedNode node;
  private final SimulatedBranches branches;
  private final TransactionSimulation simulation;
  /** The transactions of lost branches, by branch. */
  private final Map<String, KnownBranch> lost = new TreeMap<>();
  private boolean sweeping;
  private boolean reporting;
  private long sweepAt;

  /** What one sweep has found. */
  private static final class Sweep {
    private final Set<String> lost = new TreeSet<>();
    private boolean failed;
  }

  SimulatedLeftBranches(SimulatedNode node, SimulatedBranches branches) {
    this.node = node;
    this.branches = branches;
    this.simulation = node.simulation;
  }

  private boolean enforces(Rule rule) {
    return simulation.rules().contains(rule);
  }

  private static boolean isPart(KnownBranch branch, String transaction, String part) {
    return branch.participant().transaction().equals(transaction) && branch.participant().restText().equals(part);
  }

  // ---- what the log remembers

  /** Before the first branch: a log without this has lost votes. */
  void remember(long epoch, Consumer<Boolean> remembered) {
    if (node.image.containsKey(SINCE)) {
      remembered.accept(true);
    } else {
      byte[] since = ByteBuffer.allocate(Long.BYTES).putLong(epoch).array();
      node.container.update(TwoPhaseStep.MEMORY_BEGINS, new StateChange(SINCE, since), remembered);
    }
  }

  /** Whether the log knows every vote for the branches of an epoch. */
  private boolean remembers(long epoch) {
    byte[] since = node.image.get(SINCE);
    return since != null && ByteBuffer.wrap(since).getLong() <= epoch;
  }

  /** Whether branches may be prepared whose votes the group has lost with its memory. */
  boolean mayHaveLost() {
    return !node.image.containsKey(CHECKED);
  }

  // ---- lost branches

  /** The transactions of lost branches, as this primary knows. */
  Set<String> lost() {
    Set<String> transactions = new TreeSet<>();
    if (node.role() == Role.PRIMARY) {
      lost.values().forEach(branch -> transactions.add(branch.participant().transaction()));
    }
    return transactions;
  }

  /** The lost parts of a transaction. */
  List<String> lostParts(String transaction) {
    return node.role() != Role.PRIMARY ? List.of() : lost.values().stream()
        .filter(branch -> branch.participant().transaction().equals(transaction)).map(branch -> branch.participant().restText())
        .distinct().toList();
  }

  /**
   * Ends the branches of a part that no update in doubt names as has been decided.
   *
   * @param ended takes whether the database has no such branch any more
   */
  void end(String transaction, String part, Decision decision, Consumer<Boolean> ended) {
    branches.known(
        known -> {
          List<KnownBranch> same = new ArrayList<>(branches.unnamed(known));
          same.removeIf(branch -> !isPart(branch, transaction, part));
          end(same, decision, ended);
        },
        () -> ended.accept(false));
  }

  private void end(List<KnownBranch> some, Decision decision, Consumer<Boolean> ended) {
    if (some.isEmpty()) {
      ended.accept(true);
      return;
    }
    BranchId id = some.get(0).id();
    node.simulation.world().trace("%d.%d ends the lost branch %s: %s", node.group, node.number, id, decision);
    branches.end(id, decision == Decision.COMMITTED, () -> {
      lost.remove(id.toString());
      sweepAt = 0;
      end(some.subList(1, some.size()), decision, ended);
    }, () -> ended.accept(false));
  }

  /** Takes whether the database is known to have the branch of a part, which has not been committed. */
  void isThere(String transaction, String part, Consumer<Boolean> there) {
    branches.known(
        known -> there.accept(branches.unnamed(known).stream().anyMatch(
            branch -> isPart(branch, transaction, part) && !branch.committed())),
        () -> there.accept(false));
  }

  /** Takes whether the database can never end the branch of a part so. */
  void refuses(String transaction, String part, Decision decision, Consumer<Boolean> refused) {
    branches.known(
        known -> known.stream()
            .filter(branch -> isPart(branch, transaction, part)).findFirst().ifPresentOrElse(
                branch -> branches.refuses(branch.id(), decision == Decision.COMMITTED, refused), () -> refused.accept(false)),
        () -> refused.accept(false));
  }

  // ---- sweeps

  void tick() {
    // Before the fence this replica sees none of them.
    boolean sees = branches.epoch() > 0 || !enforces(Rule.SWEEP_AFTER_FENCE);
    if (node.role() == Role.PRIMARY && sees && !sweeping && simulation.world().now() >= sweepAt && enforces(Rule.LEFT_BRANCHES_END)) {
      sweepAt = simulation.world().now() + SWEEP;
      sweeping = true;
      branches.recount();
      long now = branches.epoch();
      Runnable stop = () -> sweeping = false;
      branches.search(
          known -> {
            List<KnownBranch> left = branches.unnamed(known);
            Sweep sweep = new Sweep();
            if (left.isEmpty()) {
              finish(sweep);
            } else if (enforces(Rule.CONFIRMED_BEFORE_BRANCHES_END)) {
              node.container.guarded(() -> {}, () -> {
                if (branches.epoch() == now) {
                  endLeft(left, sweep);
                } else {
                  stop.run();
                }
              }, stop);
            } else {
              endLeft(left, sweep);
            }
          },
          stop);
    }
  }

  /** All have been read. */
  private void finish(Sweep sweep) {
    sweeping = false;
    lost.keySet().retainAll(sweep.lost);
    if (sweep.lost.isEmpty() && !sweep.failed && mayHaveLost() && !reporting && simulation.hasForeignCoordinators()) {
      reporting = true;
      node.container.update(TwoPhaseStep.NONE_LOST, new StateChange(CHECKED, new byte[] {1}), stored -> reporting = false);
    }
  }

  private void endLeft(List<KnownBranch> left, Sweep sweep) {
    if (left.isEmpty()) {
      finish(sweep);
      return;
    }
    KnownBranch branch = left.get(0);
    Runnable next = () -> endLeft(left.subList(1, left.size()), sweep);
    Runnable failed = () -> {
      sweep.failed = true;
      next.run();
    };
    if (branch.committed()) {
      branches.delete(branch.id(), next, failed);
    } else if (!remembers(branch.id().epoch()) && enforces(Rule.LOST_VOTES_WAIT)) {
      sweep.lost.add(branch.id().toString());
      lost.put(branch.id().toString(), branch);
      String transaction = branch.participant().transaction();
      Decision decided = node.container.operators().decided(transaction, branch.participant().restText());
      if (decided != null && enforces(Rule.OPERATOR_DECISION_STANDS)) {
        end(transaction, branch.participant().restText(), decided, ended -> {});
      } else if (!simulation.hasForeignCoordinators()) {
        node.container.decisions().ask(transaction, branch.participant().restText());
      }
      next.run();
    } else {
      simulation.world().trace("%d.%d rolls back %s: nobody has voted for it", node.group, node.number, branch.id());
      branches.end(branch.id(), false, next, failed);
    }
  }
}
