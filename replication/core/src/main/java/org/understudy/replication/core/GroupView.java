package org.understudy.replication.core;

import java.util.List;
import org.understudy.replication.api.ReplicaId;

/**
 * The replicas that a group channel considers present. A hint, as {@link Input.Suspected} is: two sides of a partition may
 * each have a view, and members may crash before they receive it. Strategies must not decide anything on it alone.
 *
 * @param number grows with every view that one replica installs; equal numbers at two replicas need not mean equal views
 * @param members in one order, which every member of the view sees, so that all see the same first one. Empty when the channel
 *     of this replica has failed
 */
public record GroupView(long number, List<ReplicaId> members) {
  public GroupView {
    members = List.copyOf(members);
  }

  public boolean contains(ReplicaId replica) {
    return members.contains(replica);
  }
}
