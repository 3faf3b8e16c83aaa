package org.understudy.replication.runtime.state;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The listeners to a replica's state. Called between two steps, under the core's lock. Exceptions of a listener are logged
 * and not propagated, so they cannot interrupt a step.
 */
public final class StateListeners {
  private static final Logger LOG = LoggerFactory.getLogger(StateListeners.class);

  private final List<FollowedState> listeners = new CopyOnWriteArrayList<>();

  public void add(StateListener listener) {
    listeners.add(new FollowedState(listener));
  }

  public void deliver(List<Consumer<FollowedState>> events) {
    if (events.isEmpty()) {
      return;
    }
    for (FollowedState followed : listeners) {
      try {
        for (int i = 0; i < events.size(); i++) {
          events.get(i).accept(followed);
        }
      } catch (RuntimeException | Error e) {
        LOG.error(
            "The state listener {} failed on an update. The state is not affected; what the listener derives from it may"
                + " be stale until this replica restarts.",
            followed.listener().getClass().getName(), e);
      }
    }
  }
}
