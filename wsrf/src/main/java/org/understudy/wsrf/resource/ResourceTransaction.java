package org.understudy.wsrf.resource;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;
import javax.xml.namespace.QName;
import org.understudy.replication.api.DelegatedState;
import org.understudy.replication.api.OutgoingCall;
import org.understudy.replication.api.StateCapture;
import org.understudy.replication.api.UnknownResourceException;
import org.understudy.replication.api.decision.Branch;
import org.understudy.replication.api.decision.ParticipantRecord;
import org.understudy.replication.core.update.StateChange;
import org.w3c.dom.Element;

/**
 * One operation on a resource. It requests the resource's lock, begins, commits or rolls back, and releases the lock. Belongs
 * to a request and is used by one thread at a time; only {@link #request}, {@link #withdraw} and {@link #release} may run
 * concurrently. No method blocks.
 *
 * <p>Its object stays the same from the first access on, also when other replicas' updates of the resource are applied
 * meanwhile; {@link #versions} lets the replica detect them when it validates the update. Resources that it creates are locked
 * from {@link #capture} until {@link #release}.
 *
 * <p>More than 400 lines because all that one operation can do to its resource is one interface, of methods that mostly delegate.
 */
public final class ResourceTransaction {
  private final Resources home;
  private final LockAcquisition lock;
  private final String id;
  private final boolean read;
  private final CreatedResources created;
  private final KeyChanges keys = new KeyChanges();
  private Map<QName, String> values;
  private boolean destroyed;
  private boolean discarded;
  /** Null when no database has a part of the update. */
  private TimedBranch branch;
  /** Null unless a coordinator decides the transaction that the operation is a part of. */
  private ParticipantRecord participant;
  /** Of the captured state, unless that is plain. */
  private StoredState.Position position;
  /** The resource's object or null, once {@link #objectLoaded}. */
  private StateCapture object;
  private boolean objectLoaded;
  private boolean copied;
  private final VersionsRead versions;

  ResourceTransaction(Resources home, String id, boolean read) {
    this.home = home;
    this.id = id;
    this.read = read;
    this.created = new CreatedResources(home);
    this.versions = new VersionsRead(home, id);
    this.lock = new LockAcquisition(home, id, read, this::loadIfUpToDate);
  }

  /**
   * Requests the lock, once. Does not wait.
   *
   * @param granted runs when the lock is granted later, on the thread that releases it; must not block
   * @return true when the lock is granted at once; then {@code granted} never runs
   */
  public boolean request(Runnable granted) {
    return request(null, granted);
  }

  /**
   * The same with a priority.
   *
   * @param priority a higher one is granted earlier; called at once, if the transaction has to wait. Null: the transaction comes before
   *     those with a priority
   */
  boolean request(IntSupplier priority, Runnable granted) {
    return lock.request(priority, granted);
  }

  /** Null for a transaction without a resource. */
  private LiveResource resource() {
    return lock.resource();
  }

  /** Returns false when the object is stale; otherwise keeps it for this transaction, whatever is applied next. */
  private boolean loadIfUpToDate() {
    long version = home.version(id);
    if (!home.isUpToDate(id, resource())) {
      return false;
    }
    versions.loaded(version);
    object = resource().object;
    objectLoaded = true;
    return true;
  }

  /** Whether the request may wait for the lock: false while {@link #occupied} marks the resource. */
  public boolean mayWait() {
    return resource() == null || !resource().occupied;
  }

  /** Names what holds the lock, for the log. Called while the lock is held; its text may be asked for by any thread until the release. */
  public void heldBy(Object holder) {
    lock.heldBy(holder);
  }

  public boolean holdsLock() {
    return lock.isHeld();
  }

  /** Stops waiting for the lock. Returns false when it is granted: {@code granted} has run or is about to. */
  public boolean withdraw() {
    return lock.withdraw();
  }

  /**
   * Lets a read that waits behind an update go on without the lock, on a copy of the object. The copy shows all updates that the
   * replica has applied when this is called, so every update that is stable when the read arrives, and nothing of one that is being
   * executed. Only for operations that read nothing but the object: under another key they could find a later update.
   *
   * @return false when this is no such read, or the lock is granted; then the caller goes on waiting, or begins
   * @throws RuntimeException when the state cannot be restored; the transaction is over then
   */
  public boolean readCopy() {
    if (!read || !isOfService() || !home.hasCopies(id) || !withdraw()) {
      return false;
    }
    long version = home.version(id);
    object = home.copy(id, resource());
    objectLoaded = true;
    copied = true;
    versions.loaded(version);
    return true;
  }

