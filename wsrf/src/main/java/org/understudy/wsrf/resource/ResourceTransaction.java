package org.understudy.wsrf.resource;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.xml.namespace.QName;
import org.understudy.replication.api.StateCapture;
import org.understudy.replication.api.UnknownResourceException;
import org.understudy.replication.core.StateChange;
import org.w3c.dom.Element;

/**
 * One operation on a resource: it requests the resource's lock, begins, and leaves. Belongs to a request and is used by one
 * thread at a time; only {@link #request}, {@link #withdraw} and {@link #leave} may run concurrently.
 *
 * <p>Its object stays the same from the first access on, also when other replicas' updates of the resource are applied
 * meanwhile; {@link #versions} lets the replica detect them when it validates the update. What it creates is locked from
 * {@link #capture} until it leaves.
 */
public final class ResourceTransaction {
  /** Their places in the update, and those of its other changes, have 16 bits. */
  private static final int MAX_ENTRIES = 10_000;

  private final Resources home;
  private final Entrance entrance;
  private final String id;
  private final boolean read;
  private final Map<String, StateCapture> created = new LinkedHashMap<>();
  /** Of the plugin's own, by key; null: removed. */
  private final Map<String, byte[]> states = new LinkedHashMap<>();
  private final List<StateChange> entries = new ArrayList<>();
  private List<Created> captured = List.of();
  private Map<QName, String> values;
  private boolean destroyed;
  /** What {@link #object} found, once it has {@link #looked}. */
  private StateCapture object;
  private boolean looked;
  /** The version of the resource before the first look; below zero: none yet. */
  private long seen = -1;
  /** What else was read, by key; null: nothing. */
  private Map<String, Long> alsoSeen;

  /** A new resource that only this visit can use. */
  private record Created(String id, LiveResource resource, ResourceLock.Claim claim) {}

  ResourceTransaction(Resources home, String id, boolean read) {
    this.home = home;
    this.id = id;
    this.read = read;
    this.entrance = new Entrance(home, id, read, this::isShown);
  }

  /**
   * Requests the lock, once. Does not wait.
   *
   * @param granted runs when the visit is let in later, by the thread that leaves the resource; must not block
   * @return true when it is in at once, and {@code granted} never runs
   */
  public boolean request(Runnable granted) {
    return entrance.request(granted);
  }

  /** Null for a visit to no resource. */
  private LiveResource resource() {
    return entrance.resource();
  }

  /** Whether the object shows what the replica knows; then this visit has it, whatever is applied next. */
  private boolean isShown() {
    long version = home.version(id);
    if (!home.isUpToDate(id, resource())) {
      return false;
    }
    seen = version;
    object = resource().object;
    looked = true;
    return true;
  }

  /** Whether it may wait at all: not behind an operation for which another request has waited in vain. */
  public boolean mayWait() {
    return !resource().occupied;
  }

  /** Gives up waiting. False when it is in: {@code granted} has run, or is about to. */
  public boolean withdraw() {
    return entrance.withdraw();
  }

  /**
   * It has been withdrawn after waiting in vain: from now on requests for the resource do not wait, until an operation leaves
   * it.
   *
   * @param ms for how long a request waits
   * @return with what to refuse the request
   */
  public OccupiedResourceException occupied(long ms) {
    resource().occupied = true;
    return new OccupiedResourceException(
        "An operation on the resource " + id + " has not ended for " + ms
            + " ms or more, and this request waited for it. Nothing was executed. Retry later.");
  }

  /**
   * The visit is in, and the operation begins.
   *
   * @throws RuntimeException when the state cannot be restored; the visit is to leave
   */
  public void begin() {
    if (Resources.SERVICE.equals(id)) {
      object();
      if (read) {
        entrance.share();
      }
    }
    if (!read) {
      home.began(this);
    }
  }

  /** Lets the next one in; again: nothing. */
  public void leave() {
    entrance.leave(() -> captured.forEach(made -> home.release(made.id(), made.resource(), made.claim())));
  }

  public boolean isRead() {
    return read;
  }

  /** The key of the resource that is visited, or null. */
  public String key() {
    return id;
  }

  /** Whether the key is one of the service's own resources; those of the plugin have a prefix, and no object. */
  private boolean isOfService() {
    return resource() != null && id.indexOf('/') < 0;
  }

  /** The object of the resource that is visited; null when the request names none of the service's or it does not exist. */
  public StateCapture object() {
    return isOfService() ? look() : null;
  }

  private StateCapture look() {
    if (!looked) {
      long version = home.version(id);
      object = home.object(id, resource());
      looked = true;
      seen = seen < 0 ? version : seen;
    }
    return object;
  }

