package org.understudy.container.transaction;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.transaction.Coordinator;
import org.understudy.replication.core.transaction.CoordinatorEffects;
import org.understudy.replication.core.transaction.CoordinatorInput;
import org.understudy.replication.core.transaction.CoordinatorLimits;
import org.understudy.replication.core.transaction.DecisionRecord;
import org.understudy.replication.core.transaction.ParticipantVote;
import org.understudy.replication.core.transaction.RemoteParticipant;
import org.understudy.replication.core.transaction.TransactionStatus;
import org.understudy.replication.core.update.StateChange;
import org.understudy.replication.runtime.Replica;

/**
 * Coordinates the transactions that clients begin at this group and that other groups take part in: drives a {@link Coordinator} at the
 * primary. Thread-safe: the coordinator's steps are under a lock, their effects outside of it.
 */
final class GroupCoordinator {
  private static final Logger LOG = LoggerFactory.getLogger(GroupCoordinator.class);
  private static final long RETRY_MS = 100;

  private final Replica replica;
  private final OwnRequests requests;
  private final PeerGroups peers;
  private final ScheduledExecutorService threads;
  private final Failpoint.Replicated failpoints;
  private final DecisionRecords records = new DecisionRecords();
  private final OpenTransactions open;

  // Guarded by this.
  private final Coordinator coordinator = new Coordinator(CoordinatorLimits.DEFAULTS, Rule.ALL);
  private boolean begun;
  private boolean beginning;
  private final Map<String, Commit> commits = new HashMap<>();

  /** The decisions that operators of other groups contradict, each with those groups. They answer so whenever the decision is sent. */
  private final Map<String, Set<String>> contradictions = new ConcurrentHashMap<>();

  /** The answer to a group that wants to take part in a transaction. */
  enum Registration {
    REGISTERED,
    /** The transaction is aborted, or can only abort. */
    REFUSED,
    /** The transaction is open, and the view has changed: this primary does not coordinate yet. */
    RETRY,
    /** The transaction is being committed, was committed, or may have been: "aborted" would not be true. */
    LOST
  }

  /** A commit that waits for the votes. Exactly one method is called, once. */
  interface Commit {
    /** All have voted: the changes of this group and the record are to be one update. May block. */
    void propose(StateChange record);

    /** @param why as a clause */
    void aborted(String why);
  }

  GroupCoordinator(
      Replica replica,
      OpenTransactions open,
      PeerGroups peers,
      ScheduledExecutorService threads,
      Failpoint.Replicated failpoints) {
    this.failpoints = failpoints;
    this.replica = replica;
    this.requests = new OwnRequests(replica);
    this.open = open;
    this.peers = peers;
    this.threads = threads;
    replica.observe(records);
    replica.listen(assignment -> later(0, this::follow));
  }

  private boolean isPrimary() {
    return replica.routing().servesUpdates();
  }