  /**
   * Marks the resource as occupied, after this request has waited too long and was withdrawn. Until the lock is released,
   * other requests for the resource do not wait.
   *
   * @param ms for how long a request waits
   * @return the exception with which to refuse the request
   */
  public OccupiedResourceException occupied(long ms) {
    resource().occupied = true;
    return new OccupiedResourceException(
        "An operation on the resource " + id + " has not ended for " + ms
            + " ms or more, and this request waited for it. Nothing was executed. Retry later.");
  }

  /**
   * Begins the operation, after the lock is granted.
   *
   * @throws RuntimeException when the state cannot be restored; the caller then calls {@link #release}
   */
  public void begin() {
    if (Resources.SERVICE.equals(id) && !copied) {
      object();
      if (read) {
        lock.share();
      }
    }
    if (!read) {
      home.onBegin(this);
    }
  }

  /** Releases the locks of the resource and of created resources. Later calls have no effect. */
  public void release() {
    lock.release(() -> {
      created.release();
      if (!read && resource() != null) {
        home.dropCopy(resource());
      }
    });
  }

  public boolean isRead() {
    return read;
  }

  /** The key of the transaction's resource, or null. */
  public String key() {
    return id;
  }

  /** Whether the key is one of the service's own resources; those of the plugin have a prefix, and no object. */
  private boolean isOfService() {
    return resource() != null && id.indexOf('/') < 0;
  }

  /** The object of the transaction's resource; null when that is none of the service's resources or does not exist. */
  public StateCapture object() {
    return isOfService() ? load() : null;
  }

  /** Whether the object, if it was loaded, still shows the state that the replica has applied, with this transaction's changes. */
  public boolean isCurrent() {
    return !isOfService() || !objectLoaded || object == null || home.isUpToDate(id, resource());
  }

  /** Whether {@link #rollBack} restores the object, from the state that the replica keeps. */
  public boolean isRestored() {
    return home.isReplicated();
  }

  /** The {@link #object} as the service knows it: without the code that captures it. */
  public Object target() {
    return DelegatedState.targetOf(object());
  }

