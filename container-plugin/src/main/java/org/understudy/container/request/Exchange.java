package org.understudy.container.request;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.container.caller.Caller;
import org.understudy.container.caller.ConcurrencyLimiter;
import org.understudy.container.caller.RequestTarget;
import org.understudy.container.forwarding.http.Forwarding;
import org.understudy.container.operation.Operation;
import org.understudy.container.response.Answers;
import org.understudy.container.response.Disposition;
import org.understudy.container.response.ResponseContent;
import org.understudy.container.response.UnsentResponse;
import org.understudy.container.soap.RequestEnvelope;
import org.understudy.container.transaction.TransactionCall;
import org.understudy.replication.api.Certainty;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Reply;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.runtime.Call;
import org.understudy.replication.runtime.Replica;
import org.understudy.replication.runtime.peer.AnswerWait;
import org.understudy.replication.runtime.share.Reservation;
import org.understudy.soap.mime.RequestMessage;
import org.understudy.wsrf.operation.Endpoint;
import org.understudy.wsrf.resource.TimedBranch;

/**
 * One HTTP exchange and its owner. Either a container thread owns it, or it is parked (asynchronous, without a thread)
 * until the replica delivers the response or the permission to execute. The thread that wins the transition continues.
 * Both variants of replication share it: before CXF ({@link FilterExchange}) and behind CXF's interceptors
 * ({@link InvokerExchange}).
 *
 * <p>More than 400 lines because the transitions between its owners are one state machine: each depends on the others.
 */
public abstract class Exchange implements Call {
  /** The request attribute that holds a parked exchange. */
  static final String ATTRIBUTE = Exchange.class.getName();

  private static final Logger LOG = LoggerFactory.getLogger(Exchange.class);

  private static final String NOT_CONTINUED_LINE = "The container did not continue a request. What its execution holds is released.";
  private static final Failure NOT_CONTINUED =
      new Failure(
          FailureCode.NotReady,
          "The server stops this web application and does not continue the request. Nothing was executed. Retry at another replica.");
  private static final Failure NOT_SENT =
      new Failure(
          FailureCode.OutcomeUnknown,
          "The server stops this web application and does not send the result. Another replica may have it. " + Failure.RETRY_WITH_ID);

  final HttpServletRequest request;
  final HttpServletResponse response;
  final RequestMessage message;
  final Endpoint endpoint;
  final Caller caller;
  final Replica replica;
  final Answers answers;
  /** Both may be replaced until the request is submitted to the replica. */
  RequestEnvelope envelope;
  Operation operation;
  /** Null outside of transactions. */
  final TransactionalRequest transaction;
  private final ReplicatedService service;
  private final ConcurrencyLimiter limiter;
  private final Forwarding forwarding;
  private final long arrived = System.nanoTime();
  private final Reservation reservation;
  /** Guards the objects of the container against threads that are not the container's. */
  private final ClientConnection connection = new ClientConnection();
  /** Whether a thread writes the response, or has written it. */
  private final AtomicBoolean written = new AtomicBoolean();
  private final AtomicReference<Turn> turn = new AtomicReference<>(Turn.RUNNING);
  private final OutcomeWait outcomeWait;
  // Accessed only by the thread that owns the exchange.
  private AsyncContext async;
  private boolean asynchronous;
  /** The wait of an execution that has begun and has no thread; null for none. */
  private volatile Suspension suspension;
  private volatile long token;
  private volatile Object outcome;
  /** Replaces the replica's failure for an execution that has not begun; null for none. */
  private volatile Failure refusal;
  /** The execution inside a transaction; null for none. */
  private volatile TransactionCall call;
  /** The time at which the service returned, for Server-Timing. */
  private volatile long executedAt;
  /** Written before {@link #executedAt}: when the last run got the lock, and the part of its update in a database or null. */
  private long lockedAt;
  private TimedBranch branch;
  private volatile long stableNanos;
  /** Written before the request is submitted. */
  private long balancedNanos;
  /** Written before {@link #turn}, by the replica: when the first and the last run of the service were permitted, and how many. */
  private long firstGrantAt;
  private long grantedAt;
  private int executions;

  Exchange(IncomingRequest incoming, Replica replica, ConcurrencyLimiter limiter, Forwarding forwarding) {
    this(incoming, replica, limiter, forwarding, new OutcomeWait(incoming.service().outcomes()));
  }

