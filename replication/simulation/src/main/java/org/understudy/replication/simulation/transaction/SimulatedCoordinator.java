package org.understudy.replication.simulation.transaction;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.core.Input;
import org.understudy.replication.core.Role;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.request.RequestKey;
import org.understudy.replication.core.request.Response;
import org.understudy.replication.core.transaction.Coordinator;
import org.understudy.replication.core.transaction.CoordinatorEffects;
import org.understudy.replication.core.transaction.CoordinatorInput;
import org.understudy.replication.core.transaction.CoordinatorLimits;
import org.understudy.replication.core.transaction.DecisionRecord;
import org.understudy.replication.core.transaction.ParticipantVote;
import org.understudy.replication.core.transaction.RemoteParticipant;
import org.understudy.replication.core.transaction.TransactionStatus;
import org.understudy.replication.core.update.StateChange;
import org.understudy.replication.core.wire.ArrayReader;
import org.understudy.replication.core.wire.ArrayWriter;
import org.understudy.replication.core.wire.WireVersions;

/** Production's coordinator at one replica, with its log. */
final class SimulatedCoordinator implements CoordinatorEffects {
  static final String RECORDS = "transaction/";
  private static final CoordinatorLimits LIMITS = new CoordinatorLimits(8, 100, 600_000_000L, 150_000_000L);
  private static final long AGAIN = 50_000_000L;

  private final SimulatedNode node;
  private final SimulatedContainer container;
  private final Coordinator coordinator;
  private final SimulatedLife life;
  /** The transactions that are open here, with the times at which they began. */
  private final Map<String, Long> begun = new TreeMap<>();
  /** The commit request of each transaction, while its execution lasts. */
  private final Map<String, Long> commits = new HashMap<>();
  /** The database parts of this group in transactions that commit. */
  private final Map<String, GroupDatabase.Branch> branches = new HashMap<>();
  /** The groups whose operators have decided otherwise, by transaction. */
  private final Map<String, Set<Integer>> contradictions = new TreeMap<>();
  private final Map<Long, Consumer<Boolean>> registrations = new HashMap<>();
  private final ArrayDeque<Runnable> later = new ArrayDeque<>();
  private boolean active;
  private long nextToken = 1;

  SimulatedCoordinator(SimulatedNode node, SimulatedContainer container) {
    this.node = node;
    this.container = container;
    this.life = new SimulatedLife(node, container);
    this.coordinator = new Coordinator(LIMITS, node.simulation.rules());
  }

  private void step(CoordinatorInput input) {
    coordinator.step(node.simulation.world().now(), input, this);
    for (Runnable next = later.poll(); next != null; next = later.poll()) {
      next.run();
    }
  }

  SimulatedNode node() {
    return node;
  }

  boolean isOpen(String transaction) {
    return begun.containsKey(transaction);
  }

  int unacknowledged() {
    return coordinator.unacknowledged().size();
  }

  // ---- the replica

  /** With a database, after the new primary knows which updates the rows have decided. */
  void begin() {
    if (container.branches() == null) {
      beginNow();
    } else {
      container.guarded(() -> {}, this::beginNow, () -> {
        if (node.role() == Role.PRIMARY) {
          node.simulation.world().after(AGAIN, () -> node.arrive(this::begin));
        }
      });
    }
  }

  private void beginNow() {
    if (!active && node.role() == Role.PRIMARY) {
      active = true;
      List<DecisionRecord> records = new ArrayList<>();
      node.image.tailMap(RECORDS).forEach((key, state) -> {
        if (key.startsWith(RECORDS)) {
          records.add(DecisionRecord.read(new ArrayReader(state, 0, state.length, WireVersions.CURRENT)));
        }
      });
      step(new CoordinatorInput.Began(records));
    }
  }

  void end() {
    active = false;
    begun.clear();
    commits.clear();
    contradictions.clear();
    registrations.clear();
    step(new CoordinatorInput.Ended());
  }

  void tick() {
    List<String> late = new ArrayList<>();
    begun.forEach((transaction, since) -> {
      if (since + SimulatedContainer.LIFETIME < node.simulation.world().now()) {
        late.add(transaction);
      }
    });
    late.forEach(this::abort);
    step(new CoordinatorInput.Tick());
  }

