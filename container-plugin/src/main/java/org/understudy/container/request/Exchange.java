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
import org.understudy.container.soap.RequestEnvelope;
import org.understudy.replication.api.Certainty;
import org.understudy.replication.core.Failure;
import org.understudy.replication.core.Reply;
import org.understudy.replication.core.Request;
import org.understudy.replication.runtime.Call;
import org.understudy.replication.runtime.Replica;
import org.understudy.soap.mime.RequestMessage;
import org.understudy.wsrf.operation.Endpoint;

/**
 * One HTTP exchange and its owner. Either a container thread owns it, or it is parked (asynchronous, without a thread)
 * until the replica delivers the response or the permission to execute. The thread that wins the transition continues.
 * Both places of replication share it: before CXF ({@link FilterExchange}) and behind CXF's interceptors
 * ({@link InvokerExchange}).
 *
 * <p>More than 400 lines because the transitions between its owners are one state machine: each must be seen beside the others.
 */
public abstract class Exchange implements Call {
  /** The request attribute under which a parked exchange is found again. */
  static final String ATTRIBUTE = Exchange.class.getName();

  private static final Logger LOG = LoggerFactory.getLogger(Exchange.class);

  final HttpServletRequest request;
  final HttpServletResponse response;
  final RequestMessage message;
  final Endpoint endpoint;
  final Caller caller;
  final Replica replica;
  final Answers answers;
  /** Both may be replaced until the request is submitted to the replica. */
  RequestEnvelope envelope;
  Operations.Operation operation;
  private final ReplicatedService service;
  private final ConcurrencyLimiter load;
  private final Forwarding forwarding;
  private final long arrived = System.nanoTime();
  private final long length;
  /** A thread writes the response, or has written it. */
  private final AtomicBoolean written = new AtomicBoolean();
  private final AtomicReference<Turn> turn = new AtomicReference<>(Turn.RUNNING);
  /** Belong to whose turn it is. */
  private AsyncContext async;
  private boolean asynchronous;
  /** The wait of an execution that has begun and has no thread; null for none. */
  private volatile Suspension suspension;
  private volatile long token;
  private volatile Object outcome;
  /** Replaces the replica's failure for an execution that has not begun; null for none. */
  private volatile Failure refusal;
  /** When the service had returned, for Server-Timing. */
  private volatile long executedAt;
  private volatile long stableNanos;

  Exchange(
      HttpServletRequest request,
      HttpServletResponse response,
      Caller caller,
      RequestMessage message,
      RequestEnvelope envelope,
      Endpoint endpoint,
      Operations.Operation operation,
      Replica replica,
      ReplicatedService service,
      ConcurrencyLimiter load,
      Forwarding forwarding) {
    this.request = request;
    this.response = response;
    this.caller = caller;
    this.message = message;
    this.envelope = envelope;
    this.endpoint = endpoint;
    this.operation = operation;
    this.replica = replica;
    this.service = service;
    this.answers = service.answers();
    this.load = load;
    this.forwarding = forwarding;
    this.length = Math.max(0, request.getContentLengthLong());
  }

  ReplicatedService service() {
    return service;
  }

  /** Before the permission to execute is given back: what the client is answered. */
  void refuse(Failure why) {
    refusal = why;
  }

  /**
   * Answers as pending while the service executes. The connection is closed behind the answer, since it takes no other request
   * before the execution ends.
   */
  synchronized void overdue(Failure pending) {
    boolean known = turn.get() == Turn.ANSWERED;
    if (!known && !becomesOverdue() || !written.compareAndSet(false, true)) {
      return;
    }
    response.setHeader("Connection", "close");
    // The replica may have answered while the method runs, as when it lost its role.
    send(known && !isSentByContainer(outcome) ? outcome : pending);
  }

  private boolean becomesOverdue() {
    return turn.compareAndSet(Turn.RUNNING, Turn.OVERDUE)
        || turn.compareAndSet(Turn.SUSPENDED, Turn.OVERDUE)
        || turn.compareAndSet(Turn.RESUMED, Turn.OVERDUE);
  }

  /** Until {@link #overdue} has written. */
  private synchronized void awaitOverdue() {
    LOG.debug("The client of an execution that took too long has its answer.");
  }

  void executedNow() {
    executedAt = System.nanoTime();
  }

  // ---- what the replica says, by any thread