  /** @param outcomeWait of this exchange alone */
  Exchange(
      IncomingRequest incoming, Replica replica, ConcurrencyLimiter limiter, Forwarding forwarding, OutcomeWait outcomeWait) {
    this.request = incoming.request();
    this.response = incoming.response();
    this.caller = incoming.caller();
    this.message = incoming.message();
    this.envelope = incoming.envelope();
    this.endpoint = incoming.endpoint();
    this.operation = incoming.operation();
    this.replica = replica;
    this.service = incoming.service();
    this.answers = service.answers();
    this.limiter = limiter;
    this.forwarding = forwarding;
    this.reservation = incoming.reservation();
    this.transaction = incoming.transaction();
    this.outcomeWait = outcomeWait;
  }

  /** What the request holds until its client is answered. */
  Reservation reservation() {
    return reservation;
  }

  /** Sets how long the decision about load took, for Server-Timing. Call it before the request is submitted. */
  void balanced(long nanos) {
    balancedNanos = nanos;
  }

  ReplicatedService service() {
    return service;
  }

  /** Sets the execution inside a transaction, before it begins. */
  void executes(TransactionCall one) {
    call = one;
  }

  /** Sets the failure that the client receives. Call it before the execution is abandoned. */
  void refuse(Failure why) {
    refusal = why;
  }

  /**
   * Responds with StillPending while the service executes. The response closes the connection, which could serve no other
   * request before the execution ends. Blocks on the client: not for threads of the replica.
   */
  void answerPending(Failure pending) {
    connection.beginWrite();
    try {
      boolean answered = turn.get() == Turn.ANSWERED;
      if (!answered && !becomeOverdue() || !written.compareAndSet(false, true)) {
        return;
      }
      // The replica may have responded while the method runs, for example because it lost its role.
      Object sent = answered && !isSentByContainer(outcome) ? outcome : pending;
      TransactionCall executing = call;
      if (executing != null && sent instanceof Failure failure) {
        executing.unanswered(failure);
      }
      if (connection.isClosed()) {
        limiter.done(reservation);
      } else {
        response.setHeader("Connection", "close");
        send(sent, response);
      }
    } finally {
      connection.endWrite();
    }
  }

  private boolean becomeOverdue() {
    return turn.compareAndSet(Turn.RUNNING, Turn.OVERDUE)
        || turn.compareAndSet(Turn.SUSPENDED, Turn.OVERDUE)
        || turn.compareAndSet(Turn.RESUMED, Turn.OVERDUE);
  }

  /** Waits until {@link #answerPending} has written. */
  private void awaitOverdue() {
    connection.awaitWritten();
    LOG.debug("The client of an execution that took too long has received its response.");
  }

  /** Notes that the execution holds the lock of its resource, for Server-Timing. */
  void lockedNow() {
    lockedAt = System.nanoTime();
  }

  /** Called by the container's thread before it reports an update, for whose outcome it will wait. */
  void awaitsOutcome() {
    outcomeWait.begin(this::beginAnswerWait);
  }

  AnswerWait beginAnswerWait() {
    return replica.beginAnswerWait();
  }

  /**
   * Notes that the service has returned, for Server-Timing.
   *
   * @param part of the update that a database holds; null for none
   */
  void executedNow(TimedBranch part) {
    branch = part;
    executedAt = System.nanoTime();
  }

  // ---- calls of the replica, by any thread

  @Override
  public void execute(long granted, Request.Kind kind) {
    token = granted;
    grantedAt = System.nanoTime();
    firstGrantAt = executions == 0 ? grantedAt : firstGrantAt;
    executions++;
    while (true) {
      switch (turn.get()) {
        case RUNNING -> {
          if (turn.compareAndSet(Turn.RUNNING, Turn.GRANTED)) {
            outcomeWait.end();
            return;
          }
        }
        case PARKED -> {
          if (turn.compareAndSet(Turn.PARKED, Turn.GRANTED)) {
            dispatchGrant();
            return;
          }
        }
        default -> {
          replica.abandoned(granted);
          return;
        }
      }
    }
  }

  @Override
  public void reply(Reply reply) {
    if (executedAt != 0) {
      stableNanos = System.nanoTime() - executedAt;
    }
    answer(reply);
  }

