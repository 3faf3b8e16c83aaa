package org.understudy.replication.simulation.transaction;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.understudy.replication.api.ReadLevel;
import org.understudy.replication.api.VersionHandle;
import org.understudy.replication.api.decision.BranchId;
import org.understudy.replication.api.decision.Decision;
import org.understudy.replication.api.decision.DecisionId;
import org.understudy.replication.api.decision.InDoubt;
import org.understudy.replication.api.decision.ParticipantRecord;
import org.understudy.replication.core.Input;
import org.understudy.replication.core.Role;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.request.RequestKey;
import org.understudy.replication.core.request.Response;
import org.understudy.replication.core.transaction.ParticipantVote;
import org.understudy.replication.core.update.StateChange;

/**
 * The participant at one replica, after the container's: open transactions with their locks in memory, prepared ones by the core. Calls,
 * and messages of coordinators, are linearizable reads.
 */
final class SimulatedContainer {
  static final long LIFETIME = 3_000_000_000L;
  private static final long ASK_AFTER = 200_000_000L;

  private final SimulatedNode node;
  private final SimulatedCoordinator coordinator;
  private final Map<String, OpenPart> open = new TreeMap<>();
  /** By key: the transaction that has locked it. */
  private final Map<String, String> locks = new TreeMap<>();
  private final SimulatedValues values;
  private final SimulatedCalls calls;
  /** Null without a database. */
  private final SimulatedBranches branches;
  private final Map<String, PreparedPart> prepared = new TreeMap<>();
  private final SimulatedOperators operators;
  private final ReceivedDecisions decisions;
  private final Map<DecisionId, List<Consumer<Boolean>>> waiting = new HashMap<>();

  SimulatedContainer(SimulatedNode node) {
    this.node = node;
    this.branches = node.simulation.database(node.group) == null ? null : new SimulatedBranches(node);
    this.values = new SimulatedValues(node, locks, branches);
    this.coordinator = node.group == 0 ? new SimulatedCoordinator(node, this) : null;
    this.operators = new SimulatedOperators(node, this);
    this.decisions = new ReceivedDecisions(node, this);
    this.calls = new SimulatedCalls(node, this, open, locks);
  }

  SimulatedValues values() {
    return values;
  }

  SimulatedBranches branches() {
    return branches;
  }

  ReceivedDecisions decisions() {
    return decisions;
  }

  SimulatedOperators operators() {
    return operators;
  }

  /** The transactions that are in doubt here, also those of which only the database has a part. */
  Set<String> inDoubt() {
    Set<String> all = new TreeSet<>(prepared.keySet());
    if (branches != null) {
      all.addAll(branches.left().lost());
    }
    return all;
  }

  /** Null for none. */
  PreparedPart preparedPart(String transaction) {
    return prepared.get(transaction);
  }

  SimulatedCoordinator coordinator() {
    return coordinator;
  }

  /** What is open, locked or prepared here; empty for nothing. */
  String unfinished() {
    String own = branches == null ? "" : branches.unfinished();
    return open.isEmpty() && locks.isEmpty() && prepared.isEmpty() && own.isEmpty()
        ? ""
        : "open " + open.keySet() + ", locked " + locks + ", prepared " + prepared.keySet() + ", branches " + own;
  }

  private long now() {
    return node.simulation.world().now();
  }

  static Request read() {
    return new Request(null, 0, Request.Kind.READ, ReadLevel.LINEARIZABLE, VersionHandle.INITIAL, 0, "");
  }

  static Request update(RequestKey key) {
    return new Request(key, 0, Request.Kind.UPDATE, null, VersionHandle.INITIAL, 0, "");
  }

  /** Runs within a linearizable read; the answer is given only when the read may be answered. */
  void guarded(Runnable work, Runnable answer, Runnable failed) {
    node.submit(
        read(),
        new SimulatedNode.Submission() {
          @Override
          void execute(long token) {
            work.run();
            node.step(new Input.Executed(token, Map.of(), Response.EMPTY, List.of()));
          }

          @Override
          void reply() {
            answer.run();
          }

          @Override
          void fail(Failure failure) {
            failed.run();
          }
        });
  }