  @Override
  public void execute(long granted, Request.Kind what) {
    token = granted;
    while (true) {
      switch (turn.get()) {
        case RUNNING -> {
          if (turn.compareAndSet(Turn.RUNNING, Turn.GRANTED)) {
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
    answer(refusal == null ? failure : refusal);
  }

  private void answer(Object result) {
    outcome = result;
    Turn before = turn.getAndUpdate(now -> now == Turn.OVERDUE ? now : Turn.ANSWERED);
    if (before == Turn.GRANTED) {
      replica.abandoned(token);
    }
    if (before != Turn.PARKED && before != Turn.SUSPENDED) {
      return;
    }
    if (isRetried(result)) {
      retry((Failure) result);
    } else if (isSentByContainer(result)) {
      dispatch();
    } else {
      write(result);
      Answers.complete(async);
    }
  }

  private void dispatchGrant() {
    if (!dispatch()) {
      turn.set(Turn.ANSWERED);
      replica.abandoned(token);
    }
  }

  /** False when the client is gone: its connection broke, and the container has completed the exchange. */
  private boolean dispatch() {
    boolean dispatched = tryDispatch();
    if (!dispatched) {
      load.done(caller, length);
    }
    return dispatched;
  }

  private boolean tryDispatch() {
    try {
      async.dispatch();
      return true;
    } catch (IllegalStateException e) {
      LOG.debug("The client is gone.", e);
      return false;
    }
  }

  // ---- an execution that waits without a thread

  /** The execution waits from now on; the container thread that calls this is about to leave. */
  void suspend(Suspension wait) {
    suspension = wait;
  }

  /** The wait of the execution is over, and the container thread had left; by any thread. */
  void goOn(Suspension over) {
    if (turn.compareAndSet(Turn.SUSPENDED, Turn.RESUMED)) {
      if (!dispatch()) {
        turn.set(Turn.ANSWERED);
        over.drop();
      }
    } else if (turn.get() != Turn.OVERDUE || !tryDispatch()) {
      over.drop();
    }
  }

  /** Ends the exchange of an execution that never goes on; its client has its answer. */
  void release() {
    if (async != null) {
      Answers.complete(async);
    }
  }

  /** What a dispatched exchange goes on with, once; null when its execution does not wait. */
  private Suspension takeSuspension() {
    Suspension over = suspension;
    if (over == null || !over.isOver()) {
      return null;
    }
    suspension = null;
    turn.compareAndSet(Turn.RESUMED, Turn.RUNNING);
    return over;
  }

  // ---- the container's thread

  /** Goes on with the request, which has just come or has been dispatched again. */
  abstract void proceed(FilterChain chain) throws IOException, ServletException;

  /** Runs the service if that is granted, and gives up the turn. */
  final void run(FilterChain chain) {
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
  }

  /** A parked exchange has been dispatched again, to this thread. */
  void resumed() {
    asynchronous = false;
  }

  /** The permission to run the service method, once: 0 when there is none. */
  private long takeGrant() {
    return turn.compareAndSet(Turn.GRANTED, Turn.RUNNING) ? token : 0;
  }

  /**
   * Ends the thread's turn: writes the answer if it is there, else parks. When the execution was rolled back and is granted
   * once more, another thread gets it: a filter chain is gone through once.
   *
   * @param executed whether this thread has executed
   * @return false when there is a grant to take instead
   */
  private boolean leave(boolean executed) {
    while (true) {
      switch (turn.get()) {
        case ANSWERED -> {
          if (isRetried(outcome)) {
            beginAsynchronous();
            retry((Failure) outcome);
          } else {
            write(outcome);
            complete();
          }
          left(suspension);
          return true;
        }
        case OVERDUE -> {
          awaitOverdue();
          if (suspension == null) {
            complete();
          } else {
            beginAsynchronous();
          }
          left(suspension);
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
          beginAsynchronous();
          Suspension wait = suspension;
          if (turn.compareAndSet(Turn.RUNNING, wait == null ? Turn.PARKED : Turn.SUSPENDED)) {
            left(wait);
            return true;
          }
        }
      }
    }
  }

  private static void left(Suspension wait) {
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
      asynchronous = true;
    }
  }

  /** Whether the request is retried instead of refused, because its client does not use the stub. */
  private boolean isRetried(Object result) {
    try {
      return result instanceof Failure failure
          && refusal == null
          && forwarding.retries(request, envelope, operation, failure, arrived)
          && written.compareAndSet(false, true);
    } catch (IllegalStateException e) {
      LOG.debug("The client is gone.", e);
      return false;
    }
  }

  /** Leaves the asynchronous exchange to the forwarding. */
  private void retry(Failure refusal) {
    boolean doubtful = refusal.code().certainty() != Certainty.NOT_EXECUTED;
    try {
      forwarding.forward(
          async, request, response, answers, caller, message, envelope, operation,
          RequestMapper.requestClass(envelope, operation.read()), doubtful, arrived, () -> load.release(caller, length));
      load.passOn();
    } catch (IllegalStateException e) {
      LOG.debug("The client is gone before its answer.", e);
      load.done(caller, length);
    }
  }

  private void write(Object result) {
    if (written.compareAndSet(false, true)) {
      send(result);
    } else {
      awaitOverdue();
    }
  }

  private void send(Object result) {
    load.done(caller, length);
    try {
      if (result instanceof Reply reply) {
        if (stableNanos != 0 && answers.timingHeader()) {
          response.setHeader("Server-Timing", "stable;dur=" + stableNanos / 1e6);
        }
        send(reply);
      } else {
        send((Failure) result);
      }
    } catch (IOException | IllegalStateException e) {
      LOG.debug("The client is gone before its answer.", e);
    }
  }

  /** Whether only a container's thread may send this outcome: another one must not wait for a slow client. */
  abstract boolean isSentByContainer(Object result);

  /** Sends the reply. Any thread, if {@link #isSentByContainer} permits. */
  abstract void send(Reply reply) throws IOException;

  /** Sends the fault of a request without result. Any thread, if {@link #isSentByContainer} permits. */
  void send(Failure failure) throws IOException {
    answers.send(response, envelope, operation, failure, content());
  }

  /** The request ends before it was submitted to the replica. */
  void rejected() {
    load.done(caller, length);
  }

  /** Whether the container's thread has left the exchange to another one, or the exchange has ended. */
  boolean isAsynchronous() {
    return asynchronous;
  }

  ResponseContent content() {
    return ResponseContent.of(request, envelope, operation.oneWay());
  }
}
