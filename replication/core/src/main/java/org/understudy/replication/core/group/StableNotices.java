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
import org.understudy.replication.core.wire.WireVersions;

/**
 * As sequencer: sends the members what is stable, at once where callers wait for it. Each update carries the same, so while one member
 * alone proposes, and no other asks, a notice waits for the next update or tick: it would wake replicas that do nothing else, on
 * processors that the next request could use. A caller can wait for a notice nevertheless: where two members do not reach each other, the
 * proposer lacks an acknowledgement, and has no next update before the notice. So after some that no update has carried, others go at once.
 */
final class StableNotices {
  /** Notices wait after as many updates of one member. */
  private static final int SUCCESSION = 4;
  /** As many notices in succession that no update has carried mean that a caller may have waited for each. */
  private static final int UNCARRIED = 3;
  /** The notices of as many updates then go at once. */
  private static final int AT_ONCE = 256;

  private final ReplicaSetup setup;
  private final Membership membership;
  private final ViewOrder view;
  private final SoleProposer sole;
  /** The notice that waits, or null. */
  private Stable waiting;
  /** Notices in succession that no update has carried. */
  private int uncarried;
  /** The notices of as many updates go at once. */
  private int atOnce;

  StableNotices(ReplicaSetup setup, Membership membership, ViewOrder view, SoleProposer sole) {
    this.setup = setup;
    this.membership = membership;
    this.view = view;
    this.sole = sole;
  }

  /** @param updates that have become stable */
  void send(Stable message, List<StateUpdate> updates, Effects out) {
    atOnce = Math.max(0, atOnce - updates.size());
    boolean waits = atOnce == 0 && sole.isAlone(SUCCESSION) && membership.wire() >= WireVersions.MEMBERS_ASK;
    waiting = waits ? message : null;
    Set<ReplicaId> callers = callers(updates);
    for (ReplicaId member : membership.view().members()) {
      if (callers.contains(member)) {
        out.send(member, message);
      } else if (!waits && !member.equals(setup.self())) {
        out.sendLast(member, message);
      }
    }
  }

  /** The other members that have proposed some of these and do not count the acknowledgements themselves. */
  private Set<ReplicaId> callers(List<StateUpdate> updates) {
    Set<ReplicaId> callers = new TreeSet<>();
    for (StateUpdate update : updates) {
      boolean elsewhere = update.origin() != null && !update.origin().replica().equals(setup.self());
      if (elsewhere && !view.isCountedByProposer(update)) {
        callers.add(update.origin().replica());
      }
    }
    return callers;
  }

  /** Called when the members have been told with an update that everything up to this index is stable. */
  void carried(long index) {
    if (waiting != null && waiting.index() <= index) {
      waiting = null;
      uncarried = 0;
    }
  }

  /** Called when a member asks what is stable: it has a client that has seen more than it has. */
  void asked(ReplicaId member, Effects out) {
    if (!member.equals(setup.self())) {
      sole.asks(member);
      if (waiting != null) {
        out.send(member, waiting);
      }
    }
  }

  /** Sends the notice that waits. */
  void tick(Effects out) {
    if (waiting != null) {
      for (ReplicaId member : membership.view().members()) {
        if (!member.equals(setup.self())) {
          out.send(member, waiting);
        }
      }
      waiting = null;
      uncarried++;
      if (uncarried == UNCARRIED) {
        uncarried = 0;
        atOnce = AT_ONCE;
      }
    }
  }

  /** Called when this replica enters a view. */
  void enter() {
    waiting = null;
    uncarried = 0;
    atOnce = 0;
  }
}