  /**
   * The object of the resource that the operation is for.
   *
   * @throws UnknownResourceException when the request names none, or it does not exist
   */
  public StateCapture current() {
    if (id == null) {
      throw new UnknownResourceException("The request names no resource, neither in its URL nor in a reference parameter.");
    }
    StateCapture current = look();
    if (current == null) {
      throw new UnknownResourceException("The resource " + id + " is unknown.");
    }
    return current;
  }

  /**
   * A new resource comes into being with this visit.
   *
   * @param terminationTime null: it does not end by itself
   * @return its id
   */
  public String create(StateCapture object, Instant terminationTime) {
    serviceUpdating();
    String made = home.newId();
    created.put(made, object);
    TerminationTime.set(this, made, terminationTime);
    return made;
  }

  /** Adds a message to the update, see {@link Publisher}. */
  void publish(String topic, Element message) {
    serviceUpdating();
    home.publisher().publish(this, topic, message);
  }

  /** Ends the resource that the operation is for, as {@link #destroy}. */
  public void destroyCurrent() {
    serviceUpdating();
    current();
    destroy();
  }

  private void serviceUpdating() {
    if (read) {
      throw new IllegalStateException("An operation marked @Read must not create or destroy resources.");
    }
  }

  /** The resource ends with this visit, and with it its termination time. */
  public void destroy() {
    updating();
    destroyed = true;
  }

  /** How properties of the object were rendered after the last update; null when that is not known or not true any more. */
  public Map<QName, String> valuesBefore() {
    return object() == null ? null : resource().values;
  }

  /** The last argument of {@link #values(Map)} in this transaction, or null. */
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
    if (states.containsKey(key)) {
      return states.get(key);
    }
    see(key);
    return home.state(key);
  }

  /**
   * The operation is about to look at all that is kept under keys that begin so, or for whether there is any, in a table that
   * follows the replicated state. Reads that only enforce limits need not be declared.
   *
   * @param prefix with a slash at its end, for example {@code subscription/}
   */
  public void scan(String prefix) {
    see(prefix);
  }

  private void see(String key) {
    if (alsoSeen == null) {
      alsoSeen = new LinkedHashMap<>();
    }
    if (!alsoSeen.containsKey(key)) {
      alsoSeen.put(key, home.version(key));
    }
  }

  /**
   * The versions of all that this visit has read, by key: of its resource, of what is kept under keys of the plugin's own,
   * and of what it has scanned. What it changed without reading it is not among them.
   */
  public Map<String, Long> versions() {
    if (alsoSeen == null) {
      return seen < 0 ? Map.of() : Map.of(id, seen);
    }
    if (seen >= 0) {
      alsoSeen.put(id, seen);
    }
    return alsoSeen;
  }

  /** Keeps something under a key of the plugin's own: it changes together with all else that the operation does. */
  public void put(String key, byte[] state) {
    updating();
    if (key.indexOf('/') < 0) {
      throw new IllegalArgumentException(
          "The key " + key + " could be the id of a resource. A key of the plugin must contain a slash.");
    }
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
    if (entries.size() >= MAX_ENTRIES) {
      throw new IllegalStateException("One update adds more than " + MAX_ENTRIES + " entries. Send fewer at a time.");
    }
    entries.add(StateChange.entry(log, entry));
  }

  private void updating() {
    if (read) {
      throw new IllegalStateException("A read must not change the state.");
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
    } else if (objects && object != null) {
      changes.add(new StateChange(id, object.captureState()));
    }
    if (objects) {
      created.forEach((created, made) -> changes.add(new StateChange(created, made.captureState())));
    }
    created.forEach(this::adopt);
    states.forEach((key, state) -> changes.add(new StateChange(key, state)));
    changes.addAll(entries);
    return changes;
  }

  /** What is created is there for others when this leaves: until then it is locked. */
  private void adopt(String created, StateCapture made) {
    LiveResource fresh = new LiveResource();
    ResourceLock.Claim alone = fresh.lock.claim(false, () -> {});
    alone.request();
    captured = captured.isEmpty() ? new ArrayList<>() : captured;
    captured.add(new Created(created, fresh, alone));
    home.adopt(created, fresh, made);
  }

  /** The update stands: what it destroyed is gone. */
  public void keep() {
    LiveResource visited = resource();
    if (visited != null && !read) {
      visited.values = values;
    }
    if (destroyed) {
      visited.object = null;
    }
  }

  /** The update came to nothing: its object is read anew before it is used again, and what it created does not exist. */
  public void discard() {
    // A read has done nothing to its object.
    if (resource() != null && !read) {
      home.discarded(resource());
    }
    object = null;
    looked = false;
    captured.forEach(made -> home.forget(made.resource()));
    created.clear();
    states.clear();
    entries.clear();
    values = null;
    destroyed = false;
  }
}
