package org.understudy.client.invocation;

/** How an attempt ended without an answer. */
public enum NoAnswer {
  /** No connection came about: the replica cannot have seen the request. */
  NOT_SENT,
  /** The request may have arrived, and no answer came in time. */
  TIMED_OUT,
  /** The connection broke, or what came back is not an answer. */
  CONNECTION_LOST,
  /** The client closed the connection itself, as {@link Step.BreakOff} requires. */
  BROKEN_OFF
}
