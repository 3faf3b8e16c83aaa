package org.understudy.wsrf.resource;

import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.api.IncrementalState;
import org.understudy.replication.api.SessionId;
import org.understudy.replication.api.StateCapture;
import org.understudy.replication.core.limit.KeyKind;
import org.understudy.replication.core.update.StateChange;
import org.understudy.replication.runtime.state.AppliedState;
import org.understudy.replication.runtime.time.GroupClocks;

/**
 * A service's resources at this replica. An operation creates a {@link #transaction}, requests its lock and releases it. While
 * an update holds the lock, no other operation uses the resource; reads share the lock. Thread-safe; no method blocks, and a
 * transaction is not bound to a thread.
 */
public final class Resources {
  /** The id of the one resource of a service that keeps its state in itself. */
  public static final String SERVICE = "service";

  private static final Logger LOG = LoggerFactory.getLogger(Resources.class);
  /** Of a captured state, from which on the log advises to divide it. */
  private static final int LARGE_BYTES = 1_000_000;

  private final ConcurrentHashMap<String, LiveResource> live = new ConcurrentHashMap<>();
  private final List<UpdateListener> listeners = new CopyOnWriteArrayList<>();
  /** Set before the first request. */
  private volatile Publisher publisher =
      (transaction, topic, message) -> {
        throw new IllegalStateException("This service is deployed without notifications. It cannot publish a message.");
      };
  /** Set before the first request. */
  private volatile CallSender calls =
      (transaction, call) -> {
        throw new IllegalStateException("This service is deployed without an outbox. It cannot call other services.");
      };
  /** Set before the first request. */
  private volatile GroupClocks clocks = GroupClocks.ofThisProcess();
  /** Set before the first request. */
  private volatile Function<Object, StateCapture> states = StateCapture.class::cast;
  private final RandomGenerator random;
  private final AppliedState replica;
  private final boolean replicated;
  private final Supplier<? extends StateCapture> stateFactory;
  private final String serviceUrl;
  private final int maxResources;
  /** Set before the first request; null when the service that keeps its state in itself has one object only. */
  private volatile Supplier<? extends StateCapture> serviceCopies;
  /** Set before the first request. */
  private volatile boolean incremental;
  private volatile boolean undone;
  /** Whether a large state has been logged. */
  private volatile boolean large;
  /** The state before any update of a service that keeps its state in itself. */
  private volatile byte[] initial;

  /**
   * @param replicated whether the replica's image holds captured states; otherwise objects exist only in this JVM
   * @param stateFactory creates an empty state object
   * @param serviceUrl where clients reach the service at this replica
   * @param maxResources at a time; further ones are refused
   */
  public Resources(
      AppliedState replica, boolean replicated, Supplier<? extends StateCapture> stateFactory, String serviceUrl, int maxResources) {
    this(replica, replicated, stateFactory, serviceUrl, maxResources, new SecureRandom());
  }

  /** @param random makes the ids of new resources; must be thread-safe if several threads create them */
  public Resources(
      AppliedState replica,
      boolean replicated,
      Supplier<? extends StateCapture> stateFactory,
      String serviceUrl,
      int maxResources,
      RandomGenerator random) {
    this.replica = replica;
    this.replicated = replicated;
    this.stateFactory = stateFactory;
    this.serviceUrl = serviceUrl;
    this.maxResources = maxResources;
    this.random = random;
  }

  /** Sets the clocks by which resources end; before the first request. */
  public void clocks(GroupClocks ofGroup) {
    clocks = ofGroup;
  }

  /** The clocks by which resources end. */
  public GroupClocks clocks() {
    return clocks;
  }

  /**
   * Creates a transaction on a resource, which does not hold the lock yet.
   *
   * @param id null when the request names no resource
   */
  public ResourceTransaction transaction(String id, boolean read) {
    return new ResourceTransaction(this, id, read);
  }

  /** Returns the resource for the next claim of a transaction. If its lock turns out closed, the caller removes it and retries. */
  LiveResource resource(String id) {
    return live.computeIfAbsent(id, i -> new LiveResource());
  }

  /** Resources that are unused or do not exist are removed: clients cannot fill the map with invented ids. */
  void remove(String id, LiveResource resource) {
    live.remove(id, resource);
  }

