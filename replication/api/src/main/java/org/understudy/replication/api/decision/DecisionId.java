package org.understudy.replication.api.decision;

/**
 * Identifies one prepared update, and the row that decides it, if a database does. Unique for the lifetime of the group and its database:
 * the container never uses an id again, also not after the update has been aborted.
 *
 * @param epoch the epoch that {@link DecisionStore#fence} returned to the primary that prepared the update, or the epoch of its view if a
 *     coordinator decides; at least 1
 * @param index of the prepared update in the group's log; at least 1
 */
public record DecisionId(long epoch, long index) implements Comparable<DecisionId> {
  public DecisionId {
    if (epoch < 1 || index < 1) {
      throw new IllegalArgumentException("A decision has an epoch and an index of at least 1, not " + epoch + " and " + index + ".");
    }
  }

  /** By epoch, then by index: in the order in which the updates were prepared. */
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