  // ---- clients

  /** Begins a transaction; answers its id, which no other one has, or null. */
  void open(String client, Consumer<String> answer) {
    if (!active) {
      answer.accept(null);
      return;
    }
    life.next(
        client + "_" + node.simulation.nextToken(),
        transaction -> {
          if (active) {
            begun.put(transaction, node.simulation.world().now());
            step(new CoordinatorInput.Opened(transaction));
            answer.accept(transaction);
          } else {
            answer.accept(null);
          }
        },
        () -> answer.accept(null));
  }

  void abort(String transaction) {
    step(new CoordinatorInput.AbortRequested(transaction, "it was given up"));
  }

  /** Commits; true, false for aborted, or null for unknown. */
  void commit(String transaction, RequestKey key, Consumer<Boolean> answer) {
    node.submit(
        SimulatedContainer.update(key),
        new SimulatedNode.Submission() {
          private boolean proposed;

          @Override
          void execute(long token) {
            OpenPart own = container.part(transaction);
            boolean lost =
                !isOpen(transaction) && !life.includes(transaction)
                    && node.simulation.rules().contains(Rule.CLIENT_OF_OTHER_LIFE_LEARNS_IT);
            if (lost || (own != null && own.calling) || commits.putIfAbsent(transaction, token) != null) {
              node.step(new Input.Abandoned(token));
              answer.accept(null);
              return;
            }
            if (own != null) {
              own.ending = true;
            }
            proposed = true;
            step(new CoordinatorInput.CommitRequested(transaction));
          }

          @Override
          void reply() {
            answer.accept(true);
          }

          @Override
          void fail(Failure failure) {
            answer.accept(failure.code() == FailureCode.ExecutionFailed ? Boolean.FALSE : null);
          }

          @Override
          void commit() {
            if (proposed) {
              ended(transaction);
              confirm(transaction);
            }
          }

          @Override
          void rollback() {
            if (proposed) {
              ended(transaction);
              refused(transaction);
            }
          }

          @Override
          GroupDatabase.Branch branch() {
            return branches.get(transaction);
          }
        });
  }

  /** With a database, the next primary may find the row committed: a rolled back update is an abort only at a confirmed primary. */
  private void refused(String transaction) {
    if (container.branches() == null) {
      step(new CoordinatorInput.Proposed(transaction, false));
      return;
    }
    container.guarded(
        () -> {},
        () -> {
          if (node.image.containsKey(RECORDS + transaction)) {
            // Another replica was the primary meanwhile: what is known here is old.
            end();
            begin();
          } else {
            step(new CoordinatorInput.Proposed(transaction, false));
          }
        },
        () -> again(() -> refused(transaction)));
  }

  private void ended(String transaction) {
    begun.remove(transaction);
    commits.remove(transaction);
    container.discard(container.part(transaction));
  }

  /** The update is in the log of this replica: a read that has seen it is answered when every replica has it. */
  private void confirm(String transaction) {
    container.guarded(() -> {}, () -> step(new CoordinatorInput.Proposed(transaction, true)), () -> again(() -> confirm(transaction)));
  }

  private void again(Runnable what) {
    if (active && node.role() != Role.JOINING) {
      node.simulation.world().after(AGAIN, () -> node.arrive(() -> {
        if (active) {
          what.run();
        }
      }));
    }
  }

  // ---- participants

  void register(String transaction, RemoteParticipant participant, Consumer<Boolean> answer) {
    long token = nextToken++;
    registrations.put(token, answer);
    step(new CoordinatorInput.Registered(token, transaction, participant));
  }

  void voted(String transaction, int group, String part, ParticipantVote vote) {
    step(new CoordinatorInput.Voted(transaction, "group" + group, part, vote));
  }

  void acknowledged(String transaction, int group, String part) {
    step(new CoordinatorInput.Acknowledged(transaction, "group" + group, part));
  }

  void contradicted(String transaction, int group) {
    if (active) {
      contradictions.computeIfAbsent(transaction, none -> new TreeSet<>()).add(group);
    }
  }

