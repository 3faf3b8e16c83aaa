package org.understudy.replication.runtime.routing;

/**
 * Receives the beginning and end of a duty of this replica, in order, from one thread at a time. Must not block. A view
 * change does not end a duty while it lasts: no other replica has it then, and work in progress continues.
 */
@FunctionalInterface
public interface DutyListener {
  /** The duty belongs to this replica in the view of this epoch, possibly as in the view before. */
  void begins(long epoch);

  /**
   * The duty has passed to another replica, or this replica has left the view. Does nothing by default: work that calls
   * {@link Duties#has} each time needs no end.
   */
  default void ends() {}
}
