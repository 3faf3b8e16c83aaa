package org.understudy.container.forwarding;

/** The effect of a retry of a request that may have been executed. */
public enum Repetition {
  /** The request is a read: a retry changes nothing. */
  EXECUTES_NOTHING,
  /** The request has an identity, a session's number or a {@code wsa:MessageID}: a retry is deduplicated. */
  IS_RECOGNISED,
  /** A retry cannot be recognised as a duplicate: both requests would be executed. */
  IS_ANOTHER_REQUEST
}
