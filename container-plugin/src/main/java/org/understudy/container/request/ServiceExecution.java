package org.understudy.container.request;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.understudy.container.caller.RequestTarget;
import org.understudy.container.execution.Execution;
import org.understudy.container.execution.KeyScope;
import org.understudy.container.response.CapturedResponse;
import org.understudy.container.response.ResponseLimits;
import org.understudy.container.soap.RequestEnvelope;
import org.understudy.container.soap.RequestPriority;
import org.understudy.container.transaction.CoordinatedTransactions;
import org.understudy.container.transaction.OpenTransactions;
import org.understudy.container.transaction.PeerTransactions;
import org.understudy.container.transaction.RefusedCallException;
import org.understudy.container.transaction.TransactionCall;
import org.understudy.container.transaction.TransactionOperation;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Outcome;
import org.understudy.replication.core.request.Response;
import org.understudy.replication.runtime.Executions;
import org.understudy.replication.runtime.Proposal;
import org.understudy.soap.basefault.DeclaredFault;
import org.understudy.wsrf.operation.Endpoint;
import org.understudy.wsrf.operation.NotNowException;
import org.understudy.wsrf.resource.LockRequest;
import org.understudy.wsrf.resource.OccupiedResourceException;
import org.understudy.wsrf.resource.ResourceTransaction;
import org.understudy.wsrf.resource.Resources;
import org.understudy.wsrf.resource.ServiceHome;

/**
 * Executes the service, or a standard operation, for a request that the replica has permitted, and reports the outcome to the
 * replica. A request that waits long for its resource, or that the service has suspended, occupies no thread. Thread-safe.
 */
public final class ServiceExecution implements AutoCloseable {
  /** The time for which a thread waits for a resource. A switch to another thread takes longer than most operations. */
  private static final long MAX_BLOCKED_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final Executions replica;
  private final ServiceHome home;
  private final boolean objects;
  private final ExecutionWatch watch;
  private final Endpoint service;
  private final ResponseLimits limits;
  private final boolean oneResource;
  private final KeyScope scope;
  private final OpenTransactions transactions;
  private final CoordinatedTransactions coordinated;
  private final PeerTransactions peers;
  private final ExecutionFailures failures = new ExecutionFailures(System::nanoTime);
  /** Executions that wait without a thread. */
  private final Set<ServiceRun> waiting = ConcurrentHashMap.newKeySet();

  /**
   * @param objects whether the states of the service's objects are captured
   * @param service the endpoint of the service's own operations
   * @param limits of its responses
   * @param oneResource whether the whole state of the service is one resource
   * @param transactions of the group
   * @param coordinated those of coordinators outside the group
   * @param peers those over this group and others
   */
  public ServiceExecution(
      Executions replica,
      KeyScope scope,
      OpenTransactions transactions,
      CoordinatedTransactions coordinated,
      PeerTransactions peers,
      ServiceHome home,
      boolean objects,
      ExecutionWatch watch,
      Endpoint service,
      ResponseLimits limits,
      boolean oneResource) {
    this.replica = scope.executions(replica);
    this.scope = scope;
    this.transactions = transactions;
    this.coordinated = coordinated;
    this.peers = peers;
    this.home = home;
    this.objects = objects;
    this.watch = watch;
    this.service = service;
    this.limits = limits;
    this.oneResource = oneResource;
  }

  /** The transactions over this group and others. */
  PeerTransactions peers() {
    return peers;
  }

  /** The transactions of coordinators outside the group. */
  CoordinatedTransactions coordinated() {
    return coordinated;
  }

  /** Returns the id of the resource. The URL takes precedence, because many clients drop reference parameters. */
  String resourceOf(HttpServletRequest request, Endpoint endpoint, RequestEnvelope envelope) {
    if (oneResource && endpoint == service) {
      return Resources.SERVICE;
    }
    String inPath = endpoint.resourceIn(RequestTarget.path(request));
    return inPath == null ? envelope.resource() : inPath;
  }

  /** Returns the path that the service sees instead of that of the URL, which can name a resource; null for that of the URL. */
  String pathWithoutResource(Endpoint endpoint) {
    return oneResource && endpoint == service ? null : service.path();
  }

  /** Executes a request, or its first part. Its end is always reported to the replica, and the resource released. */
  void run(Exchange exchange, long token, FilterChain chain) {
    if (exchange.operation.standard() instanceof TransactionOperation operation) {
      TransactionAnswer.give(exchange, token, operation, transactions, peers);
      return;
    }
    if (exchange.transaction != null) {
      runInTransaction(exchange, token, chain);
      return;
    }
    ServiceRun run = new ServiceRun(exchange, new Execution(replica, token, objects), waiting);
    runDecided(run, next -> lockAndBegin(run, next), home.patienceMs(), chain);
  }

  /** Runs the first part, once no transaction in doubt has changed what it needs. */
  private void runDecided(ServiceRun run, Function<FilterChain, Suspension> part, long patienceMs, FilterChain chain) {
    runPart(run, () -> {
      DoubtWait wait = DoubtWait.begin(run, part, () -> isInDoubt(run.exchange), watch, patienceMs);
      return wait == null ? part.apply(chain) : wait;
    });
  }

