package org.understudy.container.management;

/** What an operator can do at one replica, through JMX: named {@code org.understudy:type=Replica,group=…,replica=…}. */
public interface ReplicaControlMXBean {
  /** Asks all replicas what they hold, waits up to the suspicion time, and returns a line for each. Changes nothing. */
  String survey();

  /**
   * Lets the group go on from what this replica holds, after the others lost their disks. See {@code docs/operations.md}.
   *
   * @param lost the replicas declared lost, comma between: {@code 2=INCARNATION} for one that is back, with the incarnation
   *     that {@link #survey} printed, and {@code 3} for one that is not
   * @return a sentence that says what was begun
   * @throws IllegalArgumentException when the list cannot be read
   * @throws IllegalStateException when the replica refuses, with the reason
   */
  String recover(String lost);
}
