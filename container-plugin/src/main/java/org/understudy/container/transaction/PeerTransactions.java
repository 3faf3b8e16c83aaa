package org.understudy.container.transaction;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.container.configuration.TransactionPeers;
import org.understudy.notification.connection.TrustAnchors;
import org.understudy.notification.operation.ResourceIds;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.api.decision.Decision;
import org.understudy.replication.core.limit.KeyKind;
import org.understudy.replication.core.request.RequestKey;
import org.understudy.replication.runtime.Executions;
import org.understudy.replication.runtime.Replica;
import org.understudy.replication.soap.TransactionReference;
import org.understudy.thread.DaemonThreads;
import org.understudy.thread.RepeatedTask;
import org.understudy.thread.Threads;

/**
 * Transactions over this group and those of {@code understudy.transaction.peers}: this group as a participant, and the messages to both
 * roles. Thread-safe. Threads of its own handle what blocks.
 */
public final class PeerTransactions implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PeerTransactions.class);
  private static final int THREADS = 4;
  private static final long TICK_MS = 100;
  private static final int TICKS_OF_ASKING = 5;
  private static final long REGISTER_SECONDS = 10;
  private static final long REGISTER_RETRY_MS = 50;

  private final TransactionSettings settings;
  private final Replica replica;
  private final OpenTransactions open;
  private final CoordinatedTransactions coordinated;
  private final PeerGroups peers;
  private final Failpoint.Replicated failpoints;
  private final GroupCoordinator coordinator;
  private final StatusQuestions questions;
  private final ScheduledThreadPoolExecutor threads =
      new ScheduledThreadPoolExecutor(THREADS, new DaemonThreads("understudy-peer-transactions-"));
  /** Wait until marks are stable. */
  private final ScheduledThreadPoolExecutor decisions =
      new ScheduledThreadPoolExecutor(THREADS, new DaemonThreads("understudy-peer-decisions-"));
  private final LastVotes votes = new LastVotes();
  /** The decisions of other groups that are being carried out, each with its group. */
  private final Set<String> deciding = ConcurrentHashMap.newKeySet();
  private int ticks;

  /** @param configured the other groups; without any, every transaction over groups is refused */
  public PeerTransactions(
      TransactionSettings settings,
      TransactionPeers configured,
      TrustAnchors trust,
      Replica replica,
      OpenTransactions open,
      CoordinatedTransactions coordinated) {
    this.settings = settings;
    this.replica = replica;
    this.failpoints = new Failpoint.Replicated(settings.group(), replica);
    this.open = open;
    this.coordinated = coordinated;
    if (configured.addresses().isEmpty() || settings.unsupported() != null) {
      peers = null;
      coordinator = null;
      questions = null;
      return;
    }
    peers = new PeerGroups(settings.group(), configured.addresses(), configured.secret(), trust, threads, failpoints);
    coordinator = new GroupCoordinator(replica, open, peers, threads, failpoints);
    open.coordinateBy(coordinator);
    questions = new StatusQuestions(replica, open, coordinated, peers, decisions, failpoints);
    coordinated.branches().left().askBy(questions::ask);
    threads.scheduleWithFixedDelay(
        new RepeatedTask("The coordination of transactions over several groups", this::tick), TICK_MS, TICK_MS, TimeUnit.MILLISECONDS);
  }

  /** The kind of the keys under which the group's state holds decisions that other groups have not acknowledged. */
  public static KeyKind kind() {
    return DecisionRecords.kind();
  }

  /** The decisions of this group that others have not acknowledged, each with those groups. They can be lost unless they are stable. */
  Map<String, List<String>> unacknowledged() {
    return coordinator == null ? Map.of() : coordinator.unacknowledged();
  }

  /** The groups whose operators have decided otherwise, as this primary knows. */
  Set<String> contradicting(String id) {
    return coordinator == null ? Set.of() : coordinator.contradicting(id);
  }

  /** Whether the group that coordinates a transaction has answered here that it has lost the decision with its memory. */
  boolean isLost(String id) {
    return coordinated.lost().contains(id);
  }

  /** Whether one of them is known to be stable. Only at the primary. */
  boolean isCommitted(String id) {
    return coordinator != null && coordinator.isCommitted(id);
  }

  /** For how long this replica knows the oldest of them. */
  long oldestUnacknowledgedSeconds() {
    return coordinator == null ? 0 : coordinator.ages().oldestSeconds();
  }

  long unacknowledgedSeconds(String id) {
    return coordinator == null ? 0 : coordinator.ages().seconds(id);
  }

  private void tick() {
    coordinator.tick();
    if (++ticks % TICKS_OF_ASKING == 0) {
      coordinated.doubtful();
      questions.ask();
    }
    peers.closeIdle();
  }

  /** Whether another group decides the transaction that a request names. */
  public boolean isOfPeer(TransactionReference reference) {
    return reference != null && reference.coordinator() != null && !reference.coordinator().equals(settings.group());
  }

  /**
   * Begins a call inside a transaction that another group coordinates. Its first call registers this group there. Blocks then.
   *
   * @throws RefusedCallException when the call is not executed
   */
  public TransactionCall enter(
      TransactionReference reference,
      String principal,
      String owner,
      RequestKey key,
      long digest,
      boolean update,
      Executions executions,
      long token)
      throws RefusedCallException {
    String id = reference.id();
    String group = reference.coordinator();
    if (settings.unsupported() != null) {
      throw OpenTransaction.refused(FailureCode.BadRequest, settings.unsupported());
    }
    if (peers == null || !peers.contains(group)) {
      throw OpenTransaction.refused(
          FailureCode.BadRequest,
          "The coordinator " + group + " is not accepted here, because understudy.transaction.peers does not list this group. Nothing was "
              + "executed. List it at all replicas of this group, and this group there.");
    }
    if (!id.startsWith(OpenTransactions.prefix(group))) {
      throw OpenTransaction.refused(FailureCode.BadRequest, "The transaction " + id + " was not begun at the group " + group + ".");
    }
    coordinated.requireUnprepared(id);
    open.openCoordinated(id, principal, owner);
    return open.enter(
        id, principal, key, digest, update, executions, token, transaction -> {
          String part = ResourceIds.next();
          RefusedCallException refused = register(group, id, part);
          if (refused == null) {
            transaction.partOf(group, part);
          }
          return refused;
        });
  }

  /** Null for no answer, or an unknown one. */
  private GroupCoordinator.Registration sendRegistration(String group, String id, String part, long end)
      throws InterruptedException, ExecutionException, TimeoutException {
    CompletableFuture<String> answer = peers.send(PeerMessage.Kind.REGISTER, group, id, part);
    return PeerMessage.answer(GroupCoordinator.Registration.class, answer.get(Math.max(1, end - System.nanoTime()), TimeUnit.NANOSECONDS));
  }

  /** Returns what the client gets when this group cannot take part, or null. */
  private RefusedCallException register(String group, String id, String part) {
    try {
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(REGISTER_SECONDS);
      GroupCoordinator.Registration answer = sendRegistration(group, id, part, end);
      while (answer == GroupCoordinator.Registration.RETRY) {
        // The view of the coordinator's group has just changed.
        Thread.sleep(REGISTER_RETRY_MS);
        answer = sendRegistration(group, id, part, end);
      }
      failpoints.reached(Failpoint.REGISTER_ANSWERED, id);
      if (answer == null) {
        return unknown("The coordinator " + group + " has not answered, or does not list this group in understudy.transaction.peers.", id);
      }
      return switch (answer) {
        case REGISTERED -> null;
        case REFUSED ->
            OpenTransaction.refused(
                FailureCode.TransactionAborted,
                "The coordinator " + group + " refuses this group's part in the transaction " + id
                    + ", which is aborted or can only abort. The call was not executed. Abort the transaction and begin another one.");
        case LOST, RETRY -> TransactionTable.lost(id);
      };
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return unknown("The server stops.", id);
    } catch (ExecutionException | TimeoutException e) {
      return unknown("The coordinator " + group + " has not registered this group in " + REGISTER_SECONDS + " s.", id);
    } catch (RuntimeException e) {
      LOG.error("This group could not register at the coordinator {}.", group, e);
      return unknown("This group could not register at the coordinator " + group + ". See the server's log for the reason.", id);
    }
  }

  private static RefusedCallException unknown(String why, String id) {
    return OpenTransaction.refused(
        FailureCode.TransactionOutcomeUnknown,
        why + " The call was not executed. This group does not know how the transaction " + id + " ends. Abort it and begin another one.");
  }

  /**
   * Refuses a message that no listed group has sent to this one, before it costs the group a read.
   *
   * @throws RefusedCallException when it is refused
   */
  public void check(byte[] envelope) throws RefusedCallException {
    if (peers == null) {
      throw OpenTransaction.refused(
          FailureCode.BadRequest,
          "This group makes no transactions with other groups. Nothing was executed. Set understudy.transaction.peers.");
    }
    peers.read(envelope);
  }

  /**
   * Handles a message of another group that has been checked, within a linearizable read.
   *
   * @param answered receives the content of the answer's Body, by any thread
   * @param failed called instead when there is no true answer now: the other group asks again
   * @throws RefusedCallException when the message is refused
   */
  public void handle(byte[] envelope, Consumer<byte[]> answered, Runnable failed) throws RefusedCallException {
    PeerMessage message = peers.read(envelope);
    failpoints.reached(Failpoint.received(message.kind()), message.transaction());
    result(message).whenComplete((answer, e) -> {
      try {
        threads.execute(e == null && answer != null ? () -> answer(message, answer, answered) : failed);
      } catch (RejectedExecutionException stopping) {
        LOG.debug("The web application is stopping.", stopping);
      }
    });
  }

  private void answer(PeerMessage message, String answer, Consumer<byte[]> answered) {
    failpoints.reached(Failpoint.answering(message.kind()), message.transaction());
    answered.accept(peers.answer(message, answer));
  }

  private CompletableFuture<String> result(PeerMessage message) throws RefusedCallException {
    String id = message.transaction();
    return switch (message.kind()) {
      case REGISTER -> {
        GroupCoordinator.Registration registration = coordinator.register(id, message.from(), message.part());
        yield CompletableFuture.completedFuture(PeerMessage.word(registration));
      }
      case STATUS -> {
        if (!id.startsWith(OpenTransactions.prefix(settings.group()))) {
          throw OpenTransaction.refused(FailureCode.BadRequest, "The transaction " + id + " was not begun at this group.");
        }
        yield CompletableFuture.completedFuture(PeerMessage.word(coordinator.status(id)));
      }
      case PREPARE -> prepare(message);
      case COMMIT, ABORT -> decision(message);
    };
  }

  private CompletableFuture<String> prepare(PeerMessage message) {
    String id = message.transaction();
    TransactionTable.Found found = open.find(id);
    if (found.fate() == TransactionTable.Fate.OPEN) {
      return found.open().isPart(message.from(), message.part())
          ? votes.add(message, coordinated.prepare(found.open())) : CompletableFuture.completedFuture(PeerMessage.word(Vote.ABORTED));
    }
    CompletableFuture<String> repeated = votes.readOnly(message);
    if (repeated != null) {
      return repeated;
    }
    OperatorDecisions.Entry decided = coordinated.operators().find(id);
    if (found.fate() == TransactionTable.Fate.COMMITTED || decided != null && decided.decision() == Decision.COMMITTED) {
      // The vote is too late, and "aborted" would not be true.
      return CompletableFuture.completedFuture(null);
    }
    // It may be applied and not stable: the read's answer waits until it is.
    return CompletableFuture.completedFuture(PeerMessage.word(isInDoubt(message) ? Vote.PREPARED : Vote.ABORTED));
  }

  private boolean isInDoubt(PeerMessage message) {
    return replica.undecided().stream()
        .anyMatch(
            one -> one.participant().transaction().equals(message.transaction())
                && one.participant().restText().equals(message.from() + " " + message.part()));
  }

  /** The coordinator repeats its decision while a database is down: what is being carried out does not wait a second time. */
  private CompletableFuture<String> decision(PeerMessage message) {
    String one = message.from() + " " + message.transaction();
    if (!deciding.add(one)) {
      return CompletableFuture.completedFuture(null);
    }
    return CompletableFuture.supplyAsync(() -> decide(message), decisions).whenComplete((answer, e) -> deciding.remove(one));
  }

  private String decide(PeerMessage message) {
    String id = message.transaction();
    OpenTransaction transaction = open.get(id);
    String part = message.from() + " " + message.part();
    boolean known =
        isInDoubt(message)
            || transaction != null && transaction.isPart(message.from(), message.part())
            || coordinated.operators().contains(id, part);
    try {
      if (known && message.kind() == PeerMessage.Kind.COMMIT) {
        coordinated.participant().commit(id);
      } else if (known) {
        coordinated.participant().abort(id);
      } else {
        Decision decision = message.kind() == PeerMessage.Kind.COMMIT ? Decision.COMMITTED : Decision.ABORTED;
        coordinated.endLost(id, part, decision);
      }
      return PeerMessage.DONE;
    } catch (ContradictedDecisionException e) {
      LOG.debug("The decision of the group {} is not acknowledged.", message.from(), e);
      return PeerMessage.CONTRADICTED;
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
    decisions.shutdownNow();
    if (peers != null) {
      coordinator.close();
      peers.close();
    }
    // Their messages end with the connections.
    Threads.join("The threads of transactions of other groups", threads);
    Threads.join("The threads of decisions of other groups", decisions);
  }
}
