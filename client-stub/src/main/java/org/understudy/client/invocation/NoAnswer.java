package org.understudy.client.invocation;

/** The ways in which an attempt ends without an answer. */
public enum NoAnswer {
  /** No connection was made: the replica cannot have seen the request. */
  NOT_SENT,
  /** The request may have arrived, and no answer came in time. */
  TIMED_OUT,
  /** The connection broke, or the received bytes are no valid answer. */
  CONNECTION_LOST,
  /** The client closed the connection itself, as {@link Step.BreakOff} requires. */
  BROKEN_OFF
}
