package org.understudy.replication.simulation.transaction;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
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
import org.understudy.replication.core.transaction.TransactionStatus;
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
  private final Map<DecisionId, List<Runnable>> waiting = new HashMap<>();

  SimulatedContainer(SimulatedNode node) {
    this.node = node;
    this.branches = node.simulation.database(node.group) == null ? null : new SimulatedBranches(node);
    this.values = new SimulatedValues(node, locks, branches);
    this.coordinator = node.group == 0 ? new SimulatedCoordinator(node, this) : null;
    this.calls = new SimulatedCalls(node, this, open, locks);
  }

  SimulatedValues values() {
    return values;
  }

  SimulatedBranches branches() {
    return branches;
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
      return ParticipantVote.ABORTED;
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

  void commit(String transaction, String name) {
    boolean[] unknown = new boolean[1];
    guarded(
        () -> {
          PreparedPart part = prepared.get(transaction);
          unknown[0] = part == null || !part.part.equals(name);
          if (!unknown[0]) {
            decide(part, Decision.COMMITTED, () -> acknowledge(transaction, name));
          }
        },
        () -> {
          if (unknown[0]) {
            acknowledge(transaction, name);
          }
        },
        () -> {});
  }

  private void acknowledge(String transaction, String part) {
    int group = node.group;
    node.simulation.network().toCoordinators(node, TwoPhaseStep.ACKNOWLEDGEMENT, other -> other.acknowledged(transaction, group, part));
  }

  void abort(String transaction, String name) {
    OpenPart part = open.get(transaction);
    PreparedPart ready = prepared.get(transaction);
    if (ready != null && ready.part.equals(name)) {
      decide(ready, Decision.ABORTED, () -> {});
    } else if (part != null && part.part.equals(name) && !part.ending) {
      discard(part);
    }
  }

  void status(String transaction, String name, TransactionStatus status) {
    PreparedPart part = prepared.get(transaction);
    if (part != null && part.part.equals(name) && status != TransactionStatus.ACTIVE) {
      decide(part, status == TransactionStatus.COMMITTED ? Decision.COMMITTED : Decision.ABORTED, () -> {});
    }
  }

  private void decide(PreparedPart part, Decision decision, Runnable settled) {
    node.simulation.world().trace("%d.%d decides %s of %s", node.group, node.number, decision, part.id);
    waiting.computeIfAbsent(part.id, none -> new ArrayList<>()).add(settled);
    Runnable mark = () -> node.simulation.entry(node, TwoPhaseStep.MARK, new Input.CoordinatorDecided(part.id, decision));
    if (branches == null) {
      mark.run();
    } else {
      branches.end(part.branch, decision, mark);
    }
  }

  // ---- effects of the core

  void settled(DecisionId id, boolean stable) {
    List<Runnable> calls = waiting.remove(id);
    if (stable) {
      prepared.values().stream().filter(part -> part.id.equals(id) && part.branch != null).forEach(part -> branches.settled(part.branch));
      prepared.values().removeIf(part -> part.id.equals(id));
      (calls == null ? List.<Runnable>of() : calls).forEach(Runnable::run);
    }
  }

  void inDoubt(List<InDoubt> updates) {
    node.simulation.inherited(updates.size());
    for (InDoubt update : updates) {
      String part = new String(update.participant().rest(), StandardCharsets.UTF_8);
      PreparedPart found = new PreparedPart(update.id(), part, SimulatedBranches.branchOf(update), now());
      prepared.put(update.participant().transaction(), found);
    }
    if (branches != null) {
      branches.inherited(updates);
    }
  }

  void changed(Role role) {
    if (role == Role.PRIMARY || role == Role.CHANGING) {
      if (coordinator != null && role == Role.PRIMARY) {
        coordinator.begin();
      }
      return;
    }
    List.copyOf(open.values()).forEach(this::discard);
    locks.clear();
    prepared.clear();
    waiting.clear();
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
        int group = node.group;
        int number = node.number;
        String transaction = entry.getKey();
        node.simulation.network().toCoordinators(
            node, TwoPhaseStep.QUESTION, other -> other.asked(transaction, part.part, group, number));
      }
    }
    if (coordinator != null) {
      coordinator.tick();
    }
    if (branches != null) {
      branches.tick();
    }
  }
}
