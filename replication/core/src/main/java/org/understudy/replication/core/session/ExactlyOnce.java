package org.understudy.replication.core.session;

import java.util.List;
import java.util.Map;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.api.ReadLevel;
import org.understudy.replication.core.Effects;
import org.understudy.replication.core.Input;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Outcome;
import org.understudy.replication.core.request.Reply;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.request.Response;
import org.understudy.replication.core.update.StateUpdate;

/**
 * Executes each request once and answers its duplicates alike, for any strategy. The strategy calls it with requests that
 * this replica may serve now, and places its updates in the order.
 *
 * <p>More than 400 lines because each way in which a request can end releases the same execution, answer and place.
 */
public final class ExactlyOnce {
  static final Failure UNDONE =
      new Failure(FailureCode.NotReady, "The execution was rolled back and changed nothing. Retry the request.");

  private static final Failure EXECUTED_BEFORE =
      new Failure(
          FailureCode.OutcomeUnknown,
          "The request was executed before, and this replica cannot return its reply until it is in a view. "
              + Failure.RETRY_WITH_ID);

  /** Runs of a read that each met an update of what it had read. */
  private static final int MAX_READS = 16;

  private static final Failure TORN =
      new Failure(
          FailureCode.NotReady,
          "What the read shows was changed during each of its " + MAX_READS + " runs at this replica. Retry at another replica.");

  private final ReplicaSetup setup;
  private final Agreement agreement;
  private final GroupState state;
  private final CapacityLimits capacity;
  private final Executions executions = new Executions();
  private final PendingAnswers answers;
  private final HeldRequests held;
  private final Sessions sessions;
  private final DuplicateRequests duplicates;
  private final PreparedExecutions prepared;
  private long replayed;

  public ExactlyOnce(ReplicaSetup setup, Agreement agreement) {
    this.setup = setup;
    this.agreement = agreement;
    this.state = new GroupState(setup);
    this.capacity = new CapacityLimits(setup, state, agreement);
    this.answers = new PendingAnswers(setup, agreement);
    this.held = new HeldRequests(setup.limits().heldRequests());
    this.sessions = new Sessions(setup, agreement, state, capacity, executions, answers);
    this.duplicates = new DuplicateRequests(setup, state, sessions);
    this.prepared = new PreparedExecutions(setup, this, executions, capacity);
  }

  /** Resources and reply table, as of the last update that was applied here. */
  public GroupState state() {
    return state;
  }

  public Sessions sessions() {
    return sessions;
  }

  /** Whether the group has room, as all replicas decide alike. */
  public Capacity capacity() {
    return capacity.ofGroup();
  }

  Agreement agreement() {
    return agreement;
  }

  /** The executions here whose updates a database decides. */
  public PreparedExecutions prepared() {
    return prepared;
  }

  /** The answers that callers wait for. */
  public PendingAnswers answers() {
    return answers;
  }

  /** Requests that wait until they can be served here. */
  public HeldRequests held() {
    return held;
  }

  /** Duplicates answered with a stored reply. */
  public long replayed() {
    return replayed;
  }

  /** Called when this replica begins to decide when sessions and identities end. */
  public void begin(long now) {
    sessions.begin(now);
    capacity.begin(now);
  }

  // ------------------------------------------------------------------------------------------------ requests

  /**
   * Admits a request at a replica that may execute it now: executes it, replays the stored reply, lets it wait, or refuses
   * it.
   */
  public void admit(long now, long token, Request request, Effects out) {
    switch (request.kind()) {
      case READ -> read(now, token, request, out);
      case UPDATE -> update(now, token, request, out);
      case OPEN_SESSION -> sessions.open(now, token, request, out);
      case RENEW_SESSION -> sessions.renew(now, token, request, out);
      case CLOSE_SESSION -> sessions.close(now, token, request, out);
    }
  }

  private void read(long now, long token, Request request, Effects out) {
    if (sessions.isKnown(now, token, request, out)) {
      sessions.hasRead(now, request);
      execute(now, token, request, false, out);
    }
  }

  /**
   * Reads the state applied here, although other replicas may have a newer one.
   *
   * @return false when this replica does not know the session: another one may
   */
  public boolean readHere(long now, long token, Request request, Effects out) {
    if (sessions.isOpen(request)) {
      sessions.hasRead(now, request);
    } else if (request.level() == ReadLevel.SESSION) {
      return false;
    }
    execute(now, token, request, true, out);
    return true;
  }

