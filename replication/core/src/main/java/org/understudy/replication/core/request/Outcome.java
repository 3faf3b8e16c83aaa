package org.understudy.replication.core.request;

/**
 * The outcome of an execution: a response or a failure. It is stored, replicated and replayed under the request's identity.
 * A {@link Failure} is terminal here: the execution is rolled back, and a retry of the request does not execute again.
 */
public sealed interface Outcome permits Response, Failure {
  /** The approximate size in memory and on the wire. */
  long bytes();
}
