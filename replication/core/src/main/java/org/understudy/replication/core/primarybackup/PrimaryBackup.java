package org.understudy.replication.core.primarybackup;

import java.util.Set;
import org.understudy.replication.api.View;
import org.understudy.replication.core.Assignment;
import org.understudy.replication.core.Capability;
import org.understudy.replication.core.RecordKind;
import org.understudy.replication.core.ReplicaCore;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.ReplicationStrategy;
import org.understudy.replication.core.membership.MembershipRecord;

/** The strategy {@code primary-backup}. */
public final class PrimaryBackup implements ReplicationStrategy {
  @Override
  public String name() {
    return "primary-backup";
  }

  @Override
  public Set<Capability> requires() {
    return Set.of(Capability.STATE_CAPTURE, Capability.STABLE_STORAGE, Capability.PEER_CHANNEL);
  }

  @Override
  public Assignment assign(View view) {
    return Assignment.ofPrimary(view);
  }

  @Override
  public Set<RecordKind<?>> records() {
    return Set.of(MembershipRecord.KIND);
  }

  @Override
  public ReplicaCore open(ReplicaSetup setup) {
    return new PrimaryBackupCore(setup);
  }
}
