package org.understudy.container.request;

import java.util.Set;
import org.understudy.container.execution.PermittedExecution;
import org.understudy.container.response.CapturedResponse;
import org.understudy.replication.core.request.Outcome;
import org.understudy.wsrf.resource.ResourceTransaction;

/**
 * One execution of one request, from the permission to its end. It may consist of several parts, each on a container
 * thread, with waits between them. Accessed only by the thread of the current part.
 */
final class ServiceRun implements AutoCloseable {
  final Exchange exchange;
  private final PermittedExecution execution;
  /** Null until the resource's lock is held. */
  private ResourceTransaction transaction;
  private ExecutionWatch.Running running;
  /** The request that the service's stack reads; null before its first part, and for a standard operation. */
  private BufferedRequest request;
  private CapturedResponse captured;
  /** All executions that wait without a thread. */
  private final Set<ServiceRun> waiting;
  private boolean waits;
  private boolean ofCopy;
  /** The latest suspension, or null. */
  private Suspension suspension;

  /** @param waiting the set that contains this while it waits without a thread; thread-safe */
  ServiceRun(Exchange exchange, PermittedExecution execution, Set<ServiceRun> waiting) {
    this.exchange = exchange;
    this.execution = execution;
    this.waiting = waiting;
  }

  /** Sets the transaction, which holds the lock of the resource. The end of this execution releases it. */
  void granted(ResourceTransaction transaction) {
    this.transaction = transaction;
    exchange.lockedNow();
    execution.entered(transaction);
  }

  /** Marks the execution as a read of a copy of the resource's object. */
  void readsCopy() {
    ofCopy = true;
  }

  boolean isOfCopy() {
    return ofCopy;
  }

  /** Begins the watch over the execution, after its transaction has begun. */
  void begun(ExecutionWatch watch) {
    execution.begun();
    running = watch.begin(exchange, transaction.key());
  }

  ResourceTransaction transaction() {
    return transaction;
  }

  void calls(BufferedRequest request, CapturedResponse captured) {
    this.request = request;
    this.captured = captured;
  }

  BufferedRequest request() {
    return request;
  }

  CapturedResponse captured() {
    return captured;
  }

  /** Begins a further part on the calling thread. */
  void resumed() {
    waits = false;
    waiting.remove(this);
    if (running != null) {
      running.resumed();
    }
  }

  /** Suspends the execution, whose part has ended without an outcome. */
  void suspend(Suspension wait) {
    waits = true;
    suspension = wait;
    waiting.add(this);
    if (running != null) {
      running.suspended();
    }
    exchange.suspend(wait);
  }

  Suspension suspension() {
    return suspension;
  }

  /** @throws RuntimeException when a state cannot be captured */
  void capture() {
    execution.capture();
  }

  /** Reports the outcome to the replica. */
  void end(Outcome outcome) {
    if (running != null) {
      running.end();
      exchange.executedNow(transaction.timedBranch());
      if (!transaction.isRead()) {
        exchange.awaitsOutcome();
      }
    }
    execution.end(outcome);
  }

  boolean hasEnded() {
    return execution.hasEnded();
  }

  /** Ends the part. Unless the execution waits, rolls back changes without an outcome and releases the resource. */
  @Override
  public void close() {
    if (!waits) {
      drop();
    }
  }

  /** Rolls back changes without an outcome. Called by any thread while no part runs. */
  void drop() {
    waiting.remove(this);
    if (running != null) {
      running.end();
    }
    try {
      execution.close();
    } finally {
      if (request != null) {
        request.ended();
      }
    }
  }
}
