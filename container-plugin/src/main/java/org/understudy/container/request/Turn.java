package org.understudy.container.request;

/** The state of an {@link Exchange}, which decides which thread may continue it. */
enum Turn {
  /** A container thread owns the exchange. */
  RUNNING,
  /** The permission to execute has arrived. A container thread owns the exchange or is being dispatched, and will execute. */
  GRANTED,
  /** No thread owns the exchange. */
  PARKED,
  /** No thread owns the exchange, and its execution waits, see {@link Suspension}. */
  SUSPENDED,
  /** The wait of its execution is over, and a container thread is being dispatched. */
  RESUMED,
  /** The client received StillPending. The execution has not ended; no second response is sent. */
  OVERDUE,
  /**
   * The outcome is known. After {@link #PARKED} and {@link #SUSPENDED} the thread that delivered it sends the response, otherwise
   * the container thread.
   */
  ANSWERED
}
