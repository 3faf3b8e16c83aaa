package org.understudy.container.forwarding;

/** How an attempt to forward ended without an answer. */
public enum NoAnswer {
  /** Certainly nothing was sent. */
  NOT_SENT,
  /** The request may have arrived: the connection broke, or was closed as {@link Step.BreakOff} requires. */
  LOST
}
