package org.understudy.replication.core.primarybackup;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.understudy.replication.api.View;
import org.understudy.replication.core.Assignment;
import org.understudy.replication.core.Capability;
import org.understudy.replication.core.MessageKind;
import org.understudy.replication.core.ReplicaCore;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.ReplicationStrategy;
import org.understudy.replication.core.journal.JournalRecord;
import org.understudy.replication.core.membership.MembershipMessage;
import org.understudy.replication.core.membership.MembershipRecord;
import org.understudy.replication.core.order.OrderMessage;
import org.understudy.replication.core.record.RecordKind;
import org.understudy.replication.core.session.SessionActivity;
import org.understudy.replication.core.transfer.TransferMessage;

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
    return Set.of(MembershipRecord.KIND, JournalRecord.KIND);
  }

  @Override
  public List<MessageKind> messages() {
    List<MessageKind> all = new ArrayList<>(MembershipMessage.kinds());
    all.addAll(TransferMessage.kinds());
    all.add(SessionActivity.KIND);
    all.addAll(OrderMessage.kinds());
    return all;
  }

  @Override
  public boolean decides() {
    return true;
  }

  @Override
  public boolean canStartEmpty() {
    return true;
  }

  @Override
  public ReplicaCore open(ReplicaSetup setup) {
    return new PrimaryBackupCore(setup);
  }
}