  /** Releases a lock of a resource. */
  void release(String id, LiveResource resource, ResourceLock.Claim claim) {
    if (!SERVICE.equals(id) && !exists(resource) && claim.close()) {
      remove(id, resource);
    }
    claim.end();
  }

  private static boolean exists(LiveResource resource) {
    synchronized (resource) {
      return resource.object != null;
    }
  }

  void onBegin(ResourceTransaction transaction) {
    listeners.forEach(listener -> listener.onBegin(transaction));
  }

  void beforeCapture(ResourceTransaction transaction) {
    listeners.forEach(listener -> listener.beforeCapture(transaction));
  }

  /** Adds a listener for all updates that begin from now on. */
  public void listen(UpdateListener listener) {
    listeners.add(listener);
  }

  /** Whether states are captured. Those of an {@link IncrementalState} always are, so that its updates can be undone. */
  boolean isReplicated() {
    return replicated || incremental || undone;
  }

  /** Whether the states of the service's resources are stored in parts. */
  boolean isIncremental() {
    return incremental;
  }

  /** Declares that every state object is an {@link IncrementalState}, at every replica; during deployment. */
  public void storeUpdates() {
    incremental = true;
  }

  /** Adds the changes by which the new state of an object is stored, see {@link StoredState#capture}. */
  StoredState.Position capture(String id, StateCapture object, StoredState.Position before, List<StateChange> changes) {
    int first = changes.size();
    StoredState.Position after = null;
    if (incremental) {
      after = StoredState.capture(id, (IncrementalState) object, before, changes);
    } else {
      changes.add(new StateChange(id, object.captureState()));
    }
    if (!large) {
      warnIfLarge(changes.subList(first, changes.size()));
    }
    return after;
  }

  /** Once: what each update costs grows with what it captures. The whole state of an incremental one is captured rarely. */
  private void warnIfLarge(List<StateChange> captured) {
    for (StateChange change : captured) {
      if (change.state() != null && change.state().length > LARGE_BYTES && !change.resource().startsWith(StoredState.WHOLES)) {
        large = true;
        LOG.warn("An update of the service {} has captured {} bytes, and each further one captures, sends and stores as much. "
            + "Divide the state into WS-Resources, or implement IncrementalState: see \"What a large state costs\" in "
            + "docs/services.md.", serviceUrl, change.state().length);
      }
    }
  }

  /** The applied state of a resource of the service, or its initial state; null when the resource does not exist. */
  private StoredState stored(String id) {
    StoredState stored = null;
    if (incremental) {
      stored = StoredState.read(replica, id);
    } else if (isReplicated()) {
      byte[] state = replica.state(id);
      stored = state == null ? null : StoredState.plain(state);
    }
    return stored == null && initial != null && SERVICE.equals(id) ? StoredState.plain(initial) : stored;
  }

  /** The position of a resource's stored state; null when it is plain or does not exist. */
  StoredState.Position storedPosition(String id) {
    byte[] marker = incremental ? replica.state(id) : null;
    return marker == null ? null : StoredState.Position.of(marker);
  }

  /** The kinds of the keys under which parts of states are stored. */
  public static List<KeyKind> kinds() {
    return StoredState.kinds();
  }

  /** Stores states also without replication, so that an operation can be undone; during deployment. */
  public void storeForUndo() {
    undone = true;
  }

  /** Whether the resource's object shows the state that the replica has applied. The caller holds the resource's lock. */
  boolean isUpToDate(String id, LiveResource resource) {
    return resource.object != null && (!isReplicated() || resource.version == replica.stateVersion(id));
  }

  /** Undoes an update of the resource's object: the next use restores it from the image. */
  void rollBack(LiveResource resource) {
    synchronized (resource) {
      resource.values = null;
      // Without an image there is no state to restore, and a partial update is better than losing the resource.
      resource.object = isReplicated() ? null : resource.object;
    }
  }

  long version(String key) {
    return replica.version(key);
  }

  byte[] state(String key) {
    return replica.state(key);
  }

