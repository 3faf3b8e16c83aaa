package org.understudy.replication.runtime.routing;

import org.understudy.replication.api.View;
import org.understudy.replication.core.Assignment;
import org.understudy.replication.core.Role;

/**
 * The role and view of a replica at one moment.
 *
 * @param assignment of the newest view that the replica knows
 */
public record Standing(Role role, Assignment assignment) {
  /** Before the first view. */
  public static final Standing START = new Standing(Role.JOINING, Assignment.NONE);

  public View view() {
    return assignment.view();
  }

  /** Whether the replica has a role in a view that has begun. */
  boolean active() {
    return role == Role.PRIMARY || role == Role.BACKUP;
  }

  /** Whether a view change is in progress in which the replica takes part. */
  boolean isChanging() {
    return role == Role.CHANGING;
  }
}