  @Override
  public void fail(Failure failure) {
    TransactionCall executed = call;
    if (executed != null) {
      executed.unanswered(failure);
    }
    answer(refusal == null ? failure : refusal);
  }

  private void answer(Object result) {
    outcome = result;
    Turn before = turn.getAndUpdate(now -> now == Turn.OVERDUE ? now : Turn.ANSWERED);
    outcomeWait.end();
    if (before == Turn.GRANTED) {
      replica.abandoned(token);
    }
    if (before != Turn.PARKED && before != Turn.SUSPENDED) {
      return;
    }
    connection.use(() -> answerParked(result), this::endUnanswered);
  }

  /** @return false when no thread of the container will send it */
  private boolean answerParked(Object result) {
    if (isRetried(result)) {
      retry((Failure) result);
      return true;
    }
    if (isSentByContainer(result)) {
      return dispatch(result instanceof Failure failure ? failure : NOT_SENT);
    }
    write(result, new UnsentResponse(response));
    Answers.complete(async);
    return true;
  }

  private void dispatchGrant() {
    dispatchExecution(() -> replica.abandoned(token));
  }

  /**
   * Has a container thread begin or continue the execution.
   *
   * @param ended runs when the exchange has ended instead
   */
  private void dispatchExecution(Runnable ended) {
    connection.use(() -> dispatch(NOT_CONTINUED), () -> {
      endUnanswered();
      turn.set(Turn.ANSWERED);
      ended.run();
    });
  }

  /**
   * Dispatches the exchange, while {@link #connection} permits its use. Where no container thread will continue it, it ends: its
   * connection broke, or the container stops the web application and dispatches nothing more.
   *
   * @param refusal the failure that the client receives from a container that stops
   * @return false when the exchange has ended
   */
  private boolean dispatch(Failure refusal) {
    try {
      RequestTarget.dispatch(request, async);
      return true;
    } catch (IllegalStateException e) {
      LOG.debug("The client has closed its connection.", e);
    } catch (UnsupportedOperationException e) {
      LOG.debug("The web application is stopping.", e);
      end(refusal);
    } catch (RuntimeException e) {
      // The request may have ended, and its objects be in use for another one: nothing is written to them.
      LOG.error(NOT_CONTINUED_LINE, e);
    } catch (OutOfMemoryError e) {
      // If the container needs another thread and the system permits none.
      LOG.error(NOT_CONTINUED_LINE, e);
      endIfPossible(refusal);
    }
    return false;
  }

  /** The container may not permit an answer any more. */
  private void endIfPossible(Failure refusal) {
    try {
      end(refusal);
    } catch (RuntimeException | OutOfMemoryError e) {
      LOG.debug("The client of a request that the container did not continue gets no answer.", e);
    }
  }

  /** Ends the exchange of a client that cannot be answered. Has no effect on one that has been answered. */
  private void endUnanswered() {
    if (written.compareAndSet(false, true)) {
      limiter.done(reservation);
    }
  }

  /** Ends the exchange without a container thread. Has no effect on a response that was sent or is being sent. */
  private void end(Failure failure) {
    if (!written.compareAndSet(false, true)) {
      return;
    }
    HttpServletResponse unsent = new UnsentResponse(response);
    if (isSentByContainer(failure)) {
      limiter.done(reservation);
      try {
        Disposition.write(unsent, failure.code());
        Answers.reason(unsent, HttpServletResponse.SC_SERVICE_UNAVAILABLE, failure.sentence());
      } catch (IOException | IllegalStateException e) {
        LOG.debug("The client closed its connection before the response was sent.", e);
      }
    } else {
      send((Object) failure, unsent);
    }
    Answers.complete(async);
  }

  // ---- an execution that waits without a thread

  /** Records that the execution waits. The calling container thread leaves next. */
  void suspend(Suspension wait) {
    suspension = wait;
  }

  /** Continues the execution after its wait, once the container thread has left. Called by any thread. */
  void resumeExecution(Suspension over) {
    if (turn.compareAndSet(Turn.SUSPENDED, Turn.RESUMED)) {
      dispatchExecution(over::drop);
    } else if (turn.get() == Turn.OVERDUE) {
      connection.use(this::dispatchOverdue, over::drop);
    } else {
      over.drop();
    }
  }