  /** Whether a transaction that an earlier primary has prepared has changed what a request needs. */
  private boolean isInDoubt(Exchange exchange) {
    return coordinated.isInDoubt(home.database() != null, () -> scope + key(exchange));
  }

  private Suspension lockAndBegin(ServiceRun run, FilterChain chain) {
    Exchange exchange = run.exchange;
    LockRequest lock = lock(exchange);
    ResourceTransaction transaction = lock.transaction();
    if (!lock.await(transaction.mayWait() ? MAX_BLOCKED_NANOS : 0)) {
      if (exchange.operation.standard() == null && transaction.readCopy()) {
        run.readsCopy();
        return begin(run, transaction, chain);
      }
      if (transaction.mayWait()) {
        LockWait wait = new LockWait(run, lock);
        if (wait.begin(lock, watch, home.patienceMs())) {
          return wait;
        }
      } else if (transaction.withdraw()) {
        throw transaction.occupied(home.patienceMs());
      }
    }
    return begin(run, transaction, chain);
  }

  /** Executes a call inside a transaction, whose resource stays locked until the transaction ends. */
  private void runInTransaction(Exchange exchange, long token, FilterChain chain) {
    TransactionalRequest request = exchange.transaction;
    TransactionCall call;
    try {
      boolean update = exchange.operation.read() == null;
      String principal = exchange.caller.principal();
      String owner = exchange.caller.owner();
      if (request.foreign() != null) {
        call = coordinated.enter(request.foreign(), principal, owner, request.key(), request.digest(), update, replica, token);
      } else if (request.peer() != null) {
        call = peers.enter(request.peer(), principal, owner, request.key(), request.digest(), update, replica, token);
      } else {
        call = transactions.enter(request.id(), principal, request.key(), request.digest(), update, replica, token);
      }
    } catch (RefusedCallException e) {
      // As the answer of a read: a replaced primary cannot give it, and may not know what its successor has committed.
      replica.executed(token, Map.of(), e.failure(), List.of(), Proposal.NOTHING);
      return;
    }
    if (call == null) {
      return;
    }
    exchange.executes(call);
    ServiceRun run = new ServiceRun(exchange, call, waiting);
    runDecided(run, next -> joinAndBegin(run, call, next), Math.min(home.patienceMs(), call.remainingMs()), chain);
  }

  private Suspension joinAndBegin(ServiceRun run, TransactionCall call, FilterChain chain) {
    String key = key(run.exchange);
    ResourceTransaction joined = call.join(home, scope, objects, key);
    if (joined != null) {
      home.requireOpen();
      run.granted(joined);
      home.bind(joined);
      run.begun(watch);
      return execute(run, () -> begin(run, chain));
    }
    LockRequest lock = home.request(key, false, null);
    ResourceTransaction transaction = lock.transaction();
    if (!lock.await(transaction.mayWait() ? MAX_BLOCKED_NANOS : 0)) {
      LockWait wait = new LockWait(run, lock);
      if (transaction.mayWait() && wait.begin(lock, watch, Math.min(home.patienceMs(), call.remainingMs()))) {
        return wait;
      } else if (!transaction.mayWait() && transaction.withdraw()) {
        throw transaction.occupied(home.patienceMs());
      }
    }
    return begin(run, transaction, chain);
  }

  /** Executes the next part of a suspended execution. */
  void resume(Suspension ended, FilterChain chain) {
    if (ended instanceof LockWait lock) {
      lock.run().resumed();
      runPart(lock.run(), () -> {
        lock.stopTimer();
        if (lock.isTimedOut()) {
          throw lock.transaction().occupied(home.patienceMs());
        }
        return begin(lock.run(), lock.transaction(), chain);
      });
    } else if (ended instanceof DoubtWait doubt) {
      doubt.run().resumed();
      runPart(doubt.run(), () -> doubt.next(chain));
    } else if (ended instanceof ServiceSuspension suspension) {
      ServiceRun run = suspension.run();
      run.resumed();
      runPart(run, () -> {
        home.bind(run.transaction());
        return execute(run, () -> continueWith(run, suspension, chain));
      });
    }
  }

  private String key(Exchange exchange) {
    return exchange.endpoint.key(resourceOf(exchange.request, exchange.endpoint, exchange.envelope));
  }

  private LockRequest lock(Exchange exchange) {
    String priority = exchange.operation.priority();
    return home.request(
        key(exchange),
        exchange.operation.read() != null,
        priority == null ? null : () -> RequestPriority.of(exchange.message, priority));
  }

  /** Begins the execution, with the lock of the resource held. */
  private Suspension begin(ServiceRun run, ResourceTransaction transaction, FilterChain chain) {
    run.granted(transaction);
    home.begin(transaction);
    run.begun(watch);
    return execute(run, () -> begin(run, chain));
  }

