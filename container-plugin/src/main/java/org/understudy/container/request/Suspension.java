package org.understudy.container.request;

/**
 * The wait of one execution without a thread. It may end before the container thread has left the exchange; then the execution
 * continues as soon as that thread has left. An execution either continues or is dropped: {@link #take} decides. Thread-safe.
 */
abstract class Suspension {
  private final Exchange exchange;
  // Guarded by this.
  private boolean parked;
  private boolean ended;
  private boolean taken;

  Suspension(Exchange exchange) {
    this.exchange = exchange;
  }

  /** Records that the container thread has left the exchange. */
  final void park() {
    boolean resume;
    synchronized (this) {
      resume = ended && !parked;
      parked = true;
    }
    if (resume) {
      exchange.resumeExecution(this);
    }
  }

  /** Ends the wait; further calls have no effect. Called by any thread; does not block. */
  final void end() {
    boolean resume;
    synchronized (this) {
      resume = parked && !ended;
      ended = true;
    }
    if (resume) {
      exchange.resumeExecution(this);
    }
  }

  /** Whether the wait is over. */
  final synchronized boolean isOver() {
    return ended;
  }

  /** Returns true to the one caller that may continue the execution or drop it. */
  final synchronized boolean take() {
    boolean first = !taken;
    taken = true;
    return first;
  }

  /**
   * Ends an execution that cannot continue, because its client has closed the connection or has received another response. Rolls
   * back its changes and releases its resource. Called by any thread.
   *
   * @return false if the execution has continued or was dropped before; then this has no effect
   */
  final boolean drop() {
    boolean first = take();
    if (first) {
      dropped();
    }
    return first;
  }

  /** Rolls back the changes of the execution and releases its resource. Called at most once. */
  abstract void dropped();
}
