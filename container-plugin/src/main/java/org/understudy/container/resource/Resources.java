package org.understudy.container.resource;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.function.Supplier;
import org.understudy.replication.api.ResourceHome;
import org.understudy.replication.api.SessionId;
import org.understudy.replication.api.StateCapture;
import org.understudy.replication.api.UnknownResourceException;
import org.understudy.replication.runtime.Replica;
import org.w3c.dom.Element;

/**
 * The home of a service's resources at this replica. A request's thread enters with {@link #enter} and leaves with
 * {@link Visit#leave}; in between it alone (or, for a read, only readers) uses its resource.
 */
public final class Resources implements ResourceHome<StateCapture> {
  /** The id of the one resource of a service that keeps its state in itself. */
  public static final String SERVICE = "service";

  private final ConcurrentHashMap<String, LiveResource> live = new ConcurrentHashMap<>();
  private final ThreadLocal<Visit> visits = new ThreadLocal<>();
  private final List<VisitListener> listeners = new CopyOnWriteArrayList<>();
  /** Set before the first request. */
  private volatile Publisher publisher =
      (visit, topic, message) -> {
        throw new IllegalStateException("Nothing takes the messages of this service.");
      };
  private final SecureRandom random = new SecureRandom();
  private final Replica replica;
  private final boolean replicated;
  private final Supplier<? extends StateCapture> fresh;
  private final String serviceUrl;
  private final int most;
  private final long patienceNanos;
  /** State of a service that keeps it in itself, before any update. */
  private volatile byte[] initial;

  /**
   * @param replicated whether the replica's image holds captured states; without, objects live here only
   * @param fresh makes an empty state object
   * @param serviceUrl where clients reach the service at this replica
   * @param most resources at a time; a further one is refused
   */
  public Resources(
      Replica replica, boolean replicated, Supplier<? extends StateCapture> fresh, String serviceUrl, int most) {
    this(replica, replicated, fresh, serviceUrl, most, Duration.ofMinutes(1));
  }

  /** @param patience how long a request waits for the operations before it on the same resource */
  public Resources(
      Replica replica,
      boolean replicated,
      Supplier<? extends StateCapture> fresh,
      String serviceUrl,
      int most,
      Duration patience) {
    this.patienceNanos = patience.toNanos();
    this.replica = replica;
    this.replicated = replicated;
    this.fresh = fresh;
    this.serviceUrl = serviceUrl;
    this.most = most;
  }

  /**
   * Begins an operation on a resource; waits until others have ended theirs, if that does not take too long.
   *
   * @param id null when the request names none
   * @throws OccupiedResourceException when others have not ended theirs in time
   */
  public Visit enter(String id, boolean read) {
    return entered(id == null ? new Visit(this, null, null, null, read) : visit(id, read));
  }

  /**
   * Begins an update of a resource unless others occupy it for longer than this; null when they do.
   *
   * @param id null for a visit to no resource
   */
  Visit tryEnter(String id, long nanos) throws InterruptedException {
    if (id == null) {
      return enter(null, false);
    }
    long end = System.nanoTime() + nanos;
    while (true) {
      LiveResource resource = live.computeIfAbsent(id, i -> new LiveResource());
      Lock lock = resource.lock.writeLock();
      if (!lock.tryLock(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS)) {
        return null;
      }
      if (live.get(id) == resource) {
        return entered(new Visit(this, id, resource, lock, false));
      }
      lock.unlock();
    }
  }

  private Visit entered(Visit visit) {
    if (SERVICE.equals(visit.id)) {
      try {
        prepared(visit, visit.read);
      } catch (RuntimeException e) {
        visit.leave();
        throw e;
      }
    }
    visits.set(visit);
    if (!visit.read) {
      listeners.forEach(listener -> listener.began(visit));
    }
    return visit;
  }

  void ending(Visit visit) {
    listeners.forEach(listener -> listener.ending(visit));
  }

  /** Adds a listener to all updates that begin from now on. */
  public void listen(VisitListener listener) {
    listeners.add(listener);
  }

  private Visit visit(String id, boolean read) {
    while (true) {
      LiveResource resource = live.computeIfAbsent(id, i -> new LiveResource());
      Lock lock = read ? resource.lock.readLock() : resource.lock.writeLock();
      acquire(id, resource, lock);
      // While this thread waited, the last one may have forgotten it: a lock that others don't find protects nothing.
      if (live.get(id) == resource) {
        return new Visit(this, id, resource, lock, read);
      }
      lock.unlock();
    }
  }

