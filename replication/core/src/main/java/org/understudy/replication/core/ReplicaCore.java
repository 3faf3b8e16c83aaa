package org.understudy.replication.core;

/**
 * One replica's protocol. Deterministic: equal histories of inputs give equal effects. Called by one thread at a time;
 * never blocks, never throws for anything that arrives from outside.
 */
public interface ReplicaCore {
  /**
   * Takes one input and names its effects.
   *
   * @param now nanoseconds of a monotonic clock; never less than at the step before
   */
  void step(long now, Input input, Effects out);

  /** What an operator wants to know. Call it under the same exclusion as {@link #step}. */
  ReplicaStatus status();
}
