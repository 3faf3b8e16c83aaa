package org.understudy.container.transaction;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.api.decision.ParticipantRecord;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.RequestKey;
import org.understudy.replication.core.request.Response;
import org.understudy.wsrf.resource.ServiceHome;

/**
 * A transaction in the primary's memory, before it is committed: its locked resources, and the responses of its calls. One call at a time.
 * Thread-safe; no lock is held while a database is used.
 */
final class OpenTransaction {
  private enum State {
    OPEN,
    /** Its update is in the log, or on its way there. */
    COMMITTING,
    /** Its update has taken effect. */
    COMMITTED,
    /** Its changes were undone before they were given to the replica, so nobody can commit them. */
    ABORTED,
    /** Its update was rolled back here. With a database, or if this replica has lost its role, its successor may have committed it. */
    ROLLED_BACK
  }

  private final String id;
  private final String principal;
  private final String owner;
  private final TransactionSettings limits;
  private final long deadline;
  private final Consumer<OpenTransaction> gone;

  // Guarded by this.
  private State state = State.OPEN;
  /** Why the transaction can only abort, as a clause; null while it can commit. */
  private String doom;
  private TransactionCall current;
  private TransactionParts parts;
  private final Map<RequestKey, Held> responses = new HashMap<>();
  private int calls;
  private long bytes;
  private boolean coordinated;
  private boolean registered;
  private boolean shared;
  /** The coordinator's group and the name of this part; empty unless that is a group of {@code understudy.transaction.peers}. */
  private String part = "";
  /** Whether one thread gives its changes to the replica, or undoes them. */
  private boolean proposed;
  /** Of its preparation for a coordinator outside the group; null before that begins. */
  private CompletableFuture<Vote> vote;

  /** The response of a call that was executed. */
  private record Held(long digest, Response response) {}

  /**
   * @param deadline in {@link System#nanoTime()}
   * @param gone called when it has ended by itself, because it could only abort; without a lock
   */
  OpenTransaction(
      String id, String principal, String owner, TransactionSettings limits, long deadline, Consumer<OpenTransaction> gone) {
    this.gone = gone;
    this.id = id;
    this.parts = new TransactionParts(id);
    this.principal = principal;
    this.owner = owner;
    this.limits = limits;
    this.deadline = deadline;
  }

  String id() {
    return id;
  }

  String principal() {
    return principal;
  }

  String owner() {
    return owner;
  }

  /** From now on, only a coordinator outside the group ends it. */
  synchronized void coordinated() {
    coordinated = true;
  }

  /** @throws RefusedCallException when a coordinator outside the group decides this transaction, so that its clients cannot end it here */
  synchronized void requireOwn() throws RefusedCallException {
    if (coordinated) {
      throw refused(
          FailureCode.BadRequest,
          "A coordinator outside the group decides the transaction " + id + ". Nothing was executed. Commit or abort it there.");
    }
  }

  /** Whether its coordinator outside the group knows this group. */
  synchronized boolean isRegistered() {
    return registered;
  }

  synchronized void registered() {
    registered = true;
  }

  /** Other groups take part from now on, so that this group alone must not commit it. */
  synchronized void share() {
    shared = true;
  }

  synchronized boolean isShared() {
    return shared;
  }

  /** Its coordinator, another group, knows this part. */
  synchronized void partOf(String group, String name) {
    registered = true;
    part = group + " " + name;
  }

  synchronized boolean isPart(String group, String name) {
    return part.equals(group + " " + name);
  }

  /** What the participant record holds. */
  synchronized byte[] record() {
    return part.getBytes(StandardCharsets.UTF_8);
  }

  /** What the group records about its part; null for a transaction that the group itself decides. */
  synchronized ParticipantRecord participant() {
    return coordinated ? new ParticipantRecord(id, record()) : null;
  }

  /** Returns the vote of its preparation; null when that begins now, and the caller completes this one. */
  synchronized CompletableFuture<Vote> beginVote(CompletableFuture<Vote> begun) {
    CompletableFuture<Vote> before = vote;
    vote = before == null ? begun : before;
    return before;
  }

  /** Whether its preparation is under way. */
  synchronized boolean isVoting() {
    return vote != null && !vote.isDone();
  }

  /** Whether the caller is the first one, after the commit has begun, that gives the changes to the replica or undoes them. */
  synchronized boolean propose() {
    boolean first = state == State.COMMITTING && !proposed;
    proposed |= first;
    return first;
  }

  /** @throws RefusedCallException when another user has begun it */
  void requireOf(String caller) throws RefusedCallException {
    if (!principal.equals(caller)) {
      throw refused(FailureCode.BadRequest, "The transaction " + id + " belongs to another user. Nothing was executed.");
    }
  }

  /** For how long the transaction may go on, in milliseconds. */
  long remainingMs() {
    return Math.max(0, (deadline - System.nanoTime()) / 1_000_000);
  }

  /** Returns the response of an earlier execution of the call, or null when the call begins now. */
  Response enter(TransactionCall call) throws RefusedCallException {
    TransactionParts undone;
    synchronized (this) {
      Response held = held(call);
      if (held != null) {
        return held;
      }
      doom = parts.obstacle();
      if (doom == null) {
        calls++;
        current = call;
        return null;
      }
      undone = end(State.ABORTED);
    }
    undone.undo();
    gone.accept(this);
    throw aborted();
  }

