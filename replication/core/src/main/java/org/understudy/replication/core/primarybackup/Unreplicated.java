package org.understudy.replication.core.primarybackup;

import java.util.List;
import java.util.Set;
import org.understudy.replication.api.View;
import org.understudy.replication.core.Assignment;
import org.understudy.replication.core.Capability;
import org.understudy.replication.core.ReplicaCore;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.ReplicationStrategy;
import org.understudy.replication.core.record.Recovered;

/**
 * The strategy {@code none}, the baseline: a primary without backups, so every update is stable at once. Sessions and
 * duplicates work as in other strategies; nothing survives the process.
 */
public final class Unreplicated implements ReplicationStrategy {
  @Override
  public String name() {
    return "none";
  }

  @Override
  public Set<Capability> requires() {
    return Set.of();
  }

  @Override
  public Assignment assign(View view) {
    return Assignment.ofPrimary(view);
  }

  @Override
  public boolean decides() {
    return true;
  }

  @Override
  public ReplicaCore open(ReplicaSetup setup) {
    return new PrimaryBackupCore(
        new ReplicaSetup(
            setup.self(),
            List.of(setup.self()),
            Recovered.NOTHING,
            setup.incarnation(),
            setup.timing(),
            setup.limits(),
            setup.reads(),
            setup.rules()));
  }
}
