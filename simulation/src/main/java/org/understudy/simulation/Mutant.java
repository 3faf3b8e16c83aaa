package org.understudy.simulation;

/** A rule of the container or of a client that is broken on purpose: a checker must notice. */
public enum Mutant {
  /** None: everything as in production. */
  NONE,
  /** A replica that forwards takes an answer for a refusal when its text names one. */
  REFUSAL_TOLD_BY_TEXT,
  /** The key of a request that is known by its MessageID does not depend on the resource. */
  IDENTITY_WITHOUT_RESOURCE,
  /** The key of a request that is known by its MessageID does not depend on the caller. */
  IDENTITY_WITHOUT_CALLER,
  /** A replica forwards a request without identity again after a try that was not answered. */
  FORWARD_AGAIN_WITHOUT_IDENTITY,
  /** Of several forwards, the refusal of the last one is the client's answer, whatever became of the others. */
  FORWARD_TELLS_LAST_REFUSAL,
  /** A request that has waited for its resource in vain stays in the queue. */
  WAITER_STAYS_IN_QUEUE,
  /** A request that has waited for its resource in vain keeps its permission. */
  WAITER_KEEPS_PERMISSION,
  /** A request that is answered as still pending, or that has waited in vain, keeps its place among those in progress. */
  PLACE_KEPT_WHEN_PENDING,
  /** What an execution changed stays in the live object, though the execution does not stand. */
  DISCARDED_UPDATE_STAYS,
  /** What the lock protects is used before it is granted. */
  LOCK_IGNORED,
  /** The lock of a resource is not released when the execution failed. */
  LOCK_KEPT_AFTER_ERROR,
  /** The lock of a resource is released before the strategy has decided whether the execution stands. */
  LOCK_RELEASED_BEFORE_DECISION,
  /** A live object is not restored after another replica's update. */
  STALE_OBJECT,
  /** A read beside an update gets the copy that an earlier read got, though updates were applied since. */
  OLD_COPY,
  /** The stub sends each attempt under a new sequence number. */
  NEW_SEQUENCE_EACH_ATTEMPT,
  /** The stub takes the refusal of the last attempt for that of all attempts. */
  LAST_REFUSAL_TELLS_ALL,
  /** The stub acknowledges sequence numbers that are still open. */
  ACKNOWLEDGES_OPEN_NUMBERS,
  /** The stub goes on with a session that the group has refused as expired. */
  EXPIRED_SESSION_KEPT
}
