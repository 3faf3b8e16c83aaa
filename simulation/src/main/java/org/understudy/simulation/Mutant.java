package org.understudy.simulation;

/** A rule of the container or of a client that is disabled on purpose: a checker must report it. */
public enum Mutant {
  /** None: everything as in production. */
  NONE,
  /** A forwarding replica treats an answer as a refusal when its text names one. */
  REFUSAL_TOLD_BY_TEXT,
  /** The key of a request with a MessageID does not depend on the resource. */
  IDENTITY_WITHOUT_RESOURCE,
  /** The key of a request with a MessageID does not depend on the caller. */
  IDENTITY_WITHOUT_CALLER,
  /** A replica forwards a request without identity again after an unanswered attempt. */
  FORWARD_AGAIN_WITHOUT_IDENTITY,
  /** The refusal of the last forwarding attempt is the client's answer, whatever the others did. */
  FORWARD_TELLS_LAST_REFUSAL,
  /** A request that timed out waiting for its resource stays in the queue. */
  WAITER_STAYS_IN_QUEUE,
  /** A request that timed out waiting for its resource keeps its permission. */
  WAITER_KEEPS_PERMISSION,
  /** A request that is answered as still pending, or that timed out waiting, keeps its place among those in progress. */
  PLACE_KEPT_WHEN_PENDING,
  /** The changes of an execution stay in the live object after a rollback. */
  DISCARDED_UPDATE_STAYS,
  /** The resource is used before its lock is granted. */
  LOCK_IGNORED,
  /** The lock of a resource is not released when the execution failed. */
  LOCK_KEPT_AFTER_ERROR,
  /** The lock of a resource is released before the strategy has decided about the execution. */
  LOCK_RELEASED_BEFORE_DECISION,
  /** A live object is not restored after another replica's update. */
  STALE_OBJECT,
  /** A read beside an update gets the copy of an earlier read, although updates were applied since. */
  OLD_COPY,
  /** The stub sends each attempt under a new sequence number. */
  NEW_SEQUENCE_EACH_ATTEMPT,
  /** The stub treats the refusal of the last attempt as that of all attempts. */
  LAST_REFUSAL_TELLS_ALL,
  /** The stub acknowledges sequence numbers that are still open. */
  ACKNOWLEDGES_OPEN_NUMBERS,
  /** The stub continues with a session that the group has refused as expired. */
  EXPIRED_SESSION_KEPT
}
