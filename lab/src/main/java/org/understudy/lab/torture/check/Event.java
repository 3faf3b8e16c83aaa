package org.understudy.lab.torture.check;

import org.understudy.lab.torture.history.ClientTransaction;
import org.understudy.lab.torture.history.Operation;

/**
 * An operation of a client, or what a transaction does to one counter.
 *
 * @param transaction null for an operation alone
 */
record Event(Operation operation, ClientTransaction transaction) {
  static Event of(Operation operation) {
    return new Event(operation, null);
  }

  /** What takes effect as one: all events of a transaction have the same. */
  Object unit() {
    return transaction == null ? operation : transaction;
  }

  int from() {
    return operation.value() - operation.amount();
  }

  int to() {
    return operation.value();
  }

  /** The name of the promise that it breaks if it comes too late. */
  String promise() {
    return operation.update() ? CounterTimeline.LINEARIZABLE : operation.level().word();
  }

  /** For people. */
  String describe() {
    return transaction == null ? operation.describe() : transaction.describe();
  }
}