  private Response held(TransactionCall call) throws RefusedCallException {
    Held held = call.key() == null ? null : responses.get(call.key());
    if (held != null && state == State.OPEN && doom == null) {
      if (held.digest() != call.digest()) {
        throw refused(
            FailureCode.DigestMismatch, "The request has the identity of an earlier one in the transaction " + id + " and another body.");
      }
      return held.response();
    }
    requireIdle(call.key());
    if (calls >= limits.calls()) {
      throw refused(
          FailureCode.TooLarge,
          "The transaction " + id + " has " + calls + " calls, the limit (understudy.transaction.calls). The call was not executed. "
              + "Commit the transaction or abort it.");
    }
    return null;
  }

  /** @param key of the request; null for none */
  private void requireIdle(RequestKey key) throws RefusedCallException {
    switch (state) {
      case COMMITTED -> throw committed(id);
      case COMMITTING, ROLLED_BACK ->
          throw refused(
              FailureCode.StillPending, "The transaction " + id + " is being committed. Send CommitTransaction again for its outcome.");
      case ABORTED -> throw aborted();
      case OPEN -> {
        if (doom != null) {
          throw aborted();
        }
      }
    }
    if (current != null) {
      throw key != null && key.equals(current.key())
          ? refused(FailureCode.StillPending, "The call is being executed in the transaction " + id + ". " + Failure.RETRY_WITH_ID)
          : refused(
              FailureCode.Overloaded,
              "Another call of the transaction " + id + " is being executed. A transaction has one call at a time. Retry later.");
    }
  }

  /** Returns the part with a resource, or null when the resource is not in this transaction. */
  synchronized TransactionPart part(ServiceHome home, String key) {
    return parts.find(home, key);
  }

  synchronized void add(TransactionPart part) {
    parts.add(part);
  }

  /**
   * Ends the current call.
   *
   * @param response null when there is none
   * @param why why the transaction can only abort, as a clause; null if it can go on
   * @return why it can only abort; null if it can go on
   */
  String ended(TransactionCall call, Response response, String why) {
    TransactionParts undone;
    String reason;
    boolean over;
    synchronized (this) {
      current = null;
      doom = doom == null ? why : doom;
      if (response != null && call.key() != null && doom == null) {
        bytes += response.bytes();
        if (bytes > limits.bytes()) {
          doom = "the responses of its calls have more than " + limits.bytes() + " bytes (understudy.transaction.bytes)";
        }
        responses.put(call.key(), new Held(call.digest(), response));
      }
      reason = doom;
      undone = doom == null ? none() : end(State.ABORTED);
      over = doom != null;
    }
    undone.undo();
    if (over) {
      gone.accept(this);
    }
    return reason;
  }

  /**
   * Begins to commit. After it, nobody else uses the parts.
   *
   * @return null when it is committed already
   * @throws RefusedCallException when the transaction cannot commit; it is then aborted, unless a call of it is being executed
   */
  TransactionParts beginCommit() throws RefusedCallException {
    TransactionParts undone;
    synchronized (this) {
      if (state == State.COMMITTED) {
        return null;
      }
      requireIdle(null);
      doom = parts.obstacle();
      if (doom == null) {
        state = State.COMMITTING;
        responses.clear();
        return parts;
      }
      undone = end(State.ABORTED);
    }
    undone.undo();
    gone.accept(this);
    throw aborted();
  }

  /** What the commit has proposed has taken effect. */
  synchronized void committed() {
    end(State.COMMITTED);
  }

  /** What the commit has proposed was rolled back. */
  synchronized void rolledBack() {
    end(State.ROLLED_BACK);
  }

  /** The commit has ended before it has proposed anything. */
  synchronized void undone(String why) {
    doom = why;
    end(State.ABORTED);
  }

  /** Whether it is being committed, or is committed; or was rolled back, and another replica may have committed it. */
  synchronized boolean isCommitting() {
    return state != State.OPEN && state != State.ABORTED;
  }

  synchronized boolean isCommitted() {
    return state == State.COMMITTED;
  }

  /**
   * Aborts the transaction, at once or when its current call has ended. May block on a database.
   *
   * @param why as a clause
   * @return false when it is being committed, or was
   */
  boolean abort(String why) {
    TransactionParts undone;
    synchronized (this) {
      if (isCommitting()) {
        return false;
      }
      doom = doom == null ? why : doom;
      undone = current == null ? end(State.ABORTED) : none();
    }
    undone.undo();
    return true;
  }

  /** Takes the parts, which the caller undoes. */
  private TransactionParts end(State how) {
    state = how;
    responses.clear();
    TransactionParts all = parts;
    parts = none();
    return all;
  }

  private TransactionParts none() {
    return new TransactionParts(id);
  }

  RefusedCallException aborted() {
    return aborted(id, why());
  }

  /** Why it can only abort, or has ended, as a clause. */
  synchronized String why() {
    return doom == null ? "it has ended" : doom;
  }

  static RefusedCallException committed(String id) {
    return refused(FailureCode.BadRequest, "The transaction " + id + " is committed. The call was not executed.");
  }

  static RefusedCallException aborted(String id, String why) {
    return refused(
        FailureCode.TransactionAborted,
        "The transaction " + id + " was aborted: " + why + ". Everything that its calls changed is undone. Begin another transaction.");
  }

  static RefusedCallException refused(FailureCode code, String sentence) {
    return new RefusedCallException(new Failure(code, sentence));
  }

  /** Returns its state as a clause, for people. */
  synchronized String describe() {
    String whose =
        part.isEmpty() ? shared ? "with other groups, " : "" : "a part of a transaction of the group " + part.split(" ")[0] + ", ";
    if (doom != null) {
      return whose + "can only abort, because " + doom;
    }
    return whose + "calls: " + calls + ", "
        + (state == State.OPEN ? "is aborted in " + remainingMs() / 1_000 + " s unless it ends" : "is being committed or prepared");
  }

  @Override
  public String toString() {
    return "the transaction " + id;
  }
}
