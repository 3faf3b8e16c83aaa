package org.understudy.container.transaction;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.decision.DatabaseBacked;
import org.understudy.replication.api.decision.Decision;
import org.understudy.replication.core.limit.KeyKind;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.RequestKey;
import org.understudy.replication.runtime.Executions;
import org.understudy.replication.runtime.Replica;
import org.understudy.thread.DaemonThreads;
import org.understudy.thread.RepeatedTask;
import org.understudy.thread.Threads;
import org.w3c.dom.Element;

/**
 * The parts of this group in transactions that coordinators outside the group decide. Before their preparation they are open transactions
 * of the primary, which has registered every replica at the coordinator. Thread-safe. A thread of its own removes registrations of
 * transactions that have ended.
 */
public final class CoordinatedTransactions implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CoordinatedTransactions.class);
  private static final long REGISTRATION_SECONDS = 20;
  /** How many transactions of coordinators the group knows, until they are decided. */
  private static final int MAX_CONTEXTS = 1_000;
  /**
   * For how long the group knows a registration whose part was lost before the vote. Its participants vote to abort afterwards, because
   * they are unknown.
   */
  private static final long MAX_AGE_NANOS = TimeUnit.MINUTES.toNanos(10);

  private final OpenTransactions open;
  private final TransactionSettings settings;
  private final Coordinations coordinations;
  private final Replica replica;
  private final OwnRequests requests;
  private final DatabaseBranches branches;
  private final OperatorDecisions operators = new OperatorDecisions();
  private final LostDecisions lost = new LostDecisions();
  private final InheritedUpdates inherited;
  private final GroupParticipant participant;
  private final OperatorCommands commands;
  private final ParticipantContexts contexts;
  private final Preparations preparations;
  private final ScheduledThreadPoolExecutor threads =
      new ScheduledThreadPoolExecutor(1, new DaemonThreads("understudy-registrations-"));
  private final Ages doubtful = new Ages();

  /** @param coordinations the protocols of the coordinators */
  public CoordinatedTransactions(
      OpenTransactions open, TransactionSettings settings, Coordinations coordinations, Replica replica) {
    this(open, settings, coordinations, replica, new OwnRequests(replica));
  }

  CoordinatedTransactions(
      OpenTransactions open, TransactionSettings settings, Coordinations coordinations, Replica replica, OwnRequests requests) {
    this.open = open;
    this.settings = settings;
    this.coordinations = coordinations;
    this.replica = replica;
    this.requests = requests;
    Failpoint.Replicated failpoints = new Failpoint.Replicated(settings.group(), replica);
    this.branches = new DatabaseBranches(replica, requests);
    this.inherited = new InheritedUpdates(replica);
    DecisionTurns turns = new DecisionTurns();
    Settlement settlement = new Settlement(replica, branches, requests, operators, turns, failpoints);
    this.participant = new GroupParticipant(replica, this, open, operators, turns, settlement);
    this.commands = new OperatorCommands(this, operators, turns, settlement);
    this.contexts = new ParticipantContexts(coordinations);
    this.preparations = new Preparations(open, replica, branches, contexts, failpoints);
    if (settings.unsupported() == null) {
      replica.observe(operators);
      replica.participate(updates -> {
        branches.inherited(updates);
        inherited.inherited(updates);
        LOG.warn(
            "Transactions in doubt at this new primary: {}, for example {}. Their objects stay locked until the coordinators send their "
                + "decisions. scripts/transactions lists them.",
            updates.size(), updates.get(0).participant());
      });
      DoubtWarnings warnings = new DoubtWarnings(TimeUnit.MILLISECONDS.toNanos(settings.lifetimeMs()), lost);
      threads.scheduleWithFixedDelay(
          new RepeatedTask("Watch over transactions in doubt", () -> warnings.log(replica, branches.left())), 1, 1, TimeUnit.SECONDS);
    }
    if (!coordinations.isEmpty() && settings.unsupported() == null) {
      coordinations.started(participant);
      replica.observe(contexts);
      branches.left().report();
      threads.scheduleWithFixedDelay(
          new RepeatedTask("The removal of old contexts of transactions", this::removeOld), 1, 1, TimeUnit.MINUTES);
      threads.scheduleWithFixedDelay(
          new RepeatedTask("The count of transactions in doubt", this::doubtful), 1, 1, TimeUnit.SECONDS);
    }
  }

  /** The kinds of the keys under which the group's state holds what it needs for coordinators. */
  public static List<KeyKind> kinds() {
    List<KeyKind> kinds = new ArrayList<>(DatabaseBranches.kinds());
    kinds.add(ParticipantContexts.kind());
    kinds.add(OperatorDecisions.kind());
    return kinds;
  }

  /** Lets the database of the group take part. During deployment. */
  public void use(DatabaseBacked service) {
    if (settings.replicated()) {
      branches.use(service);
    }
  }

  /**
   * Whether an earlier primary has prepared a change that a request needs, and its decision is unknown.
   *
   * @param database whether the request needs the database
   * @param key of its object in the group's state
   */
  public boolean isInDoubt(boolean database, Supplier<String> key) {
    return database && branches.isInherited() || inherited.contains(key);
  }

  DatabaseBranches branches() {
    return branches;
  }

  /** This replica's part in the transactions. */
  public TransactionParticipant participant() {
    return participant;
  }

  /** What operators have decided in place of coordinators. */
  OperatorDecisions operators() {
    return operators;
  }

  /** What coordinators have lost, as they have answered here. */
  LostDecisions lost() {
    return lost;
  }

  /** See {@link GroupParticipant#endLost}. */
  void endLost(String transaction, String part, Decision decision) {
    participant.endLost(transaction, part, decision);
  }

  /** Whether a transaction is in doubt here, also one of which only the part of the database is prepared. */
  public boolean isInDoubt(String transaction) {
    return participant.isInDoubt(transaction);
  }

  /** Decides a transaction in doubt in place of its coordinator, at the primary. Blocks until that is stable, or throws. */
  public void decide(String transaction, Decision decision) {
    commands.decide(transaction, decision);
  }

  /** Forgets such a decision, at the primary. Blocks until that is stable, or throws. */
  public void forget(String transaction) {
    commands.forget(transaction);
  }

  /** Since when each transaction is in doubt here, as far as this replica has looked. */
  Ages doubtful() {
    doubtful.retain(participant.inDoubt());
    return doubtful;
  }

  /** The number of transactions that are prepared here, and whose decision is unknown. */
  public long countInDoubt() {
    return participant.inDoubt().size();
  }

  /**
   * Reads the header block of a coordination protocol.
   *
   * @return null if it names no transaction
   * @throws IllegalArgumentException with a sentence for the client, when it is invalid
   */
  public Coordinations.ForeignTransaction read(Element header) {
    return header == null ? null : coordinations.of(header);
  }

  /**
   * Begins a call inside a transaction of a coordinator outside the group. Its first call makes every replica register there. Blocks then.
   *
   * @throws RefusedCallException when the call is not executed
   */
  public TransactionCall enter(
      Coordinations.ForeignTransaction foreign,
      String principal,
      String owner,
      RequestKey key,
      long digest,
      boolean update,
      Executions executions,
      long token)
      throws RefusedCallException {
    if (settings.unsupported() != null) {
      throw OpenTransaction.refused(FailureCode.BadRequest, settings.unsupported());
    }
    String id = foreign.context().id();
    requireUnprepared(id);
    open.openCoordinated(id, principal, owner);
    return open.enter(
        id, principal, key, digest, update, executions, token, transaction -> {
          String refused = contexts.contains(id) ? "The part of this group in the transaction " + id
              + " was lost or has ended. Abort the transaction and begin another one." : register(foreign);
          if (refused != null) {
            return OpenTransaction.refused(FailureCode.TransactionAborted, refused);
          }
          transaction.registered();
          return null;
        });
  }

  /** @throws RefusedCallException when this group's part in a transaction is prepared, so that no call can join it */
  void requireUnprepared(String id) throws RefusedCallException {
    if (participant.isPrepared(id)) {
      throw OpenTransaction.refused(FailureCode.BadRequest, "The transaction " + id + " is prepared. The call was not executed.");
    }
  }

  /** Returns why the group cannot take part, or null. */
  private String register(Coordinations.ForeignTransaction foreign) {
    TransactionContext context = foreign.context();
    if (contexts.size() >= MAX_CONTEXTS) {
      return "The group waits for the decisions of " + MAX_CONTEXTS + " transactions. Begin another transaction later.";
    }
    byte[] registration;
    try {
      registration = foreign.provider().register(context, members());
    } catch (IOException e) {
      return e.getMessage();
    } catch (RuntimeException | LinkageError e) {
      LOG.error("This replica could not register at the coordinator of the transaction {}.", context.id(), e);
      return "The group could not register at the transaction's coordinator. See the server's log for the reason.";
    }
    if (registration.length > CoordinationProvider.MAX_REGISTRATION) {
      return "The registration of the group at the coordinator is longer than " + CoordinationProvider.MAX_REGISTRATION + " bytes.";
    }
    CompletableFuture<Failure> stored =
        requests.update(ParticipantContexts.added(context.id(), coordinations.number(foreign.provider()), registration));
    try {
      Failure failure = stored.get(REGISTRATION_SECONDS, TimeUnit.SECONDS);
      return failure == null ? null : "The backups did not get the registration in the transaction: " + failure.sentence();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "The server stops.";
    } catch (ExecutionException | TimeoutException e) {
      return "The backups did not get the registration in the transaction in " + REGISTRATION_SECONDS + " s.";
    }
  }

  /** The numbers of the view's members, this one first. */
  private List<Integer> members() {
    List<Integer> numbers = new ArrayList<>(replica.view().members().stream().map(ReplicaId::number).toList());
    Integer self = participant.primary();
    numbers.remove(self);
    numbers.add(0, self);
    return numbers;
  }

  /** The decision of a transaction is stable: no call can belong to it any more. */
  void decided(String id) {
    if (contexts.contains(id)) {
      requests.update(ParticipantContexts.removed(id));
    }
  }

  /** Whether this group's part has ended, because it had changed nothing. */
  boolean isReadOnly(String id) {
    return contexts.isReadOnly(id);
  }

  private void removeOld() {
    if (replica.routing().servesUpdates()) {
      Set<String> doubt = participant.inDoubt();
      contexts.olderThan(MAX_AGE_NANOS).stream()
          .filter(id -> open.get(id) == null && !doubt.contains(id) && operators.find(id) == null)
          .forEach(this::decided);
    }
  }

  /** See {@link Preparations#begin}. */
  CompletableFuture<Vote> prepare(OpenTransaction transaction) {
    return preparations.begin(transaction);
  }

  @Override
  public void close() {
    threads.shutdownNow();
    Threads.join("The thread that registers participants", threads);
    branches.close();
  }
}
