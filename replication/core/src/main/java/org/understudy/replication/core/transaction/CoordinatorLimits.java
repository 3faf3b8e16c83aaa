package org.understudy.replication.core.transaction;

/**
 * Limits of a coordinator; each is above zero.
 *
 * @param participants other groups in one transaction
 * @param records decisions that participants have not acknowledged; beyond it, transactions over several groups abort
 * @param prepareNanos how long the coordinator waits for votes
 * @param repeatNanos after how long it sends a message again that nobody has answered
 */
public record CoordinatorLimits(int participants, int records, long prepareNanos, long repeatNanos) {
  public static final CoordinatorLimits DEFAULTS = new CoordinatorLimits(16, 1_000, 5_000_000_000L, 500_000_000L);

  public CoordinatorLimits {
    if (participants < 1 || records < 1 || prepareNanos < 1 || repeatNanos < 1) {
      throw new IllegalArgumentException("Every limit must be above zero.");
    }
  }
}
