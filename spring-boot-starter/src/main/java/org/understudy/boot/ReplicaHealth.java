package org.understudy.boot;

import java.util.LinkedHashMap;
import java.util.Map;
import org.understudy.container.deployment.Deployment;
import org.understudy.replication.runtime.Replica;

/**
 * The health of a replica, for the indicators of Boot 3 and Boot 4, whose classes have different packages.
 *
 * @param state of the replica
 * @param details what the indicator shows with the state
 */
record ReplicaHealth(State state, Map<String, Object> details) {
  /** What a replica does. */
  enum State {
    /** It serves requests. */
    UP,
    /** It serves none now. */
    OUT_OF_SERVICE,
    /** It has halted. */
    DOWN
  }

  static ReplicaHealth of(Deployment deployment) {
    Replica replica = deployment.replica();
    String halted = replica.halted();
    if (halted != null) {
      return new ReplicaHealth(State.DOWN, Map.of("halted", halted));
    }
    Map<String, Object> details = new LinkedHashMap<>();
    details.put("role", replica.status().roleName());
    details.put("epoch", replica.status().view().epoch());
    details.put("writable", replica.status().writable());
    return new ReplicaHealth(replica.routing().served().isEmpty() ? State.OUT_OF_SERVICE : State.UP, details);
  }
}