  private void update(long now, long token, Request request, Effects out) {
    if (!sessions.isKnown(now, token, request, out)) {
      return;
    }
    Failure stale = duplicates.staleness(request.key(), request.ackBelow());
    if (stale != null) {
      out.fail(token, stale);
      return;
    }
    StoredReply stored = duplicates.stored(request);
    Execution running = stored == null ? running(request) : null;
    if (stored != null || running != null) {
      long before = stored != null ? stored.digest() : running.request().digest();
      Failure otherBody = duplicates.otherBody(before, request.digest());
      if (otherBody != null) {
        out.fail(token, otherBody);
      } else if (running != null) {
        running.addWaiting(token);
      } else if (!duplicates.isForgotten(request)) {
        replay(token, stored, out);
      }
      return;
    }
    Failure refusal = capacity.refusal(request);
    if (refusal != null) {
      out.fail(token, refusal);
      return;
    }
    sessions.hasUpdated(now, request);
    execute(now, token, request, false, out);
  }

  /**
   * Answers a duplicate of an update that this replica knows as executed, or lets it wait with its own proposal, without a majority. A
   * duplicate whose reply it cannot return is answered as {@code OutcomeUnknown}, not as unexecuted.
   *
   * @return false when the request is no such duplicate, or is invalid
   */
  public boolean repeat(long token, Request request, Effects out) {
    boolean valid =
        request.kind() == Request.Kind.UPDATE
            && sessions.isOpen(request)
            && duplicates.staleness(request.key(), request.ackBelow()) == null;
    StoredReply stored = valid ? duplicates.stored(request) : null;
    if (stored != null) {
      if (stored.digest() != request.digest()) {
        return false;
      }
      // Before the updates with which the view began, and in no view, no handle shows the reply.
      if (agreement.handle(stored.index()).position() >= stored.index()) {
        replay(token, stored, out);
      } else {
        out.fail(token, EXECUTED_BEFORE);
      }
      return true;
    }
    Execution running = valid ? running(request) : null;
    boolean repeats = running != null && running.isProposed() && running.request().digest() == request.digest();
    if (repeats) {
      running.addWaiting(token);
    }
    return repeats;
  }

  /** Whether this replica has executed the same update before, or executes it now. */
  public boolean isRepetition(Request request) {
    if (request.kind() != Request.Kind.UPDATE) {
      return false;
    }
    StoredReply stored = duplicates.stored(request);
    Execution running = stored == null ? running(request) : null;
    return stored != null ? stored.digest() == request.digest() : running != null && running.request().digest() == request.digest();
  }

  /** The execution that the request repeats, or null. */
  private Execution running(Request request) {
    Execution running = executions.find(request.key());
    boolean repeats = running != null && agreement.isCurrent(running) && setup.enforces(Rule.ONE_EXECUTION_AT_A_TIME);
    return repeats ? running : null;
  }

  private void replay(long token, StoredReply stored, Effects out) {
    replayed++;
    answers.whenStable(stored.index(), token, Reply.Status.REPLAYED, stored.outcome(), out);
  }

  private void execute(long now, long token, Request request, boolean local, Effects out) {
    long confirmation = local ? 0 : agreement.confirmation(now, request.level(), out);
    executions.add(Execution.of(token, request, agreement.epoch(), local, confirmation, state.applied()));
    out.execute(token, request.kind());
  }

  // ------------------------------------------------------------------------------------------------ executions

  /** Called when a method has returned: its read is answered when permitted, its update is proposed or rejected. */
  public void executed(long now, Input.Executed input, Effects out) {
    Execution execution = executions.find(input.token());
    boolean current = execution != null && agreement.isCurrent(execution);
    Failure conflict = current && !execution.isLocal() ? prepared.conflict(input, execution) : null;
    if (execution == null) {
      // The request was abandoned while the method ran; a retry may have been admitted since and must not see its changes.
      undo(input.token(), out);
    } else if (conflict != null) {
      undo(input.token(), out);
      fail(execution, conflict, out);
    } else if (execution.request().kind() == Request.Kind.READ) {
      readExecuted(now, input, execution, out);
    } else if (!current) {
      // Its changes were never sent, and disappear with this replica's live objects.
      out.rollback(input.token());
      fail(execution, UNDONE, out);
    } else {
      updateExecuted(now, input, execution, out);
    }
  }

  private void readExecuted(long now, Input.Executed input, Execution read, Effects out) {
    boolean current = agreement.isCurrent(read);
    if (current && setup.enforces(Rule.READS_SEE_ONE_STATE) && !agreement.sawOneState(read, input.versions())) {
      readAgain(read, out);
      return;
    }
    executions.remove(read);
    if (!current) {
      out.rollback(input.token());
      out.fail(input.token(), new Failure(FailureCode.NotReady, "This replica's role changed during the read; retry."));
      return;
    }
    out.commit(input.token(), state.applied(), List.of());
    if (read.isLocal()) {
      answers.answer(input.token(), Reply.Status.READ, input.outcome(), state.applied(), out);
    } else {
      ReadLevel level = read.request().level();
      answers.read(
          now,
          new PendingRead(input.token(), input.outcome(), level, agreement.end(), now, read.confirmation()),
          out);
    }
  }

