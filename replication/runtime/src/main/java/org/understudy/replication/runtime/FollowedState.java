package org.understudy.replication.runtime;

import java.util.ArrayList;
import java.util.List;
import org.understudy.replication.core.StateChange;

/**
 * The state as one listener hears of it. Collects what the listener follows of a state that arrives in parts, so that the step
 * in which it is whole hands over that alone. Used under the core's exclusion.
 */
final class FollowedState {
  private final StateListener listener;
  /** Null when the listener has not heard of the transfer from its beginning. */
  private List<StateChange> arriving;

  FollowedState(StateListener listener) {
    this.listener = listener;
  }

  StateListener listener() {
    return listener;
  }

  void applied(List<StateChange> changes) {
    listener.applied(changes);
  }

  void stable(long index) {
    listener.stable(index);
  }

  void receiving(int part, List<StateChange> resources) {
    List<StateChange> known = part == 0 ? new ArrayList<>() : arriving;
    // Unless the listener throws: then it is to hear of everything.
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

  /** @param whole the state that has taken the place of the one before */
  void replaced(WholeState whole) {
    List<StateChange> own = arriving;
    arriving = null;
    listener.replaced(
        own == null ? whole : taker -> own.forEach(change -> taker.accept(change.resource(), change.state())));
  }
}
