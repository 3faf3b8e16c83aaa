package org.understudy.replication.core.session;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.api.ReadLevel;
import org.understudy.replication.api.SessionId;
import org.understudy.replication.api.VersionHandle;
import org.understudy.replication.core.Effects;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Outcome;
import org.understudy.replication.core.request.Reply;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.request.RequestKey;
import org.understudy.replication.core.request.Response;
import org.understudy.replication.core.update.StateUpdate;

/**
 * Clients' sessions: opened, closed and expired by updates in the order, so that every replica knows the same ones. One
 * replica at a time decides which expire.
 */
public final class Sessions {
  static final Failure EXPIRED =
      new Failure(FailureCode.SessionExpired, "The session is unknown or has expired; open another one.");

  private static final Failure OPENED_BY_ANOTHER =
      new Failure(FailureCode.BadRequest, "The nonce belongs to another caller's session. Open a session with a new nonce.");

  private static final long CLOSED_FOR_SILENCE = Request.internalUpdate().ownerId();

  private final ReplicaSetup setup;
  private final Agreement agreement;
  private final GroupState state;
  private final CapacityLimits capacity;
  private final Executions executions;
  private final PendingAnswers answers;
  private final SessionLeases leases;
  private final ActiveSessions active;
  private final List<Waiting> waiting = new ArrayList<>();

  Sessions(
      ReplicaSetup setup,
      Agreement agreement,
      GroupState state,
      CapacityLimits capacity,
      Executions executions,
      PendingAnswers answers) {
    this.setup = setup;
    this.agreement = agreement;
    this.state = state;
    this.capacity = capacity;
    this.executions = executions;
    this.answers = answers;
    long lease = setup.limits().sessionLeaseNanos();
    this.leases = new SessionLeases(lease, setup.enforces(Rule.OUTAGES_KEEP_SESSIONS));
    boolean inTime = setup.enforces(Rule.ACTIVITY_IS_REPORTED_IN_TIME);
    this.active = new ActiveSessions(inTime ? SessionLeases.reportInterval(lease) : lease / 10, inTime);
  }

  /** Requests that wait and are no executions yet. */
  @FunctionalInterface
  public interface Waiting {
    /** Calls with each of them. */
    void forEach(Consumer<Request> use);
  }

  /** Lets these requests keep their sessions, as executions do. */
  public void keepFor(Waiting some) {
    waiting.add(some);
  }

  /** Open sessions. */
  public int size() {
    return state.replies().sessions();
  }

  // ------------------------------------------------------------------------------------------------ requests

  /** Whether the request needs no session or belongs to an open session of its caller. */
  boolean isOpen(Request request) {
    return !(request.key() instanceof RequestKey.OfSession of)
        || request.principal().equals(state.replies().principal(of.session()))
        || !setup.enforces(Rule.REFUSE_UNKNOWN_SESSION);
  }

  /** SessionExpired ends the session for its client, so it is answered like a read and never by a deposed primary. */
  boolean isKnown(long now, long token, Request request, Effects out) {
    if (isOpen(request)) {
      return true;
    }
    answerLinearizable(now, token, EXPIRED, agreement.end(), out);
    return false;
  }

  void open(long now, long token, Request request, Effects out) {
    RequestKey.OfNonce nonce = (RequestKey.OfNonce) request.key();
    SessionId id = state.replies().opened(nonce);
    if (id != null) {
      if (isOf(request.principal(), id)) {
        leases.open(now, id);
        answers.whenStable(agreement.end(), token, Reply.Status.EXECUTED, response(id), out);
      } else {
        out.fail(token, OPENED_BY_ANOTHER);
      }
      return;
    }
    Failure refusal = capacity.refusalOfSession(request);
    if (refusal != null) {
      out.fail(token, refusal);
    } else {
      append(now, token, request, null, out);
    }
  }

  void renew(long now, long token, Request request, Effects out) {
    if (isKnown(now, token, request, out)) {
      isAlive(now, ((RequestKey.OfSession) request.key()).session());
      // Answered like a read, because a deposed primary would renew sessions that others have ended.
      answerLinearizable(now, token, Response.EMPTY, agreement.stable(), out);
    }
  }

  void close(long now, long token, Request request, Effects out) {
    SessionId id = ((RequestKey.OfSession) request.key()).session();
    if (isOf(request.principal(), id)) {
      append(now, token, request, Response.EMPTY, out);
    } else {
      // The session is closed as far as this replica knows. A deposed primary does not know sessions that others opened.
      answerLinearizable(now, token, Response.EMPTY, agreement.end(), out);
    }
  }

  private void append(long now, long token, Request request, Outcome outcome, Effects out) {
    Execution decision = Execution.decision(token, request, agreement.epoch(), outcome);
    if (token != Execution.NOBODY) {
      executions.add(decision);
    }
    agreement.append(now, decision, out);
  }

  private void answerLinearizable(long now, long token, Outcome outcome, long index, Effects out) {
    long confirmation = agreement.confirmation(now, ReadLevel.LINEARIZABLE, out);
    answers.read(now, new PendingRead(token, outcome, ReadLevel.LINEARIZABLE, index, now, confirmation), out);
  }

  // ------------------------------------------------------------------------------------------------ the order