  /**
   * Changes a key of the group's state that is not a value.
   *
   * @param stored takes whether the change is known to be stable
   */
  void update(TwoPhaseStep step, StateChange change, Consumer<Boolean> stored) {
    update(step, change, stored, () -> {});
  }

  /**
   * As the other.
   *
   * @param appended called when the log of this replica has the change
   */
  void update(TwoPhaseStep step, StateChange change, Consumer<Boolean> stored, Runnable appended) {
    node.submit(
        Request.internalUpdate(),
        new SimulatedNode.Submission() {
          @Override
          void execute(long token) {
            node.simulation.entry(node, step, new Input.Executed(token, Map.of(), Response.EMPTY, List.of(change)), appended);
          }

          @Override
          void reply() {
            stored.accept(true);
          }

          @Override
          void fail(Failure failure) {
            stored.accept(false);
          }
        });
  }

  /** A call within a transaction: appends its id to a value, or only reads it. */
  void call(String transaction, String key, boolean reads, Consumer<Boolean> answer) {
    calls.call(transaction, key, reads, answer);
  }

  OpenPart part(String transaction) {
    return open.get(transaction);
  }

  /** Drops an open part and its locks. */
  void discard(OpenPart part) {
    if (part != null && open.remove(part.transaction, part)) {
      release(part.transaction);
      if (part.branch != null) {
        branches.rollBack(part.branch);
      }
    }
  }

  void discardUnlessEnding(OpenPart part) {
    if (!part.ending) {
      discard(part);
    }
  }

  void release(String transaction) {
    locks.values().removeIf(transaction::equals);
  }

  // ---- messages of the coordinator

  void prepare(String transaction, String name) {
    ParticipantVote[] vote = new ParticipantVote[1];
    guarded(
        () -> vote[0] = vote(transaction, name),
        () -> {
          if (vote[0] != null) {
            send(transaction, name, vote[0]);
          }
        },
        () -> {});
  }

  /** Null: the vote follows. */
  private ParticipantVote vote(String transaction, String name) {
    OpenPart part = open.get(transaction);
    PreparedPart ready = prepared.get(transaction);
    if (ready != null && ready.part.equals(name)) {
      return ParticipantVote.PREPARED;
    } else if (part == null || !part.part.equals(name) || !part.registered) {
      return decisions.isSilent() ? null : ParticipantVote.ABORTED;
    } else if (part.ending) {
      return null;
    } else if (part.calling) {
      discard(part);
      return ParticipantVote.ABORTED;
    } else if (part.changesNothing()) {
      discard(part);
      return ParticipantVote.READ_ONLY;
    }
    part.ending = true;
    append(part);
    return null;
  }

  private void append(OpenPart part) {
    ParticipantRecord participant = new ParticipantRecord(part.transaction, part.part.getBytes(StandardCharsets.UTF_8));
    node.submit(
        update(null),
        new SimulatedNode.Submission() {
          private boolean voted;

          @Override
          void execute(long token) {
            if (branches == null) {
              propose(token, part.list());
              return;
            }
            branches.prepare(part, participant, changes -> propose(token, changes), () -> {
              discard(part);
              node.step(new Input.Abandoned(token));
              send(part.transaction, part.part, ParticipantVote.ABORTED);
            });
          }

          private void propose(long token, List<StateChange> changes) {
            Input.Executed update = new Input.Executed(token, part.versions, Response.EMPTY, changes, false, participant);
            node.simulation.entry(node, TwoPhaseStep.PREPARED_UPDATE, update);
          }

          @Override
          void prepared(DecisionId id) {
            voted = true;
            BranchId branch = branches == null ? null : branches.branchOf(id);
            prepared.put(part.transaction, new PreparedPart(id, part.part, branch, now() + ASK_AFTER));
            send(part.transaction, part.part, ParticipantVote.PREPARED);
          }

          @Override
          void commit() {
            discard(part);
            ended();
          }

          @Override
          void rollback() {
            discard(part);
            ended();
          }

          private void ended() {
            if (branches != null) {
              branches.ended(part.transaction);
            }
          }

          @Override
          void fail(Failure failure) {
            discard(part);
            if (!voted) {
              send(part.transaction, part.part, ParticipantVote.ABORTED);
            }
          }
        });
  }

