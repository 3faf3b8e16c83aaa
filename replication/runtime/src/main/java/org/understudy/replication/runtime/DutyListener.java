package org.understudy.replication.runtime;

/**
 * Is notified when a duty of this replica begins and ends, in order, from one thread at a time. Must not block. A view
 * change does not end a duty while it lasts: no other replica has it then, and what is under way goes on.
 */
@FunctionalInterface
public interface DutyListener {
  /** The duty is this replica's in the view of this epoch; perhaps it was in the view before, too. */
  void begins(long epoch);

  /**
   * The duty was this replica's, and is another's, or this replica has left the view. Does nothing unless it is overridden:
   * work that calls {@link Duties#has} each time needs no end.
   */
  default void ends() {}
}
