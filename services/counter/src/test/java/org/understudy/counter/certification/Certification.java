package org.understudy.counter.certification;

import java.util.Set;
import org.understudy.replication.api.View;
import org.understudy.replication.core.Assignment;
import org.understudy.replication.core.Capability;
import org.understudy.replication.core.ReplicaCore;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.ReplicationStrategy;

/** A strategy for tests: every replica serves every request and certifies its executions in the group's order. */
public final class Certification implements ReplicationStrategy {
  @Override
  public String name() {
    return "certification";
  }

  @Override
  public Set<Capability> requires() {
    return Set.of(Capability.STATE_CAPTURE, Capability.GROUP_CHANNEL);
  }

  @Override
  public Assignment assign(View view) {
    return Assignment.ofAll(view);
  }

  @Override
  public ReplicaCore open(ReplicaSetup setup) {
    return new CertifyingCore(setup);
  }
}