  /** The resource's object, restored if it is stale; null when the resource does not exist. */
  StateCapture object(String id, LiveResource resource) {
    synchronized (resource) {
      if (isUpToDate(id, resource) || (!isReplicated() && !SERVICE.equals(id))) {
        return resource.object;
      }
      // The version is read first: it may then be too low for the state, which costs one more restore and no update.
      long version = isReplicated() ? replica.stateVersion(id) : 0;
      StoredState state = stored(id);
      resource.object = null;
      resource.values = null;
      if (state != null) {
        StateCapture restored = stateFactory.get();
        state.restore(restored);
        resource.object = restored;
        resource.version = version;
        resource.position = state.position();
      }
      return resource.object;
    }
  }

  /** Whether reads of the resource may use copies: the replica's image holds the states that they are made from. */
  boolean hasCopies(String id) {
    return isReplicated() && (!SERVICE.equals(id) || serviceCopies != null);
  }

  /** Sets how second objects of a service that keeps its state in itself are made; during deployment. */
  public void copyServiceBy(Supplier<? extends StateCapture> copies) {
    serviceCopies = copies;
  }

  /**
   * A second object of a resource, which shows all updates that this replica has applied when this is called; null when the
   * resource does not exist. Reads share it, and it is never older than the call.
   */
  StateCapture copy(String id, LiveResource resource) {
    synchronized (resource) {
      long version = replica.version(id);
      if (resource.copy != null && resource.copyVersion == version) {
        return resource.copy;
      }
      // After the version, as for the object: the copy may then be newer than its version, never older.
      StoredState state = stored(id);
      StateCapture copy = null;
      if (state != null) {
        copy = SERVICE.equals(id) ? serviceCopies.get() : stateFactory.get();
        state.restore(copy);
      }
      // Not kept when no update would remove it.
      resource.copy = resource.lock.isUsed() ? copy : null;
      resource.copyVersion = version;
      return copy;
    }
  }

  /** An update has ended: reads can use the object again. */
  void dropCopy(LiveResource resource) {
    synchronized (resource) {
      resource.copy = null;
    }
  }

  /** @throws IllegalStateException when the limit of resources is reached */
  String newId() {
    if (live.size() >= maxResources) {
      throw new IllegalStateException("The limit of " + maxResources + " resources is reached. Nothing was created.");
    }
    return new SessionId(random.nextLong(), random.nextLong()).toString();
  }

  /** Adds a resource that an operation created. Other replicas restore it from the image when the update is applied. */
  void adopt(String id, LiveResource resource, StateCapture object, StoredState.Position position) {
    resource.object = object;
    resource.position = position;
    resource.version = replica.stateVersion(id);
    live.put(id, resource);
  }

  /** Undoes {@link #adopt}. */
  void removeCreated(LiveResource resource) {
    synchronized (resource) {
      resource.object = null;
    }
  }

  /** Declares that the service has a single state, and its initial state. */
  public void begin(StateCapture service) {
    initial = service.captureState();
  }

  Publisher publisher() {
    return publisher;
  }

  /** Sets how the state of objects is captured that the service creates; during deployment. */
  public void captureBy(Function<Object, StateCapture> states) {
    this.states = states;
  }

  /** @throws ClassCastException when the service creates an object of another kind than it declares */
  StateCapture stateOf(Object object) {
    return states.apply(object);
  }

  /** Sets the publisher of the service's messages; during deployment. */
  public void publishTo(Publisher publisher) {
    this.publisher = publisher;
  }

  CallSender callSender() {
    return calls;
  }

  /** Sets what takes the service's calls to other services; during deployment. */
  public void callThrough(CallSender sender) {
    this.calls = sender;
  }

  /** Describes what holds the lock of a resource, for the log. */
  public String holder(String id) {
    LiveResource resource = live.get(id);
    Object holder = resource == null ? null : resource.holder;
    return holder == null ? "a request that has not begun" : holder.toString();
  }

  /** The number of resources that an operation uses or waits for. */
  public long used() {
    return live.values().stream().filter(resource -> resource.lock.isUsed()).count();
  }

  /** Where clients reach the service at this replica. */
  public String address() {
    return serviceUrl;
  }

  /** Where clients reach one of its resources at this replica. */
  public String address(String resourceId) {
    return serviceUrl + "/" + resourceId;
  }
}
