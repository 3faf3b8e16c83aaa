package org.understudy.container.management;

/** What an operator can do at one replica, through JMX: named {@code org.understudy:type=Replica,group=…,replica=…}. */
public interface ReplicaControlMXBean {
  /** Queries the state of all replicas, waits up to the suspicion time, and returns a line for each. Changes nothing. */
  String survey();

  /**
   * Lets the group go on from what this replica holds, after the others lost their disks. Returns when a view that may
   * execute updates has begun. See {@code docs/operations.md}.
   *
   * @param lost the replicas declared lost, separated by commas: {@code 2=INCARNATION} for one that is back, with the incarnation
   *     that {@link #survey} printed, and {@code 3} for one that is not
   * @return a sentence that names the new view
   * @throws IllegalArgumentException when the list cannot be read
   * @throws IllegalStateException when the replica refuses, or when no such view has begun in time, with the reason and
   *     what to look at
   */
  String recover(String lost);
}