  /** Dispatches an exchange whose client has been answered, while {@link #connection} permits its use. */
  private boolean dispatchOverdue() {
    try {
      RequestTarget.dispatch(request, async);
      return true;
    } catch (IllegalStateException | UnsupportedOperationException e) {
      LOG.debug("The client has closed its connection, or the web application is stopping.", e);
      return false;
    } catch (OutOfMemoryError e) {
      LOG.error("The container did not continue a request that is answered. What its execution holds is released.", e);
      return false;
    }
  }

  /** Ends the exchange of a dropped execution, unless a thread is about to do so. */
  void release() {
    if (turn.compareAndSet(Turn.SUSPENDED, Turn.ANSWERED)) {
      connection.use(
          () -> {
            end(NOT_CONTINUED);
            return true;
          },
          this::endUnanswered);
    } else if (turn.get() == Turn.OVERDUE && async != null) {
      connection.use(
          () -> {
            Answers.complete(async);
            return true;
          },
          () -> {});
    }
  }

  /** Takes the suspension with which a dispatched exchange continues; null when its execution does not wait. */
  private Suspension takeSuspension() {
    Suspension over = suspension;
    if (over == null || !over.isOver()) {
      return null;
    }
    suspension = null;
    turn.compareAndSet(Turn.RESUMED, Turn.RUNNING);
    if (over.take()) {
      return over;
    }
    // It is dropped already: the outcome came before the end of the wait and dispatched the exchange, or the endpoint is closed.
    if (turn.compareAndSet(Turn.RUNNING, Turn.ANSWERED)) {
      refusal = NOT_CONTINUED;
      outcome = NOT_CONTINUED;
    }
    return null;
  }

  // ---- the container's thread

  /** Processes the request, which has just arrived or has been dispatched again. */
  abstract void proceed(FilterChain chain) throws IOException, ServletException;

  /** Runs the service if the replica permits it, and then leaves the exchange. */
  final void run(FilterChain chain) {
    boolean left = false;
    try {
      Suspension over = takeSuspension();
      boolean executed = over != null;
      if (executed) {
        service.execution().resume(over, chain);
      }
      do {
        long granted = takeGrant();
        if (granted != 0) {
          service.execution().run(this, granted, chain);
          executed = true;
        }
      } while (!leave(executed));
      left = true;
    } finally {
      outcomeWait.leave();
      if (!left) {
        giveUp();
      }
    }
  }

  /**
   * Gives back what the exchange holds, because the container or CXF answers, for example after an error or at a stopped endpoint.
   * Without effect for an exchange that has answered.
   */
  final void giveUp() {
    if (turn.getAndSet(Turn.ANSWERED) == Turn.GRANTED) {
      replica.abandoned(token);
    }
    Suspension wait = suspension;
    if (wait != null) {
      // The thread has not left it in the usual way. Without this, nobody would release the resource when the wait ends.
      wait.park();
      if (wait.isOver()) {
        wait.drop();
      }
    }
    endUnanswered();
  }

  /** Marks a parked exchange as dispatched again, to the calling thread. */
  void resumed() {
    asynchronous = false;
  }

  /** Takes the permission to run the service method. Returns its token, or 0 when there is none. */
  private long takeGrant() {
    return turn.compareAndSet(Turn.GRANTED, Turn.RUNNING) ? token : 0;
  }

  /**
   * Ends the thread's ownership: writes the response if it is known or arrives soon, else parks. A second permission after a rollback
   * goes to another thread, because a thread passes the filter chain only once.
   *
   * @param executed whether this thread has executed the request
   * @return false when this thread must take a permission instead
   */
  private boolean leave(boolean executed) {
    if (executed && suspension == null) {
      outcomeWait.await(() -> turn.get() != Turn.RUNNING);
    }
    // Before the response is written: a slow client would keep others from waiting.
    outcomeWait.leave();
    while (true) {
      switch (turn.get()) {
        case ANSWERED -> {
          if (isRetried(outcome)) {
            beginAsynchronous();
            retry((Failure) outcome);
          } else {
            write(outcome, response);
            complete();
          }
          parkSuspension(suspension);
          return true;
        }
        case OVERDUE -> {
          awaitOverdue();
          if (suspension == null) {
            complete();
          } else {
            beginAsynchronous();
          }
          parkSuspension(suspension);
          return true;
        }
        case GRANTED -> {
          if (executed) {
            beginAsynchronous();
            dispatchGrant();
          }
          return executed;
        }
        default -> {
          Suspension wait = suspension;
          beginAsynchronous();
          if (turn.compareAndSet(Turn.RUNNING, wait == null ? Turn.PARKED : Turn.SUSPENDED)) {
            parkSuspension(wait);
            return true;
          }
        }
      }
    }
  }

