package org.understudy.replication.core.group;

import java.util.List;
import java.util.Set;
import org.understudy.replication.api.View;
import org.understudy.replication.core.Assignment;
import org.understudy.replication.core.Capability;
import org.understudy.replication.core.MessageKind;
import org.understudy.replication.core.ReplicaCore;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.ReplicationStrategy;
import org.understudy.replication.core.record.RecordKind;

/**
 * The strategy {@code group} with the naive state transfer of Bartoli et al. 2005, section 4, for comparison: the sequencer
 * sends its whole state to every replica, and places no update meanwhile.
 */
public final class GroupWithNaiveTransfer implements ReplicationStrategy {
  private final GroupReplication group = new GroupReplication();

  @Override
  public String name() {
    return "group-naive-transfer";
  }

  @Override
  public boolean isOfMeasurements() {
    return true;
  }

  @Override
  public Set<Capability> requires() {
    return group.requires();
  }

  @Override
  public Set<Capability> uses() {
    return group.uses();
  }

  @Override
  public Assignment assign(View view) {
    return group.assign(view);
  }

  @Override
  public Set<RecordKind<?>> records() {
    return group.records();
  }

  @Override
  public boolean canStartEmpty() {
    return group.canStartEmpty();
  }

  @Override
  public boolean needsEqualJournals() {
    return group.needsEqualJournals();
  }

  @Override
  public List<MessageKind> messages() {
    return group.messages();
  }

  @Override
  public ReplicaCore open(ReplicaSetup setup) {
    return new GroupCore(setup, DelegationPolicy.DEFAULT, true);
  }
}
