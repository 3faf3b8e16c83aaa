package org.understudy.replication.core;

/**
 * What an execution ended in. It is stored, replicated and replayed under the request's identity. A {@link Failure} is
 * terminal here: the execution's effects are undone, and no retry of the request executes again.
 */
public sealed interface Outcome permits Response, Failure {
  /** Roughly, in memory and on the wire. */
  long bytes();
}
