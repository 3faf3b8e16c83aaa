package org.understudy.container.resource;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Lock;
import javax.xml.namespace.QName;
import org.understudy.replication.api.StateCapture;
import org.understudy.replication.core.StateChange;

/** One operation's stay at a resource. Belongs to the thread that entered. */
public final class Visit {
  /** Their places in the update, and those of its other changes, have 16 bits. */
  private static final int MOST_ENTRIES = 10_000;

  private final Resources home;
  final String id;
  final LiveResource resource;
  /** Held until the visit ends; null when there is none. */
  Lock lock;
  final boolean read;
  final Map<String, StateCapture> created = new LinkedHashMap<>();
  /** Of the plugin's own, by key; null: removed. */
  private final Map<String, byte[]> states = new LinkedHashMap<>();
  private final List<StateChange> entries = new ArrayList<>();
  private Map<QName, String> values;
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

  /** Whether the key is one of the service's own resources; those of the plugin have a prefix, and no object. */
  private boolean isOfService() {
    return resource != null && id.indexOf('/') < 0;
  }

  /** The object of the resource that is visited; null when the request names none of the service's or it does not exist. */
  public StateCapture object() {
    return isOfService() ? home.object(this) : null;
  }

  /** The resource ends with this visit, and with it its termination time. */
  public void destroy() {
    updating();
    destroyed = true;
  }

  /** How properties of the object were rendered after the last update; null when that is not known or not true any more. */
  public Map<QName, String> valuesBefore() {
    return object() == null ? null : resource.values;
  }

  /** What {@link #values(Map)} said last in this visit, or null. */
  public Map<QName, String> values() {
    return values;
  }

  /** Remembers how properties of the object are rendered now; for the next visit too, if this one stands. */
  public void values(Map<QName, String> rendered) {
    values = rendered;
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
    if (entries.size() >= MOST_ENTRIES) {
      throw new IllegalStateException("One update adds more than " + MOST_ENTRIES + " entries; send fewer at a time.");
    }
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
    home.ending(this);
    if (destroyed) {
      TerminationTime.set(this, id, null);
    }
    List<StateChange> changes = new ArrayList<>(1 + created.size() + states.size() + entries.size());
    if (destroyed && (objects || !isOfService())) {
      changes.add(new StateChange(id, null));
    } else if (objects && resource != null && resource.object != null) {
      changes.add(new StateChange(id, resource.object.captureState()));
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
    if (resource != null) {
      resource.values = values;
    }
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
    values = null;
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