  /** Whether it knows that an operator of the group has decided otherwise. */
  boolean isContradicted(String transaction, int group) {
    return contradictions.getOrDefault(transaction, Set.of()).contains(group);
  }

  /** What an operator is shown; to be called within a linearizable read. */
  TransactionStatus status(String transaction) {
    return coordinator.status(transaction, life.includes(transaction));
  }

  void asked(String transaction, String part, int group, int number) {
    TransactionStatus[] status = new TransactionStatus[1];
    container.guarded(
        () -> status[0] = status(transaction),
        () -> node.simulation.message(node, TwoPhaseStep.STATUS, group, () -> node.simulation.network().send(
            node, group, number, other -> other.container.decisions().status(transaction, part, status[0]))),
        () -> {});
  }

  // ---- effects

  @Override
  public void registered(long token, String refusal) {
    Consumer<Boolean> answer = registrations.remove(token);
    later.add(() -> answer.accept(refusal == null));
  }

  private static int group(RemoteParticipant participant) {
    return participant.group().charAt(participant.group().length() - 1) - '0';
  }

  @Override
  public void prepare(String transaction, RemoteParticipant participant) {
    later.add(() -> node.simulation.network().toGroup(
        node, TwoPhaseStep.PREPARE, group(participant), other -> other.container.prepare(transaction, participant.part())));
  }

  @Override
  public void propose(DecisionRecord decision) {
    later.add(() -> {
      String transaction = decision.transaction();
      Long token = commits.get(transaction);
      if (token == null) {
        step(new CoordinatorInput.Proposed(transaction, false));
        return;
      }
      OpenPart own = container.part(transaction);
      List<StateChange> changes = new ArrayList<>(own == null ? List.of() : own.list());
      Map<String, Long> versions = own == null ? Map.of() : own.versions;
      changes.add(SimulatedLife.committed());
      if (!decision.participants().isEmpty()) {
        ArrayWriter writer = new ArrayWriter(0);
        decision.write(writer);
        changes.add(new StateChange(RECORDS + transaction, writer.toBytes()));
      }
      boolean branch = own != null && own.branch != null && own.branch.hasChanges();
      if (branch) {
        branches.put(transaction, own.branch);
        changes.add(new StateChange(SimulatedBranches.SERVICE, null));
      }
      node.simulation.entry(node, TwoPhaseStep.DECISION, new Input.Executed(token, versions, Response.EMPTY, changes, branch));
    });
  }

  @Override
  public void commit(String transaction, RemoteParticipant participant) {
    later.add(() -> node.simulation.network().toGroup(
        node, TwoPhaseStep.COMMIT, group(participant), other -> other.container.decisions().commit(transaction, participant.part())));
  }

  @Override
  public void abort(String transaction, RemoteParticipant participant) {
    later.add(() -> node.simulation.network().toGroup(
        node, TwoPhaseStep.ABORT, group(participant), other -> other.container.decisions().abort(transaction, participant.part())));
  }

  @Override
  public void aborted(String transaction, String why) {
    node.simulation.world().trace("%d.%d aborts %s: %s", node.group, node.number, transaction, why);
    later.add(() -> {
      Long token = commits.get(transaction);
      ended(transaction);
      if (token != null) {
        node.step(new Input.Executed(token, Map.of(), new Failure(FailureCode.ExecutionFailed, "The transaction was aborted."), List.of()));
      }
    });
  }

  @Override
  public void forget(String transaction) {
    contradictions.remove(transaction);
    later.add(() -> node.submit(
        Request.internalUpdate(),
        new SimulatedNode.Submission() {
          @Override
          void execute(long token) {
            StateChange removed = new StateChange(RECORDS + transaction, null);
            node.simulation.entry(
                node, TwoPhaseStep.FORGETTING, new Input.Executed(token, Map.of(), Response.EMPTY, List.of(removed)));
          }

          @Override
          void fail(Failure failure) {
            again(() -> forget(transaction, this));
          }
        }));
  }

  private void forget(String transaction, SimulatedNode.Submission submission) {
    if (node.image.containsKey(RECORDS + transaction)) {
      node.submit(Request.internalUpdate(), submission);
    }
  }
}