  /** The outcome of an update at its place in the order: for the opening of a session, the session's id. */
  Outcome outcome(Request.Kind kind, RequestKey key, Outcome outcome, long epoch, long index) {
    if (kind != Request.Kind.OPEN_SESSION) {
      return outcome;
    }
    boolean fresh = setup.enforces(Rule.SESSION_ID_OF_ITS_UPDATE);
    return response(((RequestKey.OfNonce) key).sessionOf(fresh ? epoch : 0, fresh ? index : 0));
  }

  private static Response response(SessionId id) {
    return new Response((byte) 0, id.toBytes());
  }

  /** For an update that would open a session: the outcome of an earlier one with the same nonce, or null. */
  StoredReply opened(StateUpdate update) {
    SessionId id = idOf(update);
    return id == null || !isOf(update.principal(), id) ? null : new StoredReply(update.digest(), state.applied(), response(id));
  }

  /** Why an update may not open a session although its caller has opened none with this nonce, or null. */
  Failure refusal(StateUpdate update) {
    SessionId id = idOf(update);
    return id == null || isOf(update.principal(), id) ? null : OPENED_BY_ANOTHER;
  }

  private SessionId idOf(StateUpdate update) {
    return update.key() instanceof RequestKey.OfNonce nonce ? state.replies().opened(nonce) : null;
  }

  private boolean isOf(String principal, SessionId id) {
    return principal.equals(state.replies().principal(id));
  }

  /** Called when the update is applied: the session that it opened is active, the one that it closed is not. */
  void decided(long now, StateUpdate update) {
    if (update.kind() == Request.Kind.OPEN_SESSION && update.outcome() instanceof Response response) {
      leases.open(now, SessionId.ofBytes(response.body()));
    } else if (update.kind() == Request.Kind.CLOSE_SESSION) {
      leases.end(((RequestKey.OfSession) update.key()).session());
    }
  }

  /** The same for an update that another replica admitted: its session is active. */
  void decidedElsewhere(long now, StateUpdate update) {
    decided(now, update);
    if (update.kind() == Request.Kind.UPDATE && update.key() instanceof RequestKey.OfSession of) {
      leases.renew(now, of.session());
    }
  }

  // ------------------------------------------------------------------------------------------------ time

  /** Called when this replica begins to decide when sessions end. */
  void begin(long now) {
    leases.begin(now, state.replies().sessionIds());
  }

  /** Records that the request's session, if any, updates here. */
  void hasUpdated(long now, Request request) {
    if (request.key() instanceof RequestKey.OfSession of) {
      isAlive(now, of.session());
    }
  }

  /** Records that the request's session, if any, reads here. */
  void hasRead(long now, Request request) {
    if (request.key() instanceof RequestKey.OfSession of && setup.enforces(Rule.READS_KEEP_SESSIONS)) {
      isAlive(now, of.session());
    }
  }

  /** The sessions of what runs here, waits for its place, or waits until it can be served. */
  private Set<SessionId> inProgress() {
    Set<SessionId> sessions = executions.sessions();
    for (Waiting some : waiting) {
      some.forEach(
          request -> {
            // Whether the session is the caller's is checked when a request is admitted.
            if (request.key() instanceof RequestKey.OfSession of && isOpen(request)) {
              sessions.add(of.session());
            }
          });
    }
    return sessions;
  }

  private void isAlive(long now, SessionId session) {
    if (agreement.endsSessions()) {
      leases.renew(now, session);
    } else {
      active.add(session);
    }
  }

  /** Records that these sessions are active at another replica. */
  public void activeElsewhere(long now, List<SessionId> some) {
    for (SessionId session : some) {
      if (state.replies().knows(session)) {
        leases.renew(now, session);
      }
    }
  }

  /** Removes and returns the sessions that must now be reported to the replica that decides; mostly none. */
  public List<SessionId> takeActive(long now) {
    if (active.isIntervalOver(now) && setup.enforces(Rule.RUNS_KEEP_SESSIONS)) {
      inProgress().forEach(active::add);
    }
    return active.take(now);
  }

  /** Drops pending reports, because another replica decides, or none yet. */
  public void forgetActive() {
    active.clear();
  }

  /**
   * Returns the proposal, or in its place one without effect: if it ends a session that was silent, and the session has been heard while
   * the proposal waited for its place. At the replica that decides.
   */
  public StateUpdate unlessHeard(StateUpdate proposal) {
    boolean ends =
        proposal.kind() == Request.Kind.CLOSE_SESSION
            && proposal.owner() == CLOSED_FOR_SILENCE
            && proposal.key() instanceof RequestKey.OfSession of
            && leases.isRunning(of.session());
    return ends ? StateUpdate.ofNothing().from(proposal.origin()) : proposal;
  }

  /** Expires sessions once, in the order: no other replica expires a session by its own clock. */
  void expire(long now, Effects out) {
    if (!leases.isDue(now)) {
      return;
    }
    List<SessionId> expired = leases.expire(now);
    Set<SessionId> running = expired.isEmpty() || !setup.enforces(Rule.RUNS_KEEP_SESSIONS) ? Set.of() : inProgress();
    for (SessionId id : expired) {
      if (running.contains(id)) {
        leases.renew(now, id);
      } else if (state.replies().knows(id)) {
        RequestKey key = new RequestKey.OfSession(id, 0);
        String principal = state.replies().principal(id);
        Request close =
            new Request(
                key, 0, Request.Kind.CLOSE_SESSION, null, VersionHandle.INITIAL, 0, principal, Request.INTERNAL);
        append(now, Execution.NOBODY, close, Response.EMPTY, out);
      }
    }
  }
}
