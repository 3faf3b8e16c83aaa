package org.understudy.lab.torture.fault;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;

/** What a storm does in each of its phases: a sequence that the plan fixes. Used by one thread. */
final class Storm {
  private static final int CUT_PERCENT = 30;
  private static final int STOPPED_PERCENT = 20;

  private final Random random;
  private final int replicas;

  Storm(Fault fault, int replicas) {
    this.random = new Random(fault.order().hashCode() * 31L + fault.length().toMillis());
    this.replicas = replicas;
  }

  /** The links that are cut in the next phase. */
  Links links() {
    Links links = new Links(replicas);
    for (int from = 1; from <= replicas; from++) {
      for (int to = 1; to <= replicas; to++) {
        if (from != to && random.nextInt(100) < CUT_PERCENT) {
          links.oneWay(from, to);
        }
      }
    }
    return links;
  }

  /**
   * The replicas that are stopped in the next phase.
   *
   * @param without one that has no process then, or 0
   */
  Set<Integer> stopped(int without) {
    Set<Integer> stopped = new HashSet<>();
    for (int n = 1; n <= replicas; n++) {
      if (random.nextInt(100) < STOPPED_PERCENT && n != without) {
        stopped.add(n);
      }
    }
    return stopped;
  }
}