  private StateCapture load() {
    if (!objectLoaded) {
      long version = home.version(id);
      object = home.object(id, resource());
      objectLoaded = true;
      versions.loaded(version);
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
    StateCapture current = load();
    if (current == null) {
      throw new UnknownResourceException("The resource " + id + " is unknown.");
    }
    return current;
  }

  /**
   * Creates a resource when this transaction commits.
   *
   * @param terminationTime null: the resource has no termination time
   * @return its id
   */
  public String create(StateCapture object, Instant terminationTime) {
    serviceUpdating();
    String made = home.newId();
    created.add(made, object);
    TerminationTime.set(this, made, terminationTime);
    return made;
  }

  /** The time that clients are told. */
  public Instant now() {
    return home.clocks().wall().instant();
  }

  /** The time of the group's counted clock at which this time will have come. */
  Instant deadline(Instant time) {
    return home.clocks().deadline(time);
  }

  /** Adds a message to the update, see {@link Publisher}. */
  void publish(String topic, Element message) {
    serviceUpdating();
    home.publisher().publish(this, topic, message);
  }

  /** Adds a call to another service to the update, see {@link CallSender}. */
  String send(OutgoingCall call) {
    if (read) {
      throw new IllegalStateException("An operation marked @Read must not call other services.");
    }
    return home.callSender().send(this, call);
  }

  /** Destroys the resource that the operation is for, as {@link #destroy}. */
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

  /** Destroys the resource and its termination time when this transaction commits. */
  public void destroy() {
    updating();
    destroyed = true;
  }

  /** Undoes everything that the operation changes, when it has ended. Its response stands. */
  void discard() {
    updating();
    discarded = true;
  }

  /**
   * Adds the part of the update that a database holds.
   *
   * @throws IllegalStateException in a read, or when there is such a part already
   */
  void enlist(Branch part) {
    if (read) {
      throw new IllegalStateException("An operation marked @Read must not change a database.");
    }
    if (branch != null) {
      throw new IllegalStateException("The operation has a branch already. Use one database transaction for all its statements.");
    }
    branch = new TimedBranch(part);
    if (participant != null) {
      branch.coordinate(participant);
    }
  }

  /** A coordinator decides the transaction of the operation. Before the operation begins. */
  public void coordinate(ParticipantRecord record) {
    participant = record;
  }

  /** The part of the update that a database holds; null for none. */
  public Branch branch() {
    return branch;
  }

  /** The same, which measures its commit. */
  public TimedBranch timedBranch() {
    return branch;
  }

  /** Whether {@link #capture} has undone or undoes all changes, and the response stands. */
  public boolean isDiscarded() {
    return discarded;
  }

  /** Called when the branch has been rolled back: the update has no part in a database any more. */
  public void branchEnded() {
    branch = null;
  }

  /** How properties of the object were rendered after the last update; null when unknown or stale. */
  public Map<QName, String> valuesBefore() {
    return object() == null ? null : resource().values;
  }

  /** The last argument of {@link #values(Map)} in this transaction, or null. */
  public Map<QName, String> values() {
    return values;
  }

  /** Keeps how properties of the object are rendered now; for the next transaction too, if this one commits. */
  public void values(Map<QName, String> rendered) {
    values = rendered;
  }

  public boolean isDestroyed() {
    return destroyed;
  }

  /** The state under one of the plugin's own keys, with this transaction's changes; null: none. Must not be changed. */
  public byte[] state(String key) {
    if (keys.has(key)) {
      return keys.get(key);
    }
    versions.reading(key);
    return home.state(key);
  }

  /**
   * Declares that the operation reads all entries under a key prefix from a table that follows the replicated state. Called
   * before that read. Reads that only enforce limits need not be declared.
   *
   * @param prefix with a slash at its end, for example {@code subscription/}
   */
  public void scan(String prefix) {
    versions.reading(prefix);
  }

  /**
   * The versions of everything that this transaction has read, by key: its resource, the plugin's own keys and scanned
   * prefixes. Keys that it changed without reading are not included.
   */
  public Map<String, Long> versions() {
    return versions.all();
  }

  /** Stores a state under one of the plugin's own keys, atomically with the operation's other changes. */
  public void put(String key, byte[] state) {
    updating();
    if (key.indexOf('/') < 0) {
      throw new IllegalArgumentException(
          "The key " + key + " could be the id of a resource. A key of the plugin must contain a slash.");
    }
    keys.put(key, state);
  }

  /** Removes the state under one of the plugin's own keys, atomically with the operation's other changes. */
  public void remove(String key) {
    updating();
    keys.put(key, null);
  }

  /** Adds an entry to one of the plugin's own logs, see {@link StateChange#NUMBERED}. */
  public void append(String log, byte[] entry) {
    updating();
    keys.append(log, entry);
  }

  /** How many bytes this update adds to a log so far. */
  public long appended(String log) {
    return keys.appended(log);
  }

  private void updating() {
    if (read) {
      throw new IllegalStateException("A read must not change the state.");
    }
  }

  /**
   * Captures the new states of everything that the update changed, without marshalling to XML.
   *
   * @param objects whether the service's objects are captured; the plugin's own states always are
   */
  public List<StateChange> capture(boolean objects) {
    if (discarded) {
      rollBack();
      return List.of();
    }
    home.beforeCapture(this);
    if (destroyed) {
      TerminationTime.set(this, id, null);
    }
    boolean all = objects || home.isReplicated();
    List<StateChange> changes = new ArrayList<>(2 + keys.size());
    if (destroyed && (all || !isOfService())) {
      changes.add(new StateChange(id, null));
      StoredState.remove(id, isOfService() ? home.storedPosition(id) : null, changes);
    } else if (all && object != null) {
      position = home.capture(id, object, resource().position, changes);
    }
    created.capture(all, changes);
    keys.addTo(changes);
    return changes;
  }

  /** Makes the changes final: removes the object of a destroyed resource and keeps the rendered properties. */
  public void commit() {
    LiveResource resource = resource();
    if (resource != null && !read) {
      resource.values = values;
      resource.position = position == null ? resource.position : position;
    }
    if (destroyed) {
      resource.object = null;
    }
  }

  /** Undoes all changes: the object is restored before its next use, and created resources are removed. */
  public void rollBack() {
    // A read has not changed its object.
    if (resource() != null && !read) {
      home.rollBack(resource());
    }
    object = null;
    objectLoaded = false;
    created.rollBack();
    position = null;
    keys.clear();
    values = null;
    destroyed = false;
  }
}
