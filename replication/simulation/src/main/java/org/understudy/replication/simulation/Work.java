package org.understudy.replication.simulation;

/** What the replicas' services have done. */
final class Work {
  /** Updates that have run at a replica, at least once. */
  long updates;
  /** Their runs. */
  long runs;
  /** Requests that waited for a run on the same resource at the same replica. */
  long waits;
  /** How often the update was run that was rolled back most often. */
  int mostRuns;

  /** Called when a replica runs an update for the n-th time. */
  void ran(int times) {
    mostRuns = Math.max(mostRuns, times);
    updates += times == 1 ? 1 : 0;
    runs++;
  }
}
