package org.understudy.container.resource;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Lock;
import org.understudy.replication.api.StateCapture;
import org.understudy.replication.core.StateChange;

/** One operation's stay at a resource. Belongs to the thread that entered. */
public final class Visit {
  private final Resources home;
  final String id;
  final LiveResource resource;
  private final Lock lock;
  final boolean read;
  final Map<String, StateCapture> created = new LinkedHashMap<>();
  boolean destroyed;

  Visit(Resources home, String id, LiveResource resource, Lock lock, boolean read) {
    this.home = home;
    this.id = id;
    this.resource = resource;
    this.lock = lock;
    this.read = read;
  }

  /** After an update: the new states of what it changed, captured below any marshalling. */
  public List<StateChange> capture() {
    List<StateChange> changes = new ArrayList<>(1 + created.size());
    if (resource != null && resource.object != null) {
      changes.add(new StateChange(id, destroyed ? null : resource.object.captureState()));
    }
    created.forEach((created, object) -> changes.add(new StateChange(created, object.captureState())));
    return changes;
  }

  /** The update stands: what it created is there, what it destroyed is gone. */
  public void keep() {
    created.forEach(home::adopt);
    if (destroyed) {
      resource.object = null;
    }
  }

  /** The update came to nothing: its object is read anew before it is used again. */
  public void discard() {
    home.discarded(this);
    created.keySet().forEach(home::forget);
    created.clear();
  }

  /** Lets the next one in. */
  public void leave() {
    home.left(this);
    if (lock != null) {
      lock.unlock();
    }
  }
}
