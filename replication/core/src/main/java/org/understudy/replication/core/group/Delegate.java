package org.understudy.replication.core.group;

import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.Effects;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.Role;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.group.GroupMessage.Delegation;
import org.understudy.replication.core.group.GroupMessage.Recall;
import org.understudy.replication.core.group.GroupMessage.Return;
import org.understudy.replication.core.membership.Membership;
import org.understudy.replication.core.update.StateUpdate;

/** As a member to which the sequencer has delegated the order: places this replica's proposals. */
final class Delegate {
  private final ReplicaSetup setup;
  private final Membership membership;
  private final CertifiedOrder order;
  /** The delegation under which this replica may place, or null. */
  private Delegation delegation;
  /** Whether this replica holds everything that was placed before the delegation. */
  private boolean begun;
  /** The highest number of a delegation of this epoch that has arrived or was recalled: it is not taken again. */
  private long last;
  /** The last update placed under the last delegation that was used; 0 for none. */
  private long end;
  private long endOf;

  Delegate(ReplicaSetup setup, Membership membership, CertifiedOrder order) {
    this.setup = setup;
    this.membership = membership;
    this.order = order;
  }

  private boolean isFromSequencer(ReplicaId from, long epoch) {
    return membership.role() == Role.BACKUP && membership.inView(epoch) && from.equals(membership.view().primary());
  }

  void onDelegation(long now, ReplicaId from, Delegation message, Effects out) {
    boolean isNew = message.number() > last || !setup.enforces(Rule.RECALLED_DELEGATION_IS_VOID);
    if (isFromSequencer(from, message.epoch()) && isNew && !setup.journal()) {
      last = Math.max(last, message.number());
      delegation = message;
      begun = false;
      begin(now, out);
    }
  }

  /** Called when an update has arrived: if it was the last before the delegation, places what this replica has proposed since. */
  void begin(long now, Effects out) {
    boolean complete =
        delegation != null && (order.log().end() >= delegation.index() || !setup.enforces(Rule.DELEGATE_HOLDS_ALL));
    if (complete && !begun) {
      begun = true;
      order.proposer().proposedAfter(delegation.placed()).forEach(update -> place(now, update, out));
    }
  }

  /** Whether this replica places what it proposes. */
  boolean mayPlace() {
    return begun && delegation != null && membership.role() == Role.BACKUP && membership.inView(delegation.epoch());
  }

  /** Places a proposal of this replica, and sends it to the members. */
  void place(long now, StateUpdate proposal, Effects out) {
    StateUpdate update = order.requests().placed(proposal, order.epoch(), order.log().end() + 1);
    end = update.index();
    endOf = delegation.number();
    order.view().place(now, update, out);
    order.received(update);
  }

  void onRecall(ReplicaId from, Recall message, Effects out) {
    if (isFromSequencer(from, message.epoch())) {
      last = Math.max(last, message.number());
      if (delegation != null && delegation.number() <= message.number()) {
        delegation = null;
        begun = false;
      }
      out.send(from, new Return(message.epoch(), message.number(), endOf == message.number() ? end : 0));
    }
  }

  /** Called when this replica enters a view, or has lost its state. */
  void clear() {
    delegation = null;
    begun = false;
    last = 0;
    end = 0;
    endOf = 0;
  }
}