  /** Runs one part and ends the execution, unless the part suspends it. */
  private void runPart(ServiceRun run, Supplier<Suspension> part) {
    try (run) {
      try {
        Suspension wait = part.get();
        if (wait != null) {
          run.suspend(wait);
        }
      } catch (NotNowException | OccupiedResourceException e) {
        run.exchange.refuse(new Failure(FailureCode.Overloaded, e.getMessage()));
      } catch (RejectedMessageException e) {
        run.exchange.refuse(new Failure(FailureCode.BadRequest, e.getMessage()));
      } catch (RuntimeException e) {
        if (run.hasEnded()) {
          throw e;
        }
        failures.log(run.exchange.envelope.operation(), "begin, because the state of its resource cannot be restored", e);
        run.end(
            new Failure(
                FailureCode.ExecutionFailed,
                "The state of the resource could not be restored. Nothing was executed. See the server's log for the reason."));
      }
    } finally {
      home.unbind();
    }
  }

  /** One part of an execution. */
  @FunctionalInterface
  private interface Part {
    /** Returns the response or why there is none; null when the execution waits. */
    Outcome outcome() throws IOException, ServletException;
  }

  private Outcome begin(ServiceRun run, FilterChain chain) throws IOException, ServletException {
    Exchange exchange = run.exchange;
    if (exchange.operation.standard() != null) {
      String resource = resourceOf(exchange.request, exchange.endpoint, exchange.envelope);
      return StandardAnswer.of(exchange, resource, run.transaction());
    }
    run.calls(
        new BufferedRequest(run, watch, exchange.message.write(exchange.envelope.version()), pathWithoutResource(exchange.endpoint)),
        new CapturedResponse(exchange.response, limits.content(exchange.operation.read() != null, exchange.reservation())));
    run.captured().announceTo(run.request());
    ExecutionAttributes.begin(
        run.request(), exchange.operation, exchange.envelope.operation() == null || !exchange.operation.actions().isEmpty(),
        oneResource && run.isOfCopy() ? run.transaction().target() : null);
    chain.doFilter(run.request(), run.captured());
    return response(run);
  }

  private Outcome continueWith(ServiceRun run, ServiceSuspension suspension, FilterChain chain) throws IOException, ServletException {
    if (suspension.isTimedOut()) {
      throw new UnusableAnswerException(
          "the service suspended the request for " + suspension.getTimeout() + " ms, its own timeout, and did not resume it.");
    }
    suspension.markResumed();
    if (!suspension.isCompleted()) {
      chain.doFilter(run.request(), run.captured());
    }
    return response(run);
  }

  /** Executes a part. Reports the outcome to the replica and returns null, or returns the suspension. */
  private Suspension execute(ServiceRun run, Part part) {
    Outcome outcome = outcome(run, part);
    if (outcome == null) {
      ServiceSuspension suspension = run.request().suspension();
      suspension.startTimeout();
      return suspension;
    }
    run.end(outcome);
    return null;
  }

  /**
   * Returns the outcome of a part; null when the execution waits. The last part captures the changes. A failure after the service
   * method is terminal, because every retry would fail in the same way.
   */
  private Outcome outcome(ServiceRun run, Part part) {
    Exchange exchange = run.exchange;
    String failed = "be executed";
    try {
      Outcome outcome = part.outcome();
      failed = "be completed, because the state after it cannot be captured";
      if (outcome instanceof Response) {
        run.capture();
      }
      return outcome;
    } catch (NotNowException | RejectedMessageException e) {
      throw e;
    } catch (UnusableAnswerException e) {
      failed = "be completed, because the service's response cannot be stored";
      failures.log(exchange.envelope.operation(), failed, e);
    } catch (IOException | ServletException | RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
      failures.log(exchange.envelope.operation(), failed, e);
    }
    String sentence =
        "The request could not " + failed + ". Its effects are undone, and a retry would fail as well. "
            + "See the server's log for the reason.";
    return new Failure(FailureCode.ExecutionFailed, sentence);
  }

  /** Returns the response, or that it is too long; null when the service's stack has suspended the request. */
  private Outcome response(ServiceRun run) {
    ServiceSuspension suspension = run.request().suspension();
    if (suspension != null && suspension.isWaiting()) {
      return null;
    }
    if (run.captured().content().isTooLong()) {
      return limits.tooLong(run.exchange.operation.read() != null, run.captured().content());
    }
    if (isRejected(run)) {
      throw new RejectedMessageException();
    }
    DeclaredFault.Family family = ExecutionAttributes.family(run.exchange.request);
    return StoredAnswer.of(run.exchange.envelope.version(), family, run.captured(), replica::wire);
  }

  /** Whether the service's stack has answered a one-way message without handing it to the service. */
  private static boolean isRejected(ServiceRun run) {
    CapturedResponse captured = run.captured();
    return run.exchange.operation.oneWay() && captured.content().length() == 0 && captured.getStatus() < 300
        && !ExecutionAttributes.isHandedOver(run.request());
  }

  /** Drops the suspended executions, which no service can resume any more. Their clients have been answered. */
  @Override
  public void close() {
    for (ServiceRun run : Set.copyOf(waiting)) {
      if (run.suspension().drop()) {
        run.exchange.release();
      }
    }
  }
}
