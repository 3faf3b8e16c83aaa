package org.understudy.replication.runtime;

import java.util.List;
import org.understudy.replication.core.StateChange;

/**
 * Follows the state of a replica, in every role. Called in order, within the replica's exclusion and so in the way of
 * every request: take note, and do the work on another thread. Must not throw.
 */
public interface StateListener {
  /**
   * Whether {@link #note} uses this key. Always the same for one key. A whole state is passed without
   * the other keys, which a listener may receive nevertheless.
   */
  default boolean follows(String key) {
    return true;
  }

  /** What is kept under one key now, after an update or in a state that is passed whole; null: nothing. */
  void note(String key, byte[] state);

  /** Nothing that was noted holds any more; the whole state follows, key by key, in no order. */
  void forget();

  /** Updates were applied; at the primary before they are stable. */
  default void applied(List<StateChange> changes) {
    for (StateChange change : changes) {
      note(change.resource(), change.state());
    }
  }

  /** Every update up to this index is stable: it survives this replica, and clients may see it. */
  default void stable(long index) {}

  /** A state transfer has replaced the whole state; earlier calls of {@link #stable} are void. */
  default void replaced(WholeState state) {
    forget();
    state.forEach(this::note);
  }
}
