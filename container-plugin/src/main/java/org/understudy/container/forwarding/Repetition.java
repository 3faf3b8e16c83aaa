package org.understudy.container.forwarding;

/** What it means to send a request again that may have been executed. */
public enum Repetition {
  /** The request reads: nothing is executed, however often it is sent. */
  EXECUTES_NOTHING,
  /** The request has an identity, a session's number or a {@code wsa:MessageID}: it is the same request. */
  IS_RECOGNISED,
  /** A retry cannot be recognised as a duplicate: both requests would be executed. */
  IS_ANOTHER_REQUEST
}
