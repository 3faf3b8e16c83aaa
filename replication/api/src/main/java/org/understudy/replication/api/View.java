package org.understudy.replication.api;

import java.util.List;

/**
 * Which replicas are in the group during one epoch, in their order.
 *
 * @param epoch grows with every view; 0 is "no view yet"
 * @param members the primary first, then the senior backup (the next primary, chosen in advance), then the others;
 *     empty only in {@link #NONE}
 */
public record View(long epoch, List<ReplicaId> members) {
  /** Before the first view. */
  public static final View NONE = new View(0, List.of());

  public View {
    members = List.copyOf(members);
    if ((epoch == 0) != members.isEmpty() || epoch < 0) {
      throw new IllegalArgumentException("A view has an epoch above 0 and at least one member.");
    }
    if (members.stream().distinct().count() != members.size()) {
      throw new IllegalArgumentException("A view lists each member once: " + members);
    }
  }

  /**
   * The first member, or null in {@link #NONE}: where the strategy has a primary, the one replica that executes updates in this
   * epoch. For strategies and their runtime; other code uses routing and duties.
   */
  public ReplicaId primary() {
    return members.isEmpty() ? null : members.get(0);
  }

  /** The second member: the next primary, chosen in advance; null when there is no backup. */
  public ReplicaId senior() {
    return members.size() < 2 ? null : members.get(1);
  }

  public boolean contains(ReplicaId replica) {
    return members.contains(replica);
  }
}
