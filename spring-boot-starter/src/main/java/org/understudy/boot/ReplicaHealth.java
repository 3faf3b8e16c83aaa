package org.understudy.boot;

import java.util.LinkedHashMap;
import java.util.Map;
import org.understudy.container.deployment.Deployment;
import org.understudy.replication.runtime.Replica;

/**
 * The health of the replicas of an application, for the indicators of Boot 3 and Boot 4, whose classes have different packages.
 *
 * @param state of the replicas
 * @param details what the indicator shows with the state
 */
record ReplicaHealth(State state, Map<String, Object> details) {
  /** What a replica does, from the best to the worst. */
  enum State {
    /** It serves requests. */
    UP,
    /** It serves none now. */
    OUT_OF_SERVICE,
    /** It has halted. */
    DOWN
  }

  /** Returns the health of the only replica, or the worst health of several with the details of each. */
  static ReplicaHealth of(Deployment deployment) {
    Map<String, Replica> replicas = deployment.replicas();
    if (replicas.size() == 1) {
      return of(replicas.values().iterator().next());
    }
    State worst = State.UP;
    Map<String, Object> details = new LinkedHashMap<>();
    for (Map.Entry<String, Replica> group : replicas.entrySet()) {
      ReplicaHealth health = of(group.getValue());
      worst = health.state().compareTo(worst) > 0 ? health.state() : worst;
      details.put(group.getKey(), health.details());
    }
    return new ReplicaHealth(worst, details);
  }

  private static ReplicaHealth of(Replica replica) {
    String halted = replica.halted();
    if (halted != null) {
      return new ReplicaHealth(State.DOWN, Map.of("halted", halted));
    }
    Map<String, Object> details = new LinkedHashMap<>();
    details.put("role", replica.status().roleName());
    details.put("epoch", replica.status().view().epoch());
    details.put("writable", replica.status().writable());
    String blocked = replica.blocked();
    if (blocked != null) {
      details.put("blocked", blocked);
    }
    String awaits = replica.awaited();
    if (awaits != null) {
      details.put("awaits", awaits);
    }
    return new ReplicaHealth(blocked != null || replica.routing().served().isEmpty() ? State.OUT_OF_SERVICE : State.UP, details);
  }
}
