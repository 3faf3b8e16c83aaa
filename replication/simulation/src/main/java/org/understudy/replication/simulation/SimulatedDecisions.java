package org.understudy.replication.simulation;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.understudy.replication.api.decision.Branch;
import org.understudy.replication.api.decision.DecidedRow;
import org.understudy.replication.api.decision.Decision;
import org.understudy.replication.api.decision.DecisionId;
import org.understudy.replication.core.Input;
import org.understudy.replication.core.Rule;
import org.understudy.replication.runtime.decision.DecisionContent;
import org.understudy.replication.runtime.decision.DecisionMaker;

/**
 * One replica's access to the {@link SimulatedDatabase} in one incarnation. What it has sent arrives although the replica dies or
 * pauses; answers arrive only while it runs. COMMITs and their answers can be late or lost.
 */
final class SimulatedDecisions implements DecisionMaker {
  private static final long MILLISECOND = 1_000_000L;
  private static final long LOOK = 100 * MILLISECOND;
  /** Without an answer, before the database counts as one that does not answer. */
  private static final int SILENCES = 4;

  private final SimulatedReplica replica;
  private final SimulatedDatabase database;
  private final World world;
  private final Runnable reload;
  /** Not begun. */
  private final Set<Branch> queued = new HashSet<>();
  /** Their commit is under way. */
  private final Set<Branch> committing = new HashSet<>();
  private Answers inputs;
  private final long incarnation;
  private int silences;
  private boolean answers = true;
  private long fencing;
  private long recalling;

  SimulatedDecisions(SimulatedReplica replica, SimulatedDatabase database, Runnable reload) {
    this.replica = replica;
    this.incarnation = replica.incarnation();
    this.database = database;
    this.world = database.world();
    this.reload = reload;
  }

  @Override
  public void start(Answers answers) {
    inputs = answers;
    look();
  }

  private boolean isDown() {
    return database.isDown(replica.number());
  }

  /** As the watch over a database: sooner, as everything is in a simulation. */
  private void look() {
    silences = isDown() ? silences + 1 : 0;
    boolean answersNow = silences < SILENCES;
    if (answersNow != answers) {
      answers = answersNow;
      inputs.take(new Input.DatabaseSeen(answersNow));
    }
    here(LOOK, this::look);
  }

  /** In the incarnation of this object: an answer of the database does not reach the next one. */
  private void here(long nanos, Runnable what) {
    if (replica.incarnation() == incarnation) {
      replica.after(nanos, what);
    }
  }

  /** The time for one message, to the database or back; rarely long enough for a view change. */
  private long pause() {
    return world.chance(0.04) ? world.between(0, 1_500 * MILLISECOND) : world.between(0, 2 * MILLISECOND);
  }

  // ------------------------------------------------------------------------------------------------ branches

  @Override
  public void decide(long token, DecisionId id, byte[] key, byte[] response, Branch branch) {
    queued.add(branch);
    here(pause(), () -> {
      if (queued.remove(branch)) {
        committing.add(branch);
        send(token, id, (SimulatedBranch) branch, key, response);
      }
    });
  }

  private void send(long token, DecisionId id, SimulatedBranch branch, byte[] key, byte[] response) {
    if (world.chance(0.06)) {
      // A deadlock, or the connection was lost before COMMIT was sent.
      database.rollBack(branch);
      answer(token, id, branch, Decision.ABORTED, true);
      return;
    }
    boolean lost = world.chance(0.06);
    if (lost) {
      here(world.between(0, 60 * MILLISECOND), () -> resolve(token, id, branch));
    }
    if (lost && world.chance(0.3)) {
      // The COMMIT never arrives.
      world.after(pause(), () -> database.rollBack(branch));
      return;
    }
    world.after(pause(), () -> {
      if (!database.lockEpoch(branch, id)) {
        answerUnlessLost(lost, token, id, branch, Decision.ABORTED, false);
        return;
      }
      world.after(pause(), () -> {
        Decision decision = database.commit(branch, id, key, response) ? Decision.COMMITTED : Decision.ABORTED;
        answerUnlessLost(lost, token, id, branch, decision, true);
      });
    });
  }

  private void answerUnlessLost(
      boolean lost, long token, DecisionId id, SimulatedBranch branch, Decision decision, boolean again) {
    if (!lost) {
      answer(token, id, branch, decision, again);
    }
  }

  private void answer(long token, DecisionId id, SimulatedBranch branch, Decision decision, boolean again) {
    here(pause(), () -> {
      inputs.take(new Input.Decided(token, id, decision, again));
      committing.remove(branch);
    });
  }

  private void resolve(long token, DecisionId id, SimulatedBranch branch) {
    if (isDown()) {
      here(50 * MILLISECOND, () -> resolve(token, id, branch));
      return;
    }
    world.after(pause(), () -> {
      Decision decision = database.resolve(id) ? Decision.COMMITTED : Decision.ABORTED;
      answer(token, id, branch, decision, true);
    });
  }

  @Override
  public void rollBack(Branch branch, Runnable then) {
    if (!committing.contains(branch)) {
      queued.remove(branch);
      branch.rollback();
    }
    then.run();
  }

  // ------------------------------------------------------------------------------------------------ the fence

  @Override
  public void fence(long view, DecisionId last, List<DecisionId> prepared, boolean reloads) {
    fencing = view;
    here(pause(), () -> fenceNow(view, last, prepared, reloads));
  }

  private void fenceNow(long view, DecisionId last, List<DecisionId> prepared, boolean reloads) {
    if (fencing != view) {
      return;
    }
    if (isDown()) {
      here(0, () -> inputs.take(new Input.FenceFailed(view, "The database is down.")));
      here(50 * MILLISECOND, () -> fenceNow(view, last, prepared, reloads));
      return;
    }
    Set<DecisionId> early = database.enforces(Rule.READ_AFTER_FENCE) ? null : database.committed(prepared);
    world.after(pause(), () -> {
      long epoch = database.fence(view, last);
      here(pause(), () -> {
        if (fencing != view) {
          return;
        }
        if (epoch == 0) {
          inputs.take(new Input.FenceFailed(view, "Another primary has fenced the database."));
          return;
        }
        Set<DecisionId> committed = early == null ? database.committed(prepared) : early;
        if (reloads) {
          reload.run();
        }
        inputs.take(new Input.Fenced(view, epoch, committed));
      });
    });
  }

  @Override
  public void recall(long view, DecisionId after) {
    recalling++;
    here(pause(), () -> recallNow(recalling, view, after));
  }

  private void recallNow(long number, long view, DecisionId after) {
    if (number != recalling || fencing != view) {
      return;
    }
    if (isDown()) {
      inputs.take(new Input.FenceFailed(view, "The database is down."));
      here(50 * MILLISECOND, () -> recallNow(number, view, after));
      return;
    }
    List<DecidedRow> rows = database.rows(after);
    DecisionId last = rows.isEmpty() ? null : rows.get(rows.size() - 1).id();
    here(pause(), () -> {
      if (number == recalling && fencing == view) {
        inputs.take(new Input.Recalled(view, DecisionContent.replies(rows), last));
      }
    });
  }

  @Override
  public void forget(DecisionId below, boolean all) {
    world.after(pause(), () -> database.forget(below, all));
  }

  @Override
  public void close() {
    // Ends with its incarnation.
  }
}
