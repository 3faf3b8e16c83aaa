package org.understudy.container.request;

import java.util.Set;
import org.understudy.container.execution.Execution;
import org.understudy.replication.core.Outcome;
import org.understudy.wsrf.resource.ResourceTransaction;

/**
 * One execution of one request, from the permission to its end. It may consist of several parts, each on a thread of the
 * container, with waits between them. Belongs to the thread of the part.
 */
final class ServiceRun implements AutoCloseable {
  final Exchange exchange;
  private final Execution execution;
  /** Null until the resource's lock is held. */
  private ResourceTransaction transaction;
  private ExecutionWatch.Running running;
  /** What the service's stack reads and writes; null before its first part, and for a standard operation. */
  private BufferedRequest request;
  private CapturedResponse captured;
  /** All that wait without a thread. */
  private final Set<ServiceRun> waiting;
  private boolean waits;
  /** The latest one, or null. */
  private Suspension suspension;

  /** @param waiting holds this while it waits without a thread; thread-safe */
  ServiceRun(Exchange exchange, Execution execution, Set<ServiceRun> waiting) {
    this.exchange = exchange;
    this.execution = execution;
    this.waiting = waiting;
  }

  /** The resource's lock is held; from now on the end of this releases it. */
  void granted(ResourceTransaction transaction) {
    this.transaction = transaction;
    execution.entered(transaction);
  }

  /** The transaction has begun. */
  void begun(ExecutionWatch watch) {
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

  /** A further part begins on the calling thread. */
  void resumed() {
    waits = false;
    waiting.remove(this);
    if (running != null) {
      running.resumed();
    }
  }

  /** The part has ended without an outcome: the execution waits. */
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

  /** Hands the outcome to the replica. */
  void end(Outcome outcome) {
    if (running != null) {
      running.end();
      exchange.executedNow();
    }
    execution.end(outcome);
  }

  boolean hasEnded() {
    return execution.hasEnded();
  }

  /** The part has ended: unless the execution waits, this undoes what had no outcome and releases the resource. */
  @Override
  public void close() {
    if (!waits) {
      drop();
    }
  }

  /** Undoes what had no outcome; by any thread when no part runs. */
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
