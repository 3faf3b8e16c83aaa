package org.understudy.container.request;

/**
 * The wait of one execution without a thread. Its end may come before the container's thread has left: then the execution goes
 * on as soon as that has happened. Thread-safe.
 */
abstract class Suspension {
  private final Exchange exchange;
  // Guarded by this.
  private boolean parked;
  private boolean due;

  Suspension(Exchange exchange) {
    this.exchange = exchange;
  }

  /** The container's thread has left the exchange. */
  final void park() {
    boolean go;
    synchronized (this) {
      go = due && !parked;
      parked = true;
    }
    if (go) {
      exchange.goOn(this);
    }
  }

  /** The wait is over; further calls have no effect. By any thread; does not block. */
  final void end() {
    boolean go;
    synchronized (this) {
      go = parked && !due;
      due = true;
    }
    if (go) {
      exchange.goOn(this);
    }
  }

  /** Whether the wait is over. */
  final synchronized boolean isOver() {
    return due;
  }

  /**
   * The execution cannot go on: the client is gone, or has another answer. Undoes what it did and releases its resource. By any
   * thread.
   */
  abstract void drop();
}
