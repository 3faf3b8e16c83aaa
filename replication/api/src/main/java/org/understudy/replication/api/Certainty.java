package org.understudy.replication.api;

/** Whether a failed request was executed. */
public enum Certainty {
  /** It was not executed and never will be under this request id's present attempt: sending it again is safe. */
  NOT_EXECUTED,
  /** It was executed, and its effects are stable; only the reply is missing. */
  EXECUTED,
  /** It is being executed or waits to become stable: retry with the same request id. */
  PENDING,
  /** It may or may not have been executed: only a retry with the same request id, within its session, is safe. */
  UNKNOWN
}
