package org.understudy.replication.api.decision;

/**
 * Identifies one update that a database or a coordinator decides, and the row that decides it, if a database does. Unique for the
 * lifetime of the group and its database: the container never uses an id again, also not after the update has been aborted.
 *
 * @param epoch the epoch that {@link DecisionStore#fence} returned to the primary that executed the update, or the epoch of its view if a
 *     coordinator decides; at least 1
 * @param index of the prepared update in the group's log, at least 1; or from {@link #ONE_PHASE} on
 */
public record DecisionId(long epoch, long index) implements Comparable<DecisionId> {
  /**
   * The lowest index of updates that commit in one phase: the log has not prepared them. No log is that long. Ids of both kinds are
   * ascending in time within an epoch, each kind by itself.
   */
  public static final long ONE_PHASE = 1L << 47;

  public DecisionId {
    if (epoch < 1 || index < 1) {
      throw new IllegalArgumentException("A decision has an epoch and an index of at least 1, not " + epoch + " and " + index + ".");
    }
  }

  /** Whether the log has not prepared the update. */
  public boolean isOnePhase() {
    return index >= ONE_PHASE;
  }

  /** By epoch, then by index: ids of one kind are in the order of their updates. */
  @Override
  public int compareTo(DecisionId other) {
    int byEpoch = Long.compare(epoch, other.epoch);
    return byEpoch != 0 ? byEpoch : Long.compare(index, other.index);
  }

  @Override
  public String toString() {
    return epoch + "." + index;
  }
}
