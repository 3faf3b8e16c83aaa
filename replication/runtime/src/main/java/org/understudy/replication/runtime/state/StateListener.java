package org.understudy.replication.runtime.state;

import java.util.List;
import org.understudy.replication.core.update.StateChange;

/**
 * Follows the state of a replica, in every role. Called in order, under the replica's lock and so on the path of every
 * request: record the change, and do the work on another thread. Must not throw.
 */
public interface StateListener {
  /**
   * Whether this listener follows the key. Constant for each key. A whole state is passed without the other keys; changes
   * may include them.
   */
  default boolean follows(String key) {
    return true;
  }

  /** Receives the state under one key, after an update or as part of a whole state; null: removed. */
  void onChange(String key, byte[] state);

  /** Drops all recorded state; the whole state follows, key by key, in no order. */
  void onReset();

  /** Receives applied updates; at the primary before they are stable. */
  default void applied(List<StateChange> changes) {
    for (StateChange change : changes) {
      onChange(change.resource(), change.state());
    }
  }

  /** Every update up to this index is stable: it survives this replica, and clients may see it. */
  default void stable(long index) {}

  /** A state transfer has replaced the whole state; earlier calls of {@link #stable} are void. */
  default void replaced(WholeState state) {
    onReset();
    state.forEach(this::onChange);
  }
}
