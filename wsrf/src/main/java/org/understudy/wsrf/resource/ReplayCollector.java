package org.understudy.wsrf.resource;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.understudy.replication.core.update.StateChange;
import org.understudy.replication.runtime.state.StateListener;

/**
 * Collects, at every replica, the parts of incremental states from one whole state to the next, and passes them on then. After a state
 * transfer it begins with the next whole state. Holds references to states that the replica has anyhow.
 */
public final class ReplayCollector implements StateListener {
  /** Receives what was collected, under the core's lock: must neither block nor throw. */
  @FunctionalInterface
  public interface Receiver {
    /**
     * The next whole state of a resource was applied.
     *
     * @param id of the resource
     * @param updates all updates between the two states
     */
    void accept(String id, byte[] before, List<byte[]> updates, byte[] after);
  }

  private final Receiver receiver;
  private final Map<String, Parts> resources = new HashMap<>();

  /** The parts of one resource since its last whole state. */
  private record Parts(long checkpoint, byte[] whole, List<byte[]> updates) {}

  public ReplayCollector(Receiver receiver) {
    this.receiver = receiver;
  }

  @Override
  public boolean follows(String key) {
    // A whole state that arrives by a transfer is not needed: its updates may be those of others.
    return false;
  }

  @Override
  public void onChange(String key, byte[] state) {
    // Only whole updates count, see applied().
  }

  @Override
  public void onReset() {
    resources.clear();
  }

  @Override
  public void applied(List<StateChange> changes) {
    for (StateChange change : changes) {
      if (change.resource().indexOf('/') < 0) {
        if (change.state() == null) {
          resources.remove(change.resource());
        } else {
          moved(change.resource(), change.state(), changes);
        }
      }
    }
  }

  private void moved(String id, byte[] marker, List<StateChange> changes) {
    StoredState.Position position = StoredState.Position.of(marker);
    Parts parts = resources.get(id);
    byte[] part = find(changes, position.lastKey(id));
    if (position.updates() > 0) {
      if (parts != null && parts.checkpoint() == position.checkpoint() && parts.updates().size() == position.updates() - 1) {
        parts.updates().add(part);
      } else {
        resources.remove(id);
      }
      return;
    }
    byte[] last = StoredState.Position.lastUpdate(marker);
    if (parts != null && last != null && parts.checkpoint() == position.checkpoint() - 1) {
      parts.updates().add(last);
      receiver.accept(id, parts.whole(), parts.updates(), part);
    }
    resources.put(id, new Parts(position.checkpoint(), part, new ArrayList<>()));
  }

  private static byte[] find(List<StateChange> changes, String key) {
    for (StateChange change : changes) {
      if (change.resource().equals(key)) {
        return change.state();
      }
    }
    throw new IllegalStateException("An update names the part " + key + " of a state and does not hold it.");
  }
}