  private static void parkSuspension(Suspension wait) {
    if (wait != null) {
      wait.park();
    }
  }

  private void complete() {
    if (asynchronous) {
      Answers.complete(async);
    }
  }

  private void beginAsynchronous() {
    if (!asynchronous) {
      request.setAttribute(ATTRIBUTE, this);
      async = request.startAsync(request, response);
      async.setTimeout(0);
      connection.watch(async);
      asynchronous = true;
    }
  }

  /** Whether the request is retried instead of refused, because its client does not use the stub. */
  private boolean isRetried(Object result) {
    try {
      return result instanceof Failure failure
          && refusal == null
          && forwarding.retries(request, envelope, operation, failure, waitingSince())
          && written.compareAndSet(false, true);
    } catch (IllegalStateException e) {
      LOG.debug("The client has closed its connection.", e);
      return false;
    }
  }

  /** When the request arrived, later by the time since its execution was permitted: a deadline does not include the execution. */
  private long waitingSince() {
    return executions == 0 ? arrived : System.nanoTime() - (firstGrantAt - arrived);
  }

  /** Passes the asynchronous exchange to the forwarding. */
  private void retry(Failure refusal) {
    boolean mayHaveRun = refusal.code().certainty() != Certainty.NOT_EXECUTED;
    try {
      forwarding.forward(
          async, request, response, answers, caller, message, envelope, operation,
          RequestMapper.requestClass(envelope, operation.read()), mayHaveRun, waitingSince(), reservation);
      limiter.passOn();
    } catch (IllegalStateException e) {
      LOG.debug("The client closed its connection before the response was sent.", e);
      limiter.done(reservation);
    }
  }

  private void write(Object result, HttpServletResponse to) {
    if (written.compareAndSet(false, true)) {
      send(result, to);
    } else {
      awaitOverdue();
    }
  }

  /**
   * The parts of the response's time: the decision about load, until the service ran, its last run and the wait for the lock within, and
   * from its end until the update was stable and the commit of a database within.
   */
  private String timing() {
    return "stable;dur=" + stableNanos / 1e6 + ", consistency;dur=" + (firstGrantAt - arrived) / 1e6
        + ", service;dur=" + (executedAt - grantedAt) / 1e6 + ", balancing;dur=" + balancedNanos / 1e6
        + ", executions;desc=\"" + executions + "\", lock;dur=" + (lockedAt - grantedAt) / 1e6
        + ", commit;dur=" + (branch == null ? 0 : branch.commitNanos()) / 1e6;
  }

  private void send(Object result, HttpServletResponse to) {
    limiter.done(reservation);
    try {
      if (result instanceof Reply reply) {
        if (stableNanos != 0 && answers.timingHeader()) {
          to.setHeader("Server-Timing", timing());
        }
        send(reply, to);
      } else {
        send((Failure) result, to);
      }
    } catch (IOException | IllegalStateException e) {
      LOG.debug("The client closed its connection before the response was sent.", e);
    }
  }

  /** Whether only a container thread may write this outcome. Any other thread leaves it in the container's buffer. */
  abstract boolean isSentByContainer(Object result);

  /**
   * Sends the reply. Called by any thread, if {@link #isSentByContainer} permits.
   *
   * @param to an {@link UnsentResponse} unless the thread may block on the client
   */
  abstract void send(Reply reply, HttpServletResponse to) throws IOException;

  /**
   * Sends the fault of a request without a result. Called by any thread, if {@link #isSentByContainer} permits.
   *
   * @param to an {@link UnsentResponse} unless the thread may block on the client
   */
  void send(Failure failure, HttpServletResponse to) throws IOException {
    answers.send(to, envelope, operation, failure, content());
  }

  /** Ends a request that was not submitted to the replica. */
  void rejected() {
    limiter.done(reservation);
  }

  /** Whether the container's thread has left the exchange to another one, or the exchange has ended. */
  boolean isAsynchronous() {
    return asynchronous;
  }

  ResponseContent content() {
    return ResponseContent.of(request, envelope, operation.oneWay());
  }
}
