package org.understudy.replication.runtime;

import java.util.List;
import java.util.Map;
import org.understudy.replication.core.StateChange;

/**
 * Follows the state of a replica, in every role. Called in order, within the replica's exclusion and so in the way of
 * every request: take note, and do the work on another thread. Must not throw.
 */
public interface StateListener {
  /** Updates were applied; at the primary before they are stable. */
  void applied(List<StateChange> changes);

  /** Every update up to this index is stable: it survives this replica, and clients may be told. */
  void stable(long index);

  /** The whole state is another, after a state transfer; what {@link #stable} said before is void. */
  void replaced(Map<String, byte[]> state);
}
