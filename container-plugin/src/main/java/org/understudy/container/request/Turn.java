package org.understudy.container.request;

/** Who may go on with an {@link Exchange}. */
enum Turn {
  /** A container thread has it. */
  RUNNING,
  /** The permission to execute has come; a container thread has it, or is on its way, and will take it. */
  GRANTED,
  /** No thread has it. */
  PARKED,
  /** No thread has it; its execution waits, see {@link Suspension}. */
  SUSPENDED,
  /** The wait of its execution is over; a container thread is on its way. */
  RESUMED,
  /** The client received StillPending. The execution has not ended; no second response is sent. */
  OVERDUE,
  /**
   * The outcome is known. From {@link #PARKED} and {@link #SUSPENDED} the thread that delivered it writes it, else the container
   * thread.
   */
  ANSWERED
}
