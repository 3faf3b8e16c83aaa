package org.understudy.replication.core.group;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.Effects;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.group.GroupMessage.Stable;
import org.understudy.replication.core.membership.Membership;
import org.understudy.replication.core.order.ViewOrder;
import org.understudy.replication.core.update.StateUpdate;

/** As sequencer: sends the members what is stable, at once where callers wait for it. */
final class StableNotices {
  private final ReplicaSetup setup;
  private final Membership membership;
  private final ViewOrder view;

  StableNotices(ReplicaSetup setup, Membership membership, ViewOrder view) {
    this.setup = setup;
    this.membership = membership;
    this.view = view;
  }

  /** @param updates that have become stable */
  void send(Stable message, List<StateUpdate> updates, Effects out) {
    Set<ReplicaId> waiting = waiting(updates);
    for (ReplicaId member : membership.view().members()) {
      if (waiting.contains(member)) {
        out.send(member, message);
      } else if (!member.equals(setup.self())) {
        out.sendLast(member, message);
      }
    }
  }

  /** The other members that have proposed some of these and do not count the acknowledgements themselves. */
  private Set<ReplicaId> waiting(List<StateUpdate> updates) {
    Set<ReplicaId> waiting = new TreeSet<>();
    for (StateUpdate update : updates) {
      boolean elsewhere = update.origin() != null && !update.origin().replica().equals(setup.self());
      if (elsewhere && !view.isCountedByProposer(update)) {
        waiting.add(update.origin().replica());
      }
    }
    return waiting;
  }
}