  private void readAgain(Execution read, Effects out) {
    out.rollback(read.token());
    if (read.runs() == MAX_READS) {
      fail(read, TORN, out);
    } else {
      read.suspend();
      runAgain(read, out);
    }
  }

  private void updateExecuted(long now, Input.Executed input, Execution execution, Effects out) {
    long keys = agreement.bytesOfKeys(input.versions().keySet());
    Failure failure =
        input.outcome() instanceof Failure reported
            ? reported.shortened()
            : capacity.excess(execution.request(), input.outcome(), input.changes(), keys);
    if (failure == null) {
      execution.propose(input.outcome(), input.versions(), input.changes());
      execution.enlist(input.branch(), input.participant());
      agreement.append(now, execution, out);
      return;
    }
    undo(input.token(), out);
    if (failure.code().isTerminal() && execution.request().key() != null) {
      execution.propose(failure, capacity.fits(failure, keys) ? input.versions() : Map.of(), List.of());
      agreement.append(now, execution, out);
    } else {
      fail(execution, failure, out);
    }
  }

  private void undo(long token, Effects out) {
    if (setup.enforces(Rule.UNDO_WHAT_DOES_NOT_STAND)) {
      out.rollback(token);
    } else {
      out.commit(token, agreement.end(), List.of());
    }
  }

  /** Called when the method ends without a result or the caller stops waiting. */
  public void abandoned(long token, Effects out) {
    Execution execution = executions.find(token);
    if (execution != null && !execution.isProposed()) {
      fail(execution, UNDONE, out);
    } else if (setup.enforces(Rule.GIVEN_UP_FREES_PLACE)) {
      if (execution != null) {
        execution.stopAwaiting();
      }
      held.remove(token);
      answers.remove(token);
      executions.stopWaiting(token);
    }
  }

  /** Called when the method takes longer than it may. */
  public void overdue(long token) {
    Execution execution = executions.find(token);
    if (execution != null && !execution.isProposed()) {
      execution.overdue();
    }
  }

  private void fail(Execution execution, Failure failure, Effects out) {
    executions.remove(execution);
    execution.waiting().forEach(token -> out.fail(token, failure));
    if (execution.isAwaited()) {
      out.fail(execution.token(), failure);
    }
  }

  // ------------------------------------------------------------------------------------------------ the order

  /**
   * The update of a proposal, with its evictions.
   *
   * @param index its place in the order; 0 when it is placed later, see {@link #placed}
   */
  public StateUpdate update(long now, Execution execution, long index) {
    Request request = execution.request();
    Outcome outcome = sessions.outcome(request.kind(), request.key(), execution.outcome(), agreement.epoch(), index);
    return new StateUpdate(
        index,
        request.kind(),
        request.key(),
        request.digest(),
        request.ackBelow(),
        request.principal(),
        request.ownerId(),
        outcome,
        execution.changes(),
        capacity.eviction(now, request.kind(), request.key(), outcome));
  }

  /** Applies an update, which any replica may have proposed, at its place in the order: the same at every replica. */
  public StateUpdate placed(StateUpdate proposal, long epoch, long index) {
    return proposal.at(
        index, sessions.outcome(proposal.kind(), proposal.key(), proposal.outcome(), epoch, index));
  }

  /** Called when this replica's own proposal has its place: commits the run, with state and reply table. */
  public void commit(Execution execution, StateUpdate update, Effects out) {
    if (execution.isWithdrawn()) {
      apply(update, out);
      return;
    }
    state.apply(update);
    committed(execution, update, out);
  }

  void committed(Execution execution, StateUpdate update, Effects out) {
    if (execution.isRun() && update.outcome() instanceof Response) {
      out.commit(execution.token(), update.index(), update.changes());
    }
  }

  /** All callers that wait for this proposal get the outcome of its update when it is stable. */
  public void answer(long now, Execution execution, StateUpdate update, Effects out) {
    answer(now, execution, update, update.index(), out);
  }

  /** @param needed the update that must be stable */
  void answer(long now, Execution execution, StateUpdate update, long needed, Effects out) {
    executions.remove(execution);
    sessions.decided(now, update);
    if (execution.isAwaited()) {
      answers.whenStable(needed, execution.token(), Reply.Status.EXECUTED, update.outcome(), out);
    }
    for (long token : execution.waiting()) {
      replayed++;
      answers.whenStable(needed, token, Reply.Status.REPLAYED, update.outcome(), out);
    }
  }

