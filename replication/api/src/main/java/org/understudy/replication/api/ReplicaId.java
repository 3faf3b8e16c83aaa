package org.understudy.replication.api;

/**
 * The number of a replica within its group.
 *
 * @param number from 1 to 64, as written in {@code understudy.replicas}
 */
public record ReplicaId(int number) implements Comparable<ReplicaId> {
  /** The largest group that configuration accepts. */
  public static final int MAX = 64;

  public ReplicaId {
    if (number < 1 || number > MAX) {
      throw new IllegalArgumentException("A replica's number is from 1 to " + MAX + ", not " + number + ".");
    }
  }

  @Override
  public int compareTo(ReplicaId other) {
    return Integer.compare(number, other.number);
  }

  @Override
  public String toString() {
    return Integer.toString(number);
  }
}
