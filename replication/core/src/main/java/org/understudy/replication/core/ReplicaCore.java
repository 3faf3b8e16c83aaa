package org.understudy.replication.core;

import java.util.List;

/**
 * One replica's protocol. Deterministic: equal histories of inputs give equal effects. Called by one thread at a time;
 * never blocks, never throws for anything that arrives from outside.
 */
public interface ReplicaCore {
  /**
   * Takes one input and names its effects.
   *
   * @param now nanoseconds of a monotonic clock; never less than at the step before
   * @param wall nanoseconds of the wall clock, read together with {@code now}. Where it begins is irrelevant: only a jump
   *     between the two clocks counts, for it shows that one of them stood still
   */
  void step(long now, long wall, Input input, Effects out);

  /** What each configured replica answered to the last {@link Input.Survey}, this one first; empty without peers. */
  default List<SurveyedReplica> surveyed() {
    return List.of();
  }

  /**
   * The state of the replica at this time. Call it under the same exclusion as {@link #step}.
   *
   * @param now as in {@link #step}
   */
  ReplicaStatus status(long now);

  /** Of the replicated state as this replica has applied it: equal states have equal digests. For tests; not cheap. */
  long digest();
}