  /** Applies an update that another replica has proposed. Returns what takes effect; null for nothing. */
  public StateUpdate apply(StateUpdate update, Effects out) {
    StateUpdate effective = state.apply(update);
    if (effective != null && !effective.changes().isEmpty()) {
      out.applied(effective.index(), effective.changes());
    }
    return effective;
  }

  /** Whether the execution has not ended. */
  public boolean isOpen(Execution execution) {
    return executions.find(execution.token()) == execution;
  }

  /** Whether {@link #deliver} of this update would answer or refuse, because its request has been decided earlier. */
  public boolean isDecided(StateUpdate update) {
    return duplicates.stored(update) != null || duplicates.refusal(update) != null;
  }

  /**
   * Applies an update whose place was given after it had been proposed. Checks for duplicates again, because another
   * replica may have executed the same request with an earlier update.
   *
   * @param own the proposal, when it is this replica's own; or null
   * @return false when the update is void
   */
  public boolean deliver(long now, StateUpdate update, Execution own, Effects out) {
    StoredReply stored = duplicates.stored(update);
    Failure refusal =
        stored == null ? duplicates.refusal(update) : duplicates.otherBody(stored.digest(), update.digest());
    if (stored == null && refusal == null) {
      if (own == null) {
        apply(update, out);
        sessions.decidedElsewhere(now, update);
      } else {
        commit(own, update, out);
        answer(now, own, update, out);
      }
      return true;
    }
    if (own != null && refusal != null) {
      refuse(own, refusal, out);
    } else if (own != null) {
      rollback(own, out);
      executions.remove(own);
      if (own.isAwaited() && setup.enforces(Rule.DUPLICATES_GET_STORED_ANSWER)) {
        replay(own.token(), stored, out);
      } else if (own.isAwaited()) {
        answers.whenStable(update.index(), own.token(), Reply.Status.EXECUTED, update.outcome(), out);
      }
      own.waiting().forEach(token -> replay(token, stored, out));
    }
    return false;
  }

  /** Rolls an execution back that must wait or was refused, so that it holds no locks. {@link #resume} runs its method again. */
  public void suspend(Execution execution, Effects out) {
    rollback(execution, out);
    execution.suspend();
  }

  /**
   * Runs the method of a suspended execution again. If another replica has executed the same request meanwhile, answers it instead.
   *
   * @return whether it runs
   */
  public boolean resume(Execution execution, Effects out) {
    StoredReply stored = duplicates.stored(execution.request());
    if (stored != null) {
      end(execution, stored, out);
      return false;
    }
    runAgain(execution, out);
    return true;
  }

  private void runAgain(Execution execution, Effects out) {
    execution.began(state.applied());
    out.execute(execution.token(), execution.request().kind());
  }

  private void end(Execution repetition, StoredReply stored, Effects out) {
    Failure otherBody = duplicates.otherBody(stored.digest(), repetition.request().digest());
    if (otherBody != null) {
      fail(repetition, otherBody, out);
      return;
    }
    executions.remove(repetition);
    if (repetition.isAwaited()) {
      replay(repetition.token(), stored, out);
    }
    repetition.waiting().forEach(token -> replay(token, stored, out));
  }

  /**
   * Rolls back the run of a proposal that may have a place in the order, so that it holds no locks. Its callers wait on. If it gets its
   * place, its changes are applied like those of another replica.
   */
  public void withdraw(Execution execution, Effects out) {
    if (execution.isRun() && execution.outcome() instanceof Response) {
      rollback(execution, out);
      execution.withdraw();
    }
  }

  /** Fails the updates whose method has not returned. What it leaves is rolled back. */
  public void failUnproposed(Failure failure, Effects out) {
    executions.unproposed().forEach(execution -> fail(execution, failure, out));
  }

  /** Called when the order has rejected a proposal for good, or will never decide: rolls it back. */
  public void refuse(Execution execution, Failure failure, Effects out) {
    rollback(execution, out);
    fail(execution, failure, out);
  }

  private static void rollback(Execution execution, Effects out) {
    if (execution.isRun() && !execution.isWithdrawn() && execution.outcome() instanceof Response) {
      out.rollback(execution.token());
    }
  }

  // ------------------------------------------------------------------------------------------------ time

  /** Ends expired sessions and identities. Decided once, by the one replica that has this duty. */
  public void expire(long now, Effects out) {
    sessions.expire(now, out);
    if (capacity.isEvictionDue(now)) {
      Request eviction = Request.internalUpdate();
      agreement.append(now, Execution.decision(Execution.NOBODY, eviction, agreement.epoch(), Response.EMPTY), out);
    }
  }
}