  private void later(long ms, Runnable task) {
    try {
      threads.schedule(() -> CollectedEffects.attempt(task), ms, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      LOG.debug("The web application is stopping.", e);
    }
  }

  /** Called several times a second. */
  void tick() {
    follow();
    step(new CoordinatorInput.Tick());
  }

  /** Begins or ends with the role. */
  private void follow() {
    if (!isPrimary()) {
      close();
      return;
    }
    synchronized (this) {
      if (begun || beginning) {
        return;
      }
      beginning = true;
    }
    requests.confirmPrimary().thenAccept(failure -> later(0, () -> {
      boolean primary = isPrimary();
      Effects effects = new Effects(why -> {});
      synchronized (this) {
        beginning = false;
        if (failure != null || begun || !primary) {
          return;
        }
        begun = true;
        contradictions.keySet().removeIf(id -> !records.contains(id));
        coordinator.step(System.nanoTime(), new CoordinatorInput.Began(records.all(this::addresses)), effects);
        // What other groups took part in before is lost: its commit finds it unknown. What is being committed takes no other group.
        open.own().stream().filter(one -> !one.isShared() && !one.isCommitting()).forEach(
            one -> coordinator.step(System.nanoTime(), new CoordinatorInput.Opened(one.id()), effects));
      }
      effects.collected.run();
    }));
  }

  /** Undoes commits that wait for votes. */
  void close() {
    List<Commit> lost;
    synchronized (this) {
      begun = false;
      lost = List.copyOf(commits.values());
      commits.clear();
      coordinator.step(System.nanoTime(), new CoordinatorInput.Ended(), new Effects(why -> {}));
    }
    lost.forEach(commit -> CollectedEffects.attempt(() -> commit.aborted("this replica is no longer the primary")));
  }

  private List<String> addresses(String group) {
    List<String> known = peers.addresses(group);
    if (known.isEmpty()) {
      LOG.warn("The group {} takes part in a transaction and is not listed in understudy.transaction.peers. Add it again.", group);
      return List.of("unknown");
    }
    return known;
  }

  /** A client has begun a transaction here. */
  void opened(String id) {
    step(new CoordinatorInput.Opened(id));
  }

  /** The transaction has ended here, unless its commit is decided. */
  void ended(String id, String why) {
    step(new CoordinatorInput.AbortRequested(id, why));
  }

  /** Lets another group take part, unless the transaction has ended. To be called within a linearizable read. */
  Registration register(String id, String group, String part) {
    OpenTransaction transaction = open.get(id);
    if (transaction == null) {
      return refusal(id);
    }
    String[] refusal = new String[1];
    Effects effects = new Effects(why -> refusal[0] = why);
    Registration registration;
    synchronized (this) {
      if (!begun) {
        return Registration.RETRY;
      }
      RemoteParticipant participant = new RemoteParticipant(group, part, addresses(group));
      coordinator.step(System.nanoTime(), new CoordinatorInput.Registered(0, id, participant), effects);
      if (refusal[0] == null) {
        transaction.share();
      }
      registration = refusal[0] == null ? Registration.REGISTERED : refusal(id);
    }
    effects.collected.run();
    LOG.debug("The answer to the group {}, which wants to take part in {}: {}", group, id, registration);
    return registration;
  }

  private Registration refusal(String id) {
    return open.find(id).mayCommit() ? Registration.LOST : Registration.REFUSED;
  }

  /** To be called within a linearizable read. */
  synchronized TransactionStatus status(String id) {
    TransactionTable.Found found = open.find(id);
    TransactionStatus status = found.status(coordinator.status(id, found.fate() != TransactionTable.Fate.LOST));
    return status != TransactionStatus.ACTIVE && records.contains(id) ? TransactionStatus.COMMITTED : status;
  }

  /** The decisions that other groups have not acknowledged, each with those groups; at a backup, with all that took part. */
  Map<String, List<String>> unacknowledged() {
    Map<String, List<String>> all = new TreeMap<>();
    records.all(group -> List.of("unknown")).forEach(one -> all.put(one.transaction(), groups(one)));
    synchronized (this) {
      coordinator.unacknowledged().forEach(one -> all.replace(one.transaction(), groups(one)));
    }
    return all;
  }

  /** Whether the decision to commit is known to be stable, so that it is never lost, and others have not acknowledged it. */
  synchronized boolean isCommitted(String id) {
    return coordinator.unacknowledged().stream().anyMatch(one -> one.transaction().equals(id));
  }

  /** The groups whose operators have decided otherwise, as this primary knows. */
  synchronized Set<String> contradicting(String id) {
    return begun ? contradictions.getOrDefault(id, Set.of()) : Set.of();
  }

  private void contradicted(String id, String group) {
    if (!waitsFor(id, group)) {
      // An answer that has been overtaken by an acknowledgement, or by another primary.
      return;
    }
    if (contradictions.computeIfAbsent(id, one -> ConcurrentHashMap.newKeySet()).add(group)) {
      LOG.error(
          "The transaction {} is committed here, and an operator of the group {} has aborted its part. Its groups differ. Repair the data "
              + "there, then forget the operator's decision with scripts/transactions at that group.",
          id, group);
    }
  }

  private synchronized boolean waitsFor(String id, String group) {
    return coordinator.unacknowledged().stream().anyMatch(one -> one.transaction().equals(id) && groups(one).contains(group));
  }

  private static List<String> groups(DecisionRecord decision) {
    return decision.participants().stream().map(RemoteParticipant::group).toList();
  }

  /** Since when this replica knows each of them. */
  Ages ages() {
    return records.ages();
  }

  /** Whether other groups take part. If not, none can any more. */
  synchronized boolean isShared(OpenTransaction transaction) {
    if (!transaction.isShared()) {
      CoordinatorInput over = new CoordinatorInput.AbortRequested(transaction.id(), "it is for one group");
      coordinator.step(System.nanoTime(), over, new Effects(why -> {}));
    }
    return transaction.isShared();
  }

  /** Asks the other groups to prepare. */
  void commit(String id, Commit commit) {
    synchronized (this) {
      commits.put(id, commit);
    }
    step(new CoordinatorInput.CommitRequested(id));
  }

  /** The update of the decision was appended. Does not block. */
  void appended(String id) {
    later(0, () -> {
      failpoints.reached(Failpoint.DECISION_AFTER, id);
      confirm(id, true);
    });
  }

  /** The update of the decision was refused or rolled back. Does not block. */
  void refused(String id) {
    later(0, () -> confirm(id, false));
  }

  /** If this replica was replaced meanwhile, its successor's log may lack what was appended, or have what was rolled back here. */
  private void confirm(String id, boolean appended) {
    requests.confirmPrimary().thenAccept(failure -> later(failure == null ? 0 : RETRY_MS, () -> {
      if (failure != null) {
        if (isPrimary()) {
          confirm(id, appended);
        }
      } else if (records.contains(id) == appended) {
        step(new CoordinatorInput.Proposed(id, appended));
      } else {
        // Another replica was the primary meanwhile: what is known here is old.
        close();
      }
    }));
  }

  private void step(CoordinatorInput input) {
    Effects effects = new Effects(why -> {});
    synchronized (this) {
      coordinator.step(System.nanoTime(), input, effects);
    }
    effects.collected.run();
  }

  /** Collects the effects of one step. */
  private final class Effects implements CoordinatorEffects {
    private final Consumer<String> registered;
    private final CollectedEffects collected = new CollectedEffects();

    Effects(Consumer<String> registered) {
      this.registered = registered;
    }

    private void send(PeerMessage.Kind kind, String id, RemoteParticipant participant, Consumer<String> answered) {
      collected.add(
          () -> peers.send(kind, participant.group(), id, participant.part()).thenAccept(answer -> {
            if (answer != null) {
              later(0, () -> {
                failpoints.reached(Failpoint.answered(kind), id);
                answered.accept(answer);
              });
            }
          }));
    }

    @Override
    public void registered(long token, String refusal) {
      registered.accept(refusal);
    }

    @Override
    public void prepare(String id, RemoteParticipant participant) {
      send(PeerMessage.Kind.PREPARE, id, participant, answer -> {
        Vote vote = PeerMessage.answer(Vote.class, answer);
        if (vote != null) {
          step(new CoordinatorInput.Voted(id, participant.group(), participant.part(), ParticipantVote.valueOf(vote.name())));
        }
      });
    }

    @Override
    public void propose(DecisionRecord decision) {
      Commit commit = commits.remove(decision.transaction());
      collected.add(() -> later(0, () -> {
        if (commit != null) {
          failpoints.reached(Failpoint.DECISION_BEFORE, decision.transaction());
          commit.propose(DecisionRecords.added(decision));
        }
      }));
    }

    @Override
    public void commit(String id, RemoteParticipant participant) {
      send(PeerMessage.Kind.COMMIT, id, participant, answer -> {
        if (answer.equals(PeerMessage.DONE)) {
          step(new CoordinatorInput.Acknowledged(id, participant.group(), participant.part()));
        } else if (answer.equals(PeerMessage.CONTRADICTED)) {
          contradicted(id, participant.group());
        }
      });
    }

    @Override
    public void abort(String id, RemoteParticipant participant) {
      send(PeerMessage.Kind.ABORT, id, participant, answer -> LOG.debug("The abort of {} has arrived.", id));
    }

    @Override
    public void aborted(String id, String why) {
      Commit commit = commits.remove(id);
      collected.add(() -> later(0, () -> {
        if (commit == null) {
          open.abortOpen(id, why);
        } else {
          commit.aborted(why);
        }
      }));
    }

    @Override
    public void forget(String id) {
      collected.add(() -> {
        failpoints.reached(Failpoint.FORGET_BEFORE, id);
        contradictions.remove(id);
        remove(id);
      });
    }
  }

  /** A record that stays is delivered again by the next primary, which is harmless. */
  private void remove(String id) {
    requests.update(DecisionRecords.removed(id)).thenAccept(failure -> {
      if (failure != null && isPrimary()) {
        later(RETRY_MS, () -> remove(id));
      } else if (failure == null) {
        later(0, () -> failpoints.reached(Failpoint.FORGET_AFTER, id));
      }
    });
  }
}
