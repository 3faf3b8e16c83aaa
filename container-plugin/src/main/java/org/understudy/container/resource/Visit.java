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
  /** Of the plugin's own, by key; null: removed. */
  private final Map<String, byte[]> states = new LinkedHashMap<>();
  private final List<StateChange> entries = new ArrayList<>();
  boolean destroyed;

  Visit(Resources home, String id, LiveResource resource, Lock lock, boolean read) {
    this.home = home;
    this.id = id;
    this.resource = resource;
    this.lock = lock;
    this.read = read;
  }

  /** The key of the resource that is visited, or null. */
  public String key() {
    return id;
  }

  /** The object of the resource that is visited; null when the request names none or it does not exist. */
  public StateCapture object() {
    return resource == null ? null : home.object(this);
  }

  /** The resource ends with this visit. */
  public void destroy() {
    destroyed = true;
  }

  public boolean isDestroyed() {
    return destroyed;
  }

  /** What is kept under a key of the plugin's own, as this visit sees it; null: nothing. Must not be changed. */
  public byte[] state(String key) {
    return states.containsKey(key) ? states.get(key) : home.state(key);
  }

  /** Keeps something under a key of the plugin's own: it changes together with all else that the operation does. */
  public void put(String key, byte[] state) {
    updating();
    states.put(key, state);
  }

  /** Keeps nothing any more under a key of the plugin's own. */
  public void remove(String key) {
    updating();
    states.put(key, null);
  }

  /** Adds an entry to a log of the plugin's own, see {@link StateChange#NUMBERED}. */
  public void append(String log, byte[] entry) {
    updating();
    entries.add(StateChange.entry(log, entry));
  }

  private void updating() {
    if (read) {
      throw new IllegalStateException("A read changes nothing.");
    }
  }

  /**
   * After an update: the new states of what it changed, captured below any marshalling.
   *
   * @param objects whether objects are captured; what is the plugin's own always is
   */
  public List<StateChange> capture(boolean objects) {
    List<StateChange> changes = new ArrayList<>(1 + created.size() + states.size() + entries.size());
    if (objects && resource != null && resource.object != null) {
      changes.add(new StateChange(id, destroyed ? null : resource.object.captureState()));
    }
    if (objects) {
      created.forEach((created, object) -> changes.add(new StateChange(created, object.captureState())));
    }
    states.forEach((key, state) -> changes.add(new StateChange(key, state)));
    changes.addAll(entries);
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
    states.clear();
    entries.clear();
    destroyed = false;
  }

  /** Lets the next one in. */
  public void leave() {
    home.left(this);
    if (lock != null) {
      lock.unlock();
    }
  }
}
