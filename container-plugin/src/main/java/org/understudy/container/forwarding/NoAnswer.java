package org.understudy.container.forwarding;

/** The reason why an attempt to forward ended without a response. */
public enum NoAnswer {
  /** The request certainly did not arrive completely: no connection was made, or no byte of the content was sent. */
  NOT_SENT,
  /** The request may have arrived: the connection broke, or was closed as {@link Step.BreakOff} requires. */
  LOST,
  /** The response exceeds the limit of what a replica passes on. A retry would have the same result. */
  TOO_LONG,
  /** The forwarding replica has no memory for the response now: clients hold too much at it. A retry may find some. */
  NO_ROOM
}
