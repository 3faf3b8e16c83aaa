package org.understudy.replication.core.group;

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

/**
 * The strategy {@code group}: every member of the view executes, and the primary of the view gives the updates their order. A
 * member needs state that can be captured, stable storage, and a channel to each other replica.
 */
public final class GroupReplication implements ReplicationStrategy {
  private final DelegationPolicy delegations;

  public GroupReplication() {
    this(DelegationPolicy.DEFAULT);
  }

  /** For simulations and comparisons. */
  public GroupReplication(DelegationPolicy delegations) {
    this.delegations = delegations;
  }

  @Override
  public String name() {
    return "group";
  }

  @Override
  public Set<Capability> requires() {
    return Set.of(Capability.STATE_CAPTURE, Capability.STABLE_STORAGE, Capability.PEER_CHANNEL);
  }

  /** A group channel delivers the content of updates; without one, messages between peers do. */
  @Override
  public Set<Capability> uses() {
    return Set.of(Capability.GROUP_CHANNEL);
  }

  @Override
  public Assignment assign(View view) {
    return Assignment.ofAll(view);
  }

  @Override
  public Set<RecordKind<?>> records() {
    return Set.of(MembershipRecord.KIND, JournalRecord.KIND);
  }

  @Override
  public boolean canStartEmpty() {
    return true;
  }

  /** A proposer without a journal counts the sequencer's share of an update, which a journal may not have synced. */
  @Override
  public boolean needsEqualJournals() {
    return true;
  }

  @Override
  public List<MessageKind> messages() {
    List<MessageKind> all = new ArrayList<>(MembershipMessage.kinds());
    all.addAll(TransferMessage.kinds());
    all.add(SessionActivity.KIND);
    all.addAll(OrderMessage.kinds());
    all.addAll(GroupMessage.kinds());
    return all;
  }

  @Override
  public ReplicaCore open(ReplicaSetup setup) {
    return new GroupCore(setup, delegations, false);
  }
}
