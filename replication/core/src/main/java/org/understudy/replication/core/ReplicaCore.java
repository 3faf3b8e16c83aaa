package org.understudy.replication.core;

import java.util.List;
import org.understudy.replication.api.decision.InDoubt;

/**
 * The protocol of one replica. Deterministic: equal histories of inputs give equal effects. Not thread-safe. Never blocks,
 * and throws for no input from outside.
 */
public interface ReplicaCore {
  /**
   * Handles one input and requests its effects.
   *
   * @param now nanoseconds of a monotonic clock; never decreases between steps
   * @param wall nanoseconds of the wall clock, read together with {@code now}. Only differences matter: a jump between the
   *     two clocks shows that one of them stood still
   */
  void step(long now, long wall, Input input, Effects out);

  /** The answers of each configured replica to the last {@link Input.Survey}, this one first; empty without peers. */
  default List<SurveyedReplica> surveyed() {
    return List.of();
  }

  /**
   * The updates that are prepared for coordinators of transactions in the state applied here, in any role, and those whose decisions can
   * still be lost.
   */
  default List<InDoubt> undecided() {
    return List.of();
  }

  /**
   * The state of the replica at this time. The caller holds the lock of {@link #step}.
   *
   * @param now as in {@link #step}
   */
  ReplicaStatus status(long now);

  /** A digest of the replicated state as applied here: equal states have equal digests. For tests; expensive. */
  long digest();
}