  private void acquire(String id, LiveResource resource, Lock lock) {
    try {
      if (lock.tryLock(resource.occupied ? 0 : patienceNanos, TimeUnit.NANOSECONDS)) {
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new OccupiedResourceException("The wait for the resource " + id + " was interrupted; nothing was executed.");
    }
    resource.occupied = true;
    throw new OccupiedResourceException(
        "An operation on the resource " + id + " has not ended for " + TimeUnit.NANOSECONDS.toMillis(patienceNanos)
            + " ms or more, and this request waited behind it. Nothing was executed; try again later.");
  }

  /**
   * Brings the one resource of a service that keeps its state in itself up to date. Since it is one object for all, a
   * read restores it alone and then shares it.
   */
  private void prepared(Visit visit, boolean read) {
    LiveResource resource = visit.resource;
    if (!read || isUpToDate(visit)) {
      object(visit);
      return;
    }
    resource.lock.readLock().unlock();
    try {
      acquire(visit.id, resource, resource.lock.writeLock());
    } catch (OccupiedResourceException e) {
      visit.lock = null;
      throw e;
    }
    resource.lock.readLock().lock();
    try {
      object(visit);
    } finally {
      resource.lock.writeLock().unlock();
    }
  }

  private boolean isUpToDate(Visit visit) {
    LiveResource resource = visit.resource;
    synchronized (resource) {
      return resource.object != null && (!replicated || resource.version == replica.stateVersion(visit.id));
    }
  }

  void left(Visit visit) {
    visits.remove();
    if (visit.resource != null && visit.lock != null) {
      visit.resource.occupied = false;
    }
    // What does not exist is not remembered: strangers cannot fill the map with invented ids.
    if (visit.resource != null && visit.resource.object == null && !SERVICE.equals(visit.id)) {
      live.remove(visit.id, visit.resource);
    }
  }

  /** The update came to nothing: what it did to its object is forgotten. A read has done nothing to it. */
  void discarded(Visit visit) {
    if (visit.resource == null || visit.read) {
      return;
    }
    synchronized (visit.resource) {
      visit.resource.values = null;
      // Without an image there is nothing to restore from, and half an update is better than no resource.
      visit.resource.object = replicated ? null : visit.resource.object;
    }
  }

  byte[] state(String key) {
    return replica.state(key);
  }

  /** The object of the visited resource, restored if it is not up to date; null when there is no such resource. */
  StateCapture object(Visit visit) {
    LiveResource resource = visit.resource;
    synchronized (resource) {
      if (isUpToDate(visit) || (!replicated && !SERVICE.equals(visit.id))) {
        return resource.object;
      }
      // In this order: a version read before the state may be too low, and then it is only restored once more.
      long version = replicated ? replica.stateVersion(visit.id) : 0;
      byte[] state = replicated ? replica.state(visit.id) : null;
      resource.object = null;
      resource.values = null;
      state = state == null && SERVICE.equals(visit.id) ? initial : state;
      if (state != null) {
        StateCapture restored = fresh.get();
        restored.restoreState(state);
        resource.object = restored;
        resource.version = version;
      }
      return resource.object;
    }
  }

  /** Makes what an operation created visible here, as the replica's image shows it on the others. */
  void adopt(String id, StateCapture object) {
    LiveResource resource = live.computeIfAbsent(id, i -> new LiveResource());
    synchronized (resource) {
      resource.object = object;
      resource.version = replica.stateVersion(id);
    }
  }

  /** Takes back {@link #adopt}. */
  void forget(String id) {
    live.remove(id);
  }

  /** Says that the service keeps its state in itself, and in which state it begins. */
  public void begin(StateCapture service) {
    initial = service.captureState();
  }

  private Visit visit() {
    Visit visit = visits.get();
    if (visit == null) {
      throw new IllegalStateException("A resource home is used by the thread of a request, until the operation returns.");
    }
    return visit;
  }

  private Visit updating() {
    Visit visit = visit();
    if (visit.read) {
      throw new IllegalStateException("An operation marked @Read creates and destroys nothing.");
    }
    return visit;
  }

  @Override
  public StateCapture current() {
    Visit visit = visit();
    if (visit.id == null) {
      throw new UnknownResourceException("The request names no resource: neither its URL nor a reference parameter.");
    }
    StateCapture object = object(visit);
    if (object == null) {
      throw new UnknownResourceException("There is no resource " + visit.id + ".");
    }
    return object;
  }

  @Override
  public String create(StateCapture object) {
    return create(object, null);
  }

  @Override
  public String create(StateCapture object, Instant terminationTime) {
    Visit visit = updating();
    if (live.size() >= most) {
      throw new IllegalStateException("There are " + most + " resources already; no more are created.");
    }
    String id = new SessionId(random.nextLong(), random.nextLong()).toString();
    visit.created.put(id, object);
    TerminationTime.set(visit, id, terminationTime);
    return id;
  }

  @Override
  public void publish(String topic, Element message) {
    publisher.publish(updating(), topic, message);
  }

  /** Says what takes the messages that the service publishes; while it is being deployed. */
  public void publishTo(Publisher publisher) {
    this.publisher = publisher;
  }

  @Override
  public void destroyCurrent() {
    Visit visit = updating();
    current();
    visit.destroy();
  }

  /** Where clients reach the service at this replica. */
  public String address() {
    return serviceUrl;
  }

  @Override
  public String address(String resourceId) {
    return serviceUrl + "/" + resourceId;
  }
}
