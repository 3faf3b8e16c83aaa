package org.understudy.container.forwarding;

/** How an attempt to forward ended without an answer. */
public enum NoAnswer {
  /** The request certainly did not arrive whole: no connection came about, or it took no byte of the content. */
  NOT_SENT,
  /** The request may have arrived: the connection broke, or was closed as {@link Step.BreakOff} requires. */
  LOST,
  /** The replica responded, and its response exceeds the limit of what is passed on. Another attempt would have the same end. */
  TOO_LONG
}
