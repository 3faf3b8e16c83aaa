package org.understudy.wsrf.resource;

import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.understudy.replication.api.SessionId;
import org.understudy.replication.api.StateCapture;
import org.understudy.replication.runtime.ReplicatedState;

/**
 * A service's resources at this replica. An operation creates a {@link #visit}, requests the lock, and leaves; in between it
 * alone (or, for a read, only readers) uses its resource. Thread-safe; nothing here waits, and no visit belongs to a thread.
 */
public final class Resources {
  /** The id of the one resource of a service that keeps its state in itself. */
  public static final String SERVICE = "service";

  private final ConcurrentHashMap<String, LiveResource> live = new ConcurrentHashMap<>();
  private final List<UpdateListener> listeners = new CopyOnWriteArrayList<>();
  /** Set before the first request. */
  private volatile Publisher publisher =
      (visit, topic, message) -> {
        throw new IllegalStateException("This service is deployed without notifications. It cannot publish a message.");
      };
  private final RandomGenerator random;
  private final ReplicatedState replica;
  private final boolean replicated;
  private final Supplier<? extends StateCapture> fresh;
  private final String serviceUrl;
  private final int most;
  /** State of a service that keeps it in itself, before any update. */
  private volatile byte[] initial;

  /**
   * @param replicated whether the replica's image holds captured states; without, objects live here only
   * @param fresh makes an empty state object
   * @param serviceUrl where clients reach the service at this replica
   * @param most resources at a time; a further one is refused
   */
  public Resources(
      ReplicatedState replica, boolean replicated, Supplier<? extends StateCapture> fresh, String serviceUrl, int most) {
    this(replica, replicated, fresh, serviceUrl, most, new SecureRandom());
  }

  /** @param random makes the ids of new resources; thread-safe, where threads are */
  public Resources(
      ReplicatedState replica,
      boolean replicated,
      Supplier<? extends StateCapture> fresh,
      String serviceUrl,
      int most,
      RandomGenerator random) {
    this.replica = replica;
    this.replicated = replicated;
    this.fresh = fresh;
    this.serviceUrl = serviceUrl;
    this.most = most;
    this.random = random;
  }

  /**
   * A visit to a resource, which is not in yet.
   *
   * @param id null when the request names none
   */
  public ResourceTransaction visit(String id, boolean read) {
    return new ResourceTransaction(this, id, read);
  }

  /** The resource that the next claim of a visit is for. Its lock may have been closed meanwhile; then ask again. */
  LiveResource resource(String id) {
    return live.computeIfAbsent(id, i -> new LiveResource());
  }

  /** Resources that are unused or do not exist are removed: clients cannot fill the map with invented ids. */
  void remove(String id, LiveResource resource) {
    live.remove(id, resource);
  }

  /** Gives back a lock of a resource. */
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

  void began(ResourceTransaction visit) {
    listeners.forEach(listener -> listener.began(visit));
  }

  void ending(ResourceTransaction visit) {
    listeners.forEach(listener -> listener.ending(visit));
  }

  /** Adds a listener to all updates that begin from now on. */
  public void listen(UpdateListener listener) {
    listeners.add(listener);
  }

  /** Whether the object of a visited resource shows what the replica knows. Under the resource's lock. */
  boolean isUpToDate(String id, LiveResource resource) {
    return resource.object != null && (!replicated || resource.version == replica.stateVersion(id));
  }

  /** The update came to nothing: what it did to its object is forgotten. */
  void discarded(LiveResource resource) {
    synchronized (resource) {
      resource.values = null;
      // Without an image there is nothing to restore from, and half an update is better than no resource.
      resource.object = replicated ? null : resource.object;
    }
  }

  long version(String key) {
    return replica.version(key);
  }

  byte[] state(String key) {
    return replica.state(key);
  }

  /** The object of a visited resource, restored if it is stale; null when the resource does not exist. */
  StateCapture object(String id, LiveResource resource) {
    synchronized (resource) {
      if (isUpToDate(id, resource) || (!replicated && !SERVICE.equals(id))) {
        return resource.object;
      }
      // In this order: a version read before the state may be too low, and then it is only restored once more.
      long version = replicated ? replica.stateVersion(id) : 0;
      byte[] state = replicated ? replica.state(id) : null;
      resource.object = null;
      resource.values = null;
      state = state == null && SERVICE.equals(id) ? initial : state;
      if (state != null) {
        StateCapture restored = fresh.get();
        restored.restoreState(state);
        resource.object = restored;
        resource.version = version;
      }
      return resource.object;
    }
  }

  /** @throws IllegalStateException when there are as many resources as there may be */
  String newId() {
    if (live.size() >= most) {
      throw new IllegalStateException("The limit of " + most + " resources is reached. Nothing was created.");
    }
    return new SessionId(random.nextLong(), random.nextLong()).toString();
  }

  /** Takes in what an operation created, as the replica's image shows it on the others when the update stands. */
  void adopt(String id, LiveResource resource, StateCapture object) {
    resource.object = object;
    resource.version = replica.stateVersion(id);
    live.put(id, resource);
  }

  /** Undoes {@link #adopt}: the resource does not exist. */
  void forget(LiveResource resource) {
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

  /** Sets the publisher of the service's messages; during deployment. */
  public void publishTo(Publisher publisher) {
    this.publisher = publisher;
  }

  /** How many resources an operation uses or waits for. */
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
