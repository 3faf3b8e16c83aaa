package org.understudy.container.transaction;

import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.api.decision.Decision;
import org.understudy.replication.core.limit.KeyKind;
import org.understudy.replication.core.request.RequestKey;
import org.understudy.replication.core.request.Response;
import org.understudy.replication.runtime.Executions;
import org.understudy.replication.runtime.Proposal;
import org.understudy.replication.runtime.Replica;
import org.understudy.replication.runtime.share.LocalShares;
import org.understudy.thread.DaemonThreads;
import org.understudy.thread.Threads;

/**
 * The transactions that clients have begun at this replica. They exist in the memory of the primary only, until one is committed as one
 * update: when the primary fails or loses its role, they are gone, and everything in them is undone. Thread-safe. One thread of its own
 * undoes transactions that take too long.
 */
public final class OpenTransactions implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(OpenTransactions.class);
  private static final String NO_PRIMARY = "this replica is no longer the primary";
  private static final String IDS = "urn:understudy:transaction:";

  private final TransactionSettings settings;
  private final Replica replica;
  /** The beginning of the ids of transactions that are begun at this group. */
  private final String prefix;
  private final LocalShares places;
  private final TransactionTable table;
  private final GroupLife life;
  private final OwnRequests requests;
  private final FirstCalls firstCalls = new FirstCalls();
  /** Null when no other group takes part in transactions. */
  private volatile GroupCoordinator coordinator;
  private final ScheduledThreadPoolExecutor thread =
      new ScheduledThreadPoolExecutor(1, new DaemonThreads("understudy-transactions-"));

  public OpenTransactions(TransactionSettings settings, Replica replica) {
    this.settings = settings;
    this.replica = replica;
    this.prefix = prefix(settings.group());
    this.places = new LocalShares("open transactions: %d (understudy.transactions)", settings.open());
    thread.setRemoveOnCancelPolicy(true);
    this.table = new TransactionTable(prefix, () -> replica.view().epoch());
    replica.observe(table);
    this.requests = new OwnRequests(replica);
    this.life = new GroupLife(prefix, table, requests::update);
    replica.listen(assignment -> {
      if (!replica.routing().servesUpdates()) {
        later(0, () -> abortAll(NO_PRIMARY));
      }
    });
  }

  /** The kinds of the keys under which the group's state holds committed transactions, and its life as a coordinator. */
  public static List<KeyKind> kinds() {
    return List.of(TransactionTable.kind(), GroupLife.kind());
  }

  /** What is known of a transaction, in one step. To be relied on within a linearizable read only. */
  TransactionTable.Found find(String id) {
    return table.find(id);
  }

  /** Lets other groups take part. Before the first request. */
  void coordinateBy(GroupCoordinator one) {
    coordinator = one;
  }

  /** The beginning of the ids of the transactions that are begun at a group. */
  static String prefix(String group) {
    return IDS + group.replaceAll("[^A-Za-z0-9._-]", "-") + ":";
  }

  /** The open transactions that clients have begun here. */
  List<OpenTransaction> own() {
    return table.open().stream().filter(one -> one.id().startsWith(prefix)).toList();
  }

  /** The transactions that are open here, with parts of those that others decide. */
  List<OpenTransaction> all() {
    return table.open();
  }

  /** The open parts of transactions that other groups coordinate, registered there. */
  List<OpenTransaction> parts() {
    return table.open().stream().filter(one -> one.record().length > 0).toList();
  }

  /** The number of open transactions. */
  public long count() {
    return table.open().size();
  }

  /**
   * Begins a transaction for a client, within a linearizable read.
   *
   * @param message the envelope
   * @param owner whose share of the limit it uses
   * @param begun receives the content of the answer's Body; by another thread if it is the first in the life of the group
   * @param refused called instead when it is not begun
   * @throws RefusedCallException when the message is invalid, or the strategy has no transactions
   */
  public void begin(byte[] message, String principal, String owner, Consumer<byte[]> begun, Consumer<RefusedCallException> refused)
      throws RefusedCallException {
    TransactionBody.check(message);
    if (settings.unsupported() != null) {
      throw OpenTransaction.refused(FailureCode.BadRequest, settings.unsupported());
    }
    life.next(task -> later(0, task), id -> {
      try {
        begun.accept(begin(id, principal, owner));
      } catch (RefusedCallException e) {
        refused.accept(e);
      }
    });
  }

  private byte[] begin(String id, String principal, String owner) throws RefusedCallException {
    if (id == null) {
      throw OpenTransaction.refused(
          FailureCode.Overloaded, "The group could not store its life, which precedes its first transaction. Nothing was begun. Retry.");
    }
    open(id, principal, owner);
    if (coordinator != null) {
      coordinator.opened(id);
    }
    return TransactionBody.begun(id, settings.lifetimeMs(), settings.group());
  }

  /** Opens a transaction with this id, or returns the one that is open. */
  OpenTransaction open(String id, String principal, String owner) throws RefusedCallException {
    String full = places.reserve(owner, 1);
    if (full != null) {
      throw OpenTransaction.refused(FailureCode.Overloaded, full + " Nothing was begun.");
    }
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(settings.lifetimeMs());
    OpenTransaction begun = new OpenTransaction(id, principal, owner, settings, deadline, this::doomed);
    TransactionTable.Found before = table.add(begun);
    if (before != null) {
      places.release(owner, 1);
      return before.require(id, principal);
    }
    later(settings.lifetimeMs(), () -> expire(begun));
    if (!replica.routing().servesUpdates()) {
      // The role was lost meanwhile, and what was open then has been aborted already.
      begun.abort(NO_PRIMARY);
      remove(begun);
      throw begun.aborted();
    }
    return begun;
  }

  /** As {@link #open}, for one that a coordinator outside the group decides. It must be this user's, and not be begun at this group. */
  OpenTransaction openCoordinated(String id, String principal, String owner) throws RefusedCallException {
    if (id.startsWith(prefix)) {
      throw OpenTransaction.refused(
          FailureCode.BadRequest, "The transaction " + id + " was begun at this group, and no coordinator outside of it decides it.");
    }
    OpenTransaction found = open(id, principal, owner);
    found.coordinated();
    return found;
  }

  private void doomed(OpenTransaction transaction) {
    if (table.abort(transaction)) {
      ended(transaction);
    }
  }

  private void later(long ms, Runnable task) {
    try {
      thread.schedule(task, ms, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      LOG.debug("The web application is stopping.", e);
    }
  }

  private void expire(OpenTransaction transaction) {
    abort(transaction, "it was open for more than " + settings.lifetimeMs() + " ms (understudy.transaction.lifetime.ms)");
  }

  /** Removes a transaction that has ended. */
  void remove(OpenTransaction transaction) {
    if (table.remove(transaction)) {
      ended(transaction);
    }
  }

  private void ended(OpenTransaction transaction) {
    places.release(transaction.owner(), 1);
    if (coordinator != null) {
      coordinator.ended(transaction.id(), "it has ended at its coordinator");
    }
  }

  private void abortAll(String why) {
    for (OpenTransaction one : table.open()) {
      if (abort(one, why)) {
        LOG.info("The transaction {} was aborted: {}.", one.id(), why);
      }
    }
  }

  /**
   * Begins a call inside a transaction, or repeats its answer.
   *
   * @param key the identity of the request; null for none
   * @param digest of its content
   * @param update whether the operation changes something
   * @param executions receives the result of the call, under this token
   * @return null when the call was executed before, and its response has been reported again
   * @throws RefusedCallException when the call is not executed
   */
  public TransactionCall enter(
      String id, String principal, RequestKey key, long digest, boolean update, Executions executions, long token)
      throws RefusedCallException {
    OpenTransaction transaction = table.find(id).require(id, principal);
    TransactionCall call = new TransactionCall(transaction, key, digest, update, executions, token, task -> later(0, task));
    Response held = transaction.enter(call);
    if (held == null) {
      return call;
    }
    executions.executed(token, Map.of(), held, List.of(), Proposal.NOTHING);
    return null;
  }

  /**
   * Begins a call inside a transaction that a coordinator outside the group decides. The first one has this group registered there.
   *
   * @param registration returns what the client gets if this group cannot take part, or null after it has told the transaction of its
   *     registration; may block
   */
  TransactionCall enter(
      String id,
      String principal,
      RequestKey key,
      long digest,
      boolean update,
      Executions executions,
      long token,
      Function<OpenTransaction, RefusedCallException> registration)
      throws RefusedCallException {
    TransactionCall call = enter(id, principal, key, digest, update, executions, token);
    if (call != null && !call.transaction().isRegistered()) {
      RefusedCallException refused = firstCalls.register(call.transaction(), registration);
      if (refused != null) {
        call.transaction().ended(call, null, "this group could not take part in it");
        // Nothing is lost: another call may begin its part anew.
        table.forget(id);
        throw refused;
      }
    }
    return call;
  }

  /** The open transaction with this id, or null. */
  OpenTransaction get(String id) {
    return table.find(id).open();
  }

  /** Aborts a transaction that is not prepared so far, if it is open here. */
  void abortOpen(String id, String why) {
    OpenTransaction found = get(id);
    if (found != null) {
      abort(found, why);
    }
  }

  /** Returns false when it is being committed or prepared, or was. */
  boolean abort(OpenTransaction transaction, String why) {
    boolean aborted = transaction.abort(why);
    if (aborted) {
      remove(transaction);
    }
    return aborted;
  }

  /**
   * Removes a part whose coordinator has decided.
   *
   * @param decision null for a part that had only read
   */
  void decided(OpenTransaction transaction, Decision decision) {
    if (decision == Decision.COMMITTED ? table.commit(transaction) : table.remove(transaction)) {
      ended(transaction);
    }
  }

  /**
   * Commits a transaction as one update, under the token of a permitted execution.
   *
   * @param message the envelope that names the transaction
   * @param format of the answer
   * @param refused receives, by another thread, what is otherwise thrown: when other groups take part, this method returns before
   * @throws RefusedCallException when nothing was committed and nothing reported; the caller abandons the execution
   */
  public void commit(byte[] message, String principal, byte format, long token, Consumer<RefusedCallException> refused)
      throws RefusedCallException {
    String id = TransactionBody.id(message);
    Response answer = new Response(format, TransactionBody.ended(TransactionOperation.COMMIT));
    TransactionTable.Found found = table.find(id);
    OpenTransaction transaction = found.open();
    if (transaction == null && found.fate() != TransactionTable.Fate.COMMITTED) {
      refuseUnlessReplaced(id, principal, answer, token, refused);
      return;
    } else if (transaction == null) {
      replica.executed(token, Map.of(), answer, List.of(), Proposal.NOTHING);
      return;
    }
    transaction.requireOf(principal);
    transaction.requireOwn();
    TransactionParts parts = beginCommit(transaction);
    if (parts == null) {
      replica.executed(token, Map.of(), answer, List.of(), Proposal.NOTHING);
      return;
    }
    TransactionCommit commit = new TransactionCommit(transaction, parts, () -> remove(transaction));
    CommitUpdate update = new CommitUpdate(replica, table, id, token, answer);
    if (coordinator == null || !coordinator.isShared(transaction)) {
      new LocalCommit(transaction, parts, commit, update).propose();
      return;
    }
    SharedCommit shared = new SharedCommit(coordinator, transaction, parts, commit, update, refused);
    if (!settings.replicated() && parts.withBranch() != null) {
      coordinator.ended(id, "its part at the coordinator changes a database, and its decision would not survive the process");
      shared.aborted("it changes a database, which a transaction over several groups cannot with the strategy none");
    } else {
      coordinator.commit(id, shared);
    }
  }

  /** Refuses a commit of what is not open here. A successor of this replica may have committed it: then the commit is retried. */
  private void refuseUnlessReplaced(String id, String principal, Response answer, long token, Consumer<RefusedCallException> refused) {
    AtomicReference<TransactionTable.Found> found = new AtomicReference<>();
    requests.confirmPrimary(() -> found.set(table.find(id))).thenAccept(failure -> {
      if (failure != null || found.get().fate() == TransactionTable.Fate.OPEN) {
        replica.abandoned(token);
      } else if (found.get().fate() == TransactionTable.Fate.COMMITTED) {
        replica.executed(token, Map.of(), answer, List.of(), Proposal.NOTHING);
      } else {
        refused.accept(found.get().refusal(id, principal));
      }
    });
  }

  /** Null when it is committed already. */
  private TransactionParts beginCommit(OpenTransaction transaction) throws RefusedCallException {
    try {
      return transaction.beginCommit();
    } catch (RefusedCallException e) {
      if (coordinator != null && e.failure().code() == FailureCode.TransactionAborted) {
        coordinator.ended(transaction.id(), "its part at the coordinator failed");
      }
      throw e;
    }
  }

  /**
   * Aborts a transaction. Without effect for one that is unknown in the present life of the group: it is undone already.
   *
   * @return the content of the answer's Body
   * @throws RefusedCallException when it is committed, is being committed, or was perhaps committed and is not known any more
   */
  public byte[] abort(byte[] message, String principal) throws RefusedCallException {
    String id = TransactionBody.id(message);
    TransactionTable.Found found = table.find(id);
    OpenTransaction transaction = found.open();
    if (transaction != null) {
      transaction.requireOf(principal);
      transaction.requireOwn();
    }
    if (transaction == null ? found.fate() == TransactionTable.Fate.ABORTED : abort(transaction, "its client aborted it")) {
      return TransactionBody.ended(TransactionOperation.ABORT);
    } else if (transaction == null && found.fate() != TransactionTable.Fate.COMMITTED) {
      throw found.refusal(id, principal);
    }
    String now = transaction == null || transaction.isCommitted() ? "committed" : "being committed";
    throw OpenTransaction.refused(FailureCode.BadRequest, "The transaction " + id + " is " + now + ", and was not aborted.");
  }

  /** Aborts all open transactions. */
  @Override
  public void close() {
    thread.shutdownNow();
    Threads.join("The clock of open transactions", thread);
    abortAll("this replica is being stopped");
  }
}
