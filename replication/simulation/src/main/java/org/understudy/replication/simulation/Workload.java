package org.understudy.replication.simulation;

import java.util.Map;
import org.understudy.replication.api.ReadLevel;
import org.understudy.replication.simulation.checker.Observation;

/** Runs on a simulated group instead of its own counters: a service at each replica, and clients. */
public interface Workload {
  /** A replica has started; the state of its earlier incarnation is gone. */
  void started(SimulatedReplica replica);

  /** All replicas have started for the first time; the clients begin. */
  void begin();

  /** The number of ends of the network that are clients; the first is {@link SimulatedNetwork#FIRST_CLIENT}. */
  int clients();

  /** Sends this replica a request soon: a read of a resource at a level, or an update when the level is null. */
  void invokeAt(int replica, ReadLevel level);

  /** Whether nothing is open any more; called when {@link Simulation#working} is false. */
  boolean isIdle();

  /** The group has settled and no client invokes any more; before the replicas are compared. */
  void settled();

  /**
   * The run has ended; before the history is checked.
   *
   * @param image the final state, equal on all replicas
   */
  void finished(Map<String, byte[]> image);

  /** The final state with the state of each resource under its id, where the workload stores it in another form. */
  default Map<String, byte[]> plain(Map<String, byte[]> image) {
    return image;
  }

  /** Whether a resource exists from the start with value 0. */
  boolean isPermanent(String resource);

  /** What a reply shows; null: no resource. */
  Observation observation(byte[] body);
}
