package org.understudy.replication.runtime.management;

/** Operations of an operator on one replica, through JMX. The MBean is named {@code org.understudy:type=Replica,group=…,replica=…}. */
public interface ReplicaControlMXBean {
  /** Queries the state of all replicas, waits up to the suspicion time, and returns a line for each. Changes nothing. */
  String survey();

  /**
   * Recovers the group from the state of this replica, after the other replicas lost their disks. Returns once a view that may
   * execute updates has begun. See {@code docs/operations.md}.
   *
   * @param lost the replicas declared lost, separated by commas: {@code 2=INCARNATION} for one that is back, with the incarnation
   *     that {@link #survey} printed, and {@code 3} for one that is not
   * @return a sentence that names the new view
   * @throws IllegalArgumentException when the list is invalid
   * @throws IllegalStateException when the replica rejects the recovery, or no such view has begun in time; the message
   *     names the reason and the next step
   */
  String recover(String lost);
}
