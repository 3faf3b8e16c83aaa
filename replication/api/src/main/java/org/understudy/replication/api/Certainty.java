package org.understudy.replication.api;

/** What a failure tells about the execution of the request. */
public enum Certainty {
  /** It was not executed and never will be under this request id's present attempt: sending it again is safe. */
  NOT_EXECUTED,
  /** It was executed, and its effects are stable; only the reply is missing. */
  EXECUTED,
  /** It is being executed or waits to become stable: ask again with the same request id. */
  PENDING,
  /** It may or may not have been executed: only the same request id tells, within a session. */
  UNKNOWN
}
