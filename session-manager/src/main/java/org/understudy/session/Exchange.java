package org.understudy.session;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.catalina.Valve;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.api.VersionHandle;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Outcome;
import org.understudy.replication.core.request.Reply;
import org.understudy.replication.core.update.StateChange;
import org.understudy.replication.runtime.Replica;
import org.understudy.replication.runtime.share.ClientAddress;
import org.understudy.replication.runtime.share.Reservation;
import org.understudy.session.http.BufferedResponse;
import org.understudy.session.http.HandleCookie;
import org.understudy.session.http.StoredAnswer;
import org.understudy.session.record.AttributeException;

/**
 * One HTTP request: identified, executed within a permitted execution, and answered when its update is stable. A request that names a
 * session asks for the permission before the web application runs, because it may be a duplicate. Any other one asks when the web
 * application creates a session. Belongs to Tomcat's thread, which waits for the replica.
 *
 * <p>More than 400 lines because the ends of a run are one state machine: an answer, a stored answer, a failure, or another run.
 */
final class Exchange implements Run {
  private static final Set<String> SAFE = Set.of("GET", "HEAD", "OPTIONS", "TRACE");

  private static final long MAX_DUPLICATE_WAIT_NANOS = TimeUnit.SECONDS.toNanos(60);
  /** Runs of an asynchronous request, which never takes a turn in the group's order. */
  private static final int MAX_ASYNCHRONOUS_RUNS = 4;
  /** Runs that are undone because another request at this replica has a session that this one needs. */
  private static final int MAX_OUTDATED_RUNS = 10;

  private final ReplicatedSessionManager manager;
  private final Replica replica;
  private final Request request;
  private final Response response;
  private final Valve next;
  private final String requestedSession;
  /** Who pays for what the request stores: the client by its address. */
  private final String client;
  private byte[] body;
  /** Whether a repeated request gets the answer of the first. */
  private boolean identified = true;
  private HandleCookie.Seen seen;
  private Submission submission;
  /** The permitted execution; null for none. */
  private SessionTransaction transaction;
  /** Why a session that the web application asked for cannot be used. */
  private Failure refusal;
  private BufferedResponse answer;
  private WebRun run;
  /** The request has got a stored answer. */
  private boolean repeated;
  /** An update of this request is stable. */
  private boolean stored;
  /** That update has changed the session. */
  private boolean changed;
  private int asynchronousRuns = 1;
  private int outdatedRuns;

  Exchange(ReplicatedSessionManager manager, Request request, Response response, Valve next) {
    this.manager = manager;
    this.replica = manager.replica();
    this.request = request;
    this.response = response;
    this.next = next;
    this.requestedSession = request.getRequestedSessionId();
    this.client = ClientAddress.owner(request.getRemoteAddr());
  }

  void run() throws IOException, ServletException {
    Reservation reservation = new Reservation(manager.held(), client);
    RequestMemory memory = new RequestMemory(reservation);
    try {
      body = new RequestBody(request, response, manager.getMaxBody(), manager.getBodySeconds()).read(reservation);
      if (body != null) {
        seen = requestedSession == null ? null : manager.answers().seen(request, requestedSession);
        run = new WebRun(request, response, next, manager.requestListeners(), body, manager.runs()::enter);
        process();
      }
    } finally {
      memory.leave(request);
    }
  }

  /** Whether the group has stored an update of this request. */
  boolean isStored() {
    return stored;
  }

  /**
   * Runs the request again from its beginning, after a dispatch that was undone. Nothing of its answer has been sent.
   *
   * @return false when it cannot run again: it has changed the session before the dispatch, or has run too often
   */
  boolean runAgain() throws IOException, ServletException {
    if (changed || asynchronousRuns == MAX_ASYNCHRONOUS_RUNS) {
      return false;
    }
    asynchronousRuns++;
    // The group knows the request already. Duplicates get no answer, and this run has none to wait for.
    identified &= !stored;
    refusal = null;
    answer = null;
    manager.statistics().repeatedRun();
    run.resetDispatched(requestedSession);
    process();
    return true;
  }

