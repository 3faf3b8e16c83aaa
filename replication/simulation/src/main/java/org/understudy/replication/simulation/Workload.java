package org.understudy.replication.simulation;

import java.util.Map;
import org.understudy.replication.api.ReadLevel;
import org.understudy.replication.simulation.checker.Observation;

/** What runs on a simulated group instead of its own counters: a service at each replica, and clients. */
public interface Workload {
  /** A replica has started; what stood on its former life is gone. */
  void started(SimulatedReplica replica);

  /** All replicas have started for the first time; the clients begin. */
  void begin();

  /** How many ends of the network are clients; the first is {@link SimulatedNetwork#FIRST_CLIENT}. */
  int clients();

  /** Someone asks this replica soon: to read a resource at a level, or to change one when the level is null. */
  void invokeAt(int replica, ReadLevel level);

  /** Whether nothing is open any more; asked when {@link Simulation#working} is false. */
  boolean isIdle();

  /** The group has settled and nobody invokes any more; before the replicas are compared. */
  void settled();

  /**
   * All is over; before the history is checked.
   *
   * @param image the final state, equal on all replicas
   */
  void finished(Map<String, byte[]> image);

  /** Whether a resource exists from the start with value 0. */
  boolean isPermanent(String resource);

  /** What a reply shows; null: nothing of a resource. */
  Observation observation(byte[] body);
}
