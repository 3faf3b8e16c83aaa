package org.understudy.replication.runtime.state;

import java.util.ArrayList;
import java.util.List;
import org.understudy.replication.core.update.StateChange;

/**
 * The part of the state that one listener follows. Collects it while a state arrives in parts, so that the step which
 * completes the state passes only that part on. Used under the core's lock.
 */
public final class FollowedState {
  private final StateListener listener;
  /** Null when the listener missed the beginning of the transfer. */
  private List<StateChange> arriving;

  FollowedState(StateListener listener) {
    this.listener = listener;
  }

  StateListener listener() {
    return listener;
  }

  public void applied(List<StateChange> changes) {
    listener.applied(changes);
  }

  public void stable(long index) {
    listener.stable(index);
  }

  public void receiving(int part, List<StateChange> resources) {
    List<StateChange> known = part == 0 ? new ArrayList<>() : arriving;
    // Skipped when the listener throws: it then gets the whole state.
    arriving = null;
    if (known != null) {
      for (StateChange resource : resources) {
        if (listener.follows(resource.resource())) {
          known.add(resource);
        }
      }
    }
    arriving = known;
  }

  /** @param whole the state that has replaced the earlier one */
  public void replaced(WholeState whole) {
    List<StateChange> own = arriving;
    arriving = null;
    listener.replaced(
        own == null ? whole : taker -> own.forEach(change -> taker.accept(change.resource(), change.state())));
  }
}