  private void process() throws IOException, ServletException {
    Run before = manager.runs().begin(this);
    try {
      if (seen != null && seen.isMore()) {
        new CurrentRead(replica, client).run(seen.handle(), () -> {});
      }
      if (requestedSession == null || begin()) {
        runUntilAnswered();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      Answers.refuse(request, response, new Failure(FailureCode.OutcomeUnknown, "The server is being stopped. Send the request again."));
    } finally {
      manager.runs().end(before);
      abandon();
    }
    if (request.isAsync()) {
      Dispatch.expect(request, this);
    }
    if (repeated) {
      run.endRepeated();
    }
    run.beginErrorPage();
    run.notifyReadListener();
  }

  // ---- the permission

  @Override
  public boolean executes(SessionTransaction some) {
    return transaction == some;
  }

  @Override
  public boolean names(String session) {
    return session.equals(requestedSession);
  }

  @Override
  public SessionTransaction transaction() {
    if (transaction == null) {
      if (refusal == null && answer != null && answer.isUnprotected() && response.isCommitted()) {
        throw new IllegalStateException("The answer has begun. The session cannot be used for the first time.");
      }
      try {
        if (refusal != null || !begin()) {
          throw new UnavailableSessionException("The session cannot be used: " + refusal.sentence());
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new UnavailableSessionException("The server is being stopped.");
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return transaction;
  }

  @Override
  public void refuse(Failure failure) {
    refusal = failure;
  }

  @Override
  public boolean isRefused() {
    return refusal != null || isOutdated();
  }

  private boolean isOutdated() {
    return transaction != null && transaction.isOutdated();
  }

  @Override
  public BufferedResponse answer() {
    return answer;
  }

  @Override
  public void leaveRewritten() {
    run.holdError(answer, !isRefused());
  }

  /**
   * Waits for the permission to execute.
   *
   * @return false when the request has been answered, or, while the web application runs, has a {@link #refusal}
   */
  private boolean begin() throws InterruptedException, IOException {
    long begun = System.nanoTime();
    long waited = 0;
    // Once: it hashes the body.
    org.understudy.replication.core.request.Request update = update();
    while (true) {
      submission = new Submission(replica, update);
      long asked = System.nanoTime();
      Submission.Event event = submission.next();
      if (event instanceof Submission.Event.Granted granted) {
        transaction = new SessionTransaction(manager, replica, granted.token());
        return true;
      }
      // Waiting for a slow run of the same request is not waiting for the replica to become ready.
      waited = Math.min(waited + System.nanoTime() - asked, MAX_DUPLICATE_WAIT_NANOS);
      if (event instanceof Submission.Event.Answered answered) {
        if (isExecutedAnew(answered.reply())) {
          update = UpdateRequest.unidentified(seen, client);
          continue;
        }
        replay(answered.reply());
        return false;
      }
      if (seen != null && ((Submission.Event.Failed) event).failure().code() == FailureCode.BadRequest) {
        // The cookie is genuine, and of no state of the group: it is from before the group began anew without sessions.
        seen = null;
        update = update();
        continue;
      }
      // Also after another run of the same request, which changed nothing and kept no answer.
      if (!CurrentRead.isNotReady(event) || System.nanoTime() - begun - waited > CurrentRead.RETRY_NANOS) {
        refusal = ((Submission.Event.Failed) event).failure();
        if (answer == null) {
          fail(refusal);
        }
        return false;
      }
    }
  }

  private org.understudy.replication.core.request.Request update() {
    return identified
        ? manager.updateRequests().identified(request, requestedSession, seen, body, client)
        : UpdateRequest.unidentified(seen, client);
  }

  private void abandon() {
    if (transaction != null) {
      transaction.rollback();
      replica.abandoned(transaction.token());
      transaction = null;
    }
    if (submission != null) {
      submission.close();
      submission = null;
    }
  }

  // ---- runs of the web application

  private void runUntilAnswered() throws IOException, ServletException, InterruptedException {
    boolean answered = false;
    while (!answered) {
      answer = new BufferedResponse(response.getResponse(), manager.getMaxAnswer(), this::unprotecting);
      run.once(answer, () -> !isRefused());
      answered = finish();
      if (!answered) {
        manager.statistics().repeatedRun();
        run.reset(requestedSession);
      }
    }
  }

  /** The answer begins before the update is stable. */
  private void unprotecting() {
    if (transaction != null && transaction.isUsed()) {
      manager.warnUnprotected(request.getRequestURI());
    }
    String session = transaction == null ? "" : transaction.sessionId(requestedSession);
    if (!session.isEmpty()) {
      manager.answers().setUnknownHandle(request, response, session, seen);
    }
  }

  // ---- the end of a run

  /** Whether the run cannot be undone: its answer has begun, or the connection is being handed to another protocol. */
  private boolean hasBegun() {
    return answer != null && (answer.isUnprotected() || response.getStatus() == HttpServletResponse.SC_SWITCHING_PROTOCOLS);
  }

  /** Returns false when the web application runs again. */
  private boolean finish() throws IOException, InterruptedException {
    if (refusal != null) {
      fail(refusal);
      return true;
    }
    if (isOutdated()) {
      return rerun();
    }
    if (transaction == null || !transaction.isUsed()) {
      Answers.send(request, response, answer);
      return true;
    }
    List<StateChange> changes;
    Outcome outcome;
    String id = transaction.sessionId(requestedSession);
    try {
      changes = transaction.capture();
      if (changes.isEmpty() && SAFE.contains(request.getMethod())) {
        return unchanged(id);
      }
      outcome =
          new org.understudy.replication.core.request.Response(
              StoredAnswer.FORM, Answers.stored(id, response, answer).encode());
    } catch (UnavailableSessionException e) {
      return rerun();
    } catch (AttributeException e) {
      manager.attributeFailures().log(request.getMethod(), request.getRequestURI(), e);
      changes = List.of();
      outcome = new Failure(FailureCode.ExecutionFailed, e.getMessage());
    }
    replica.executed(transaction.token(), transaction.versions(), outcome, changes, transaction);
    // Set last: if reporting throws, the changes are rolled back here.
    transaction = null;
    return decided(id, !changes.isEmpty());
  }

  /** Returns false when the web application runs again, after a run that is outdated. */
  private boolean rerun() throws IOException, InterruptedException {
    if (hasBegun()) {
      fail(new Failure(FailureCode.NotReady, "A session was changed at this replica meanwhile, and the answer has begun."));
      return true;
    }
    SessionTransaction outdated = transaction;
    abandon();
    outdatedRuns++;
    String occupied = outdatedRuns == MAX_OUTDATED_RUNS ? "Other requests use a session that this one changes." : outdated.awaitOther();
    if (occupied != null) {
      fail(new Failure(FailureCode.Overloaded, occupied + " Nothing was executed. Retry later."));
      return true;
    }
    return !isRepeated();
  }

  private boolean decided(String id, boolean changing) throws IOException, InterruptedException {
    Submission.Event event = submission.next();
    if (event instanceof Submission.Event.Granted granted) {
      transaction = new SessionTransaction(manager, replica, granted.token());
      if (!hasBegun()) {
        return false;
      }
      fail(new Failure(FailureCode.NotReady, "The session was changed at another replica meanwhile, and the answer has begun."));
    } else if (event instanceof Submission.Event.Answered answered && answered.reply().status() == Reply.Status.EXECUTED) {
      stored = true;
      changed |= changing;
      manager.statistics().update();
      setHandle(id, answered.reply().handle());
      Answers.send(request, response, answer);
    } else if (event instanceof Submission.Event.Answered answered) {
      if (isExecutedAnew(answered.reply()) && !hasBegun()) {
        return !isRepeated();
      }
      replay(answered.reply());
    } else {
      fail(((Submission.Event.Failed) event).failure());
    }
    return true;
  }

  /**
   * Answers a request that has changed nothing, when all that it has read is stable and still current. Nothing is multicast.
   *
   * @return false when the web application runs again, because another replica had changed the session before the request arrived
   */
  private boolean unchanged(String id) throws IOException, InterruptedException {
    VersionHandle read = VersionHandle.ofGroup(replica.view().epoch(), transaction.newestVersion());
    boolean[] current = {true};
    Submission.Event event = new CurrentRead(replica, client).run(read, () -> current[0] &= transaction.isCurrent());
    if (!current[0] && !hasBegun()) {
      return !isRepeated();
    }
    if (event instanceof Submission.Event.Failed failed) {
      fail(failed.failure());
    } else {
      transaction.commit();
      manager.statistics().read();
      setHandle(id, read);
      Answers.send(request, response, answer);
    }
    return true;
  }

  /** Whether the web application runs again, with another permission. Otherwise the request has been answered. */
  private boolean isRepeated() throws IOException, InterruptedException {
    abandon();
    if (begin()) {
      return true;
    }
    if (refusal != null) {
      fail(refusal);
    }
    return false;
  }

  /**
   * Whether a duplicate is executed like any other request, without an identity: the first one has given the session another id, as a
   * login does, and its answer would give that id to every holder of the old one.
   */
  private boolean isExecutedAnew(Reply reply) {
    boolean anew = SAFE.contains(request.getMethod()) && duplicate(reply).isOfAnotherSession();
    identified &= !anew;
    return anew;
  }

  private Duplicate duplicate(Reply reply) {
    return new Duplicate(StoredAnswer.decode(reply.response().body()), requestedSession);
  }

  private void setHandle(String session, VersionHandle handle) {
    if (!session.isEmpty() && !answer.isUnprotected()) {
      HandleCookie.Seen before = session.equals(requestedSession) ? seen : null;
      manager.answers().setHandle(request, response, session, before, handle);
    }
  }

  private void replay(Reply reply) throws IOException, InterruptedException {
    Duplicate duplicate = duplicate(reply);
    Failure reason = duplicate.refusal(hasBegun());
    if (reason == null && duplicate.isOfNamedSession()) {
      reason = duplicate.refusalByState(replica, client, seen == null ? VersionHandle.INITIAL : seen.handle());
    }
    if (reason != null) {
      fail(reason);
      return;
    }
    repeated = true;
    manager.statistics().repeatedRequest();
    manager.answers().replay(request, response, duplicate.stored(), seen, reply.handle());
  }

  private void fail(Failure failure) throws IOException {
    manager.statistics().failure();
    Answers.fail(request, response, failure, hasBegun());
  }
}