  private void send(String transaction, String part, ParticipantVote vote) {
    node.simulation.world().trace("%d.%d votes %s for %s", node.group, node.number, vote, transaction);
    int group = node.group;
    node.simulation.network().toCoordinators(node, TwoPhaseStep.VOTE, other -> other.voted(transaction, group, part, vote));
  }

  /**
   * Marks a decision.
   *
   * @param settled takes whether the mark is known to be stable
   */
  void decide(PreparedPart part, Decision decision, Consumer<Boolean> settled) {
    node.simulation.world().trace("%d.%d decides %s of %s", node.group, node.number, decision, part.id);
    Runnable mark = () -> {
      waiting.computeIfAbsent(part.id, none -> new ArrayList<>()).add(settled);
      node.simulation.entry(node, TwoPhaseStep.MARK, new Input.CoordinatorDecided(part.id, decision));
    };
    if (branches == null) {
      mark.run();
    } else {
      branches.end(part.branch, decision, mark, () -> settled.accept(false));
    }
  }

  // ---- effects of the core

  void settled(DecisionId id, boolean stable) {
    List<Consumer<Boolean>> calls = waiting.remove(id);
    if (stable) {
      prepared.values().stream().filter(part -> part.id.equals(id) && part.branch != null).forEach(part -> branches.settled(part.branch));
      prepared.values().removeIf(part -> part.id.equals(id));
    }
    (calls == null ? List.<Consumer<Boolean>>of() : calls).forEach(call -> call.accept(stable));
  }

  void inDoubt(List<InDoubt> updates) {
    node.simulation.inherited(updates.size());
    for (InDoubt update : updates) {
      String part = update.participant().restText();
      PreparedPart found = new PreparedPart(update.id(), part, SimulatedBranches.branchOf(update), now());
      prepared.put(update.participant().transaction(), found);
    }
    if (branches != null) {
      branches.inherited(updates);
    }
  }

  void changed(Role role) {
    if (role == Role.PRIMARY || role == Role.CHANGING) {
      if (role == Role.PRIMARY) {
        // A mark that this replica has made in an earlier view may have become stable, and nothing reports that.
        Set<DecisionId> undecided = node.core().undecided().stream().map(InDoubt::id).collect(Collectors.toSet());
        prepared.values().removeIf(part -> !undecided.contains(part.id));
      }
      if (coordinator != null && role == Role.PRIMARY) {
        coordinator.begin();
      }
      return;
    }
    List.copyOf(open.values()).forEach(this::discard);
    locks.clear();
    prepared.clear();
    waiting.clear();
    operators.lose();
    if (coordinator != null) {
      coordinator.end();
    }
  }

  void tick() {
    for (OpenPart part : List.copyOf(open.values())) {
      if (coordinator == null && !part.ending && now() - part.began > LIFETIME) {
        discard(part);
      }
    }
    for (Map.Entry<String, PreparedPart> entry : prepared.entrySet()) {
      PreparedPart part = entry.getValue();
      if (part.askAt <= now()) {
        part.askAt = now() + ASK_AFTER;
        decisions.ask(entry.getKey(), part.part);
      }
    }
    operators.tick(now(), ASK_AFTER);
    if (coordinator != null) {
      coordinator.tick();
    }
    if (branches != null) {
      branches.left().tick();
    }
  }
}
