package org.understudy.container.resource;

import java.security.SecureRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Lock;
import java.util.function.Supplier;
import org.understudy.replication.api.ResourceHome;
import org.understudy.replication.api.SessionId;
import org.understudy.replication.api.StateCapture;
import org.understudy.replication.api.UnknownResourceException;
import org.understudy.replication.runtime.Replica;

/**
 * The home of a service's resources at this replica. A request's thread enters with {@link #enter} and leaves with
 * {@link Visit#leave}; in between it alone (or, for a read, only readers) uses its resource.
 */
public final class Resources implements ResourceHome<StateCapture> {
  /** The id of the one resource of a service that keeps its state in itself. */
  public static final String SERVICE = "service";

  private final ConcurrentHashMap<String, LiveResource> live = new ConcurrentHashMap<>();
  private final ThreadLocal<Visit> visits = new ThreadLocal<>();
  private final SecureRandom random = new SecureRandom();
  private final Replica replica;
  private final boolean replicated;
  private final Supplier<? extends StateCapture> fresh;
  private final String serviceUrl;
  private final int most;

  /**
   * @param replicated whether the replica's image holds captured states; without, objects live here only
   * @param fresh makes an empty state object
   * @param serviceUrl where clients reach the service at this replica
   * @param most resources at a time; a further one is refused
   */
  public Resources(
      Replica replica, boolean replicated, Supplier<? extends StateCapture> fresh, String serviceUrl, int most) {
    this.replica = replica;
    this.replicated = replicated;
    this.fresh = fresh;
    this.serviceUrl = serviceUrl;
    this.most = most;
  }

  /**
   * Begins an operation on a resource; waits until others have ended theirs.
   *
   * @param id null when the request names none
   */
  public Visit enter(String id, boolean read) {
    LiveResource resource = id == null ? null : live.computeIfAbsent(id, i -> new LiveResource());
    Lock lock = resource == null ? null : read ? resource.lock.readLock() : resource.lock.writeLock();
    if (lock != null) {
      lock.lock();
    }
    Visit visit = new Visit(this, id, resource, lock);
    visits.set(visit);
    return visit;
  }

  void left(Visit visit) {
    visits.remove();
    // What does not exist is not remembered: strangers cannot fill the map with invented ids.
    if (visit.resource != null && visit.resource.object == null) {
      live.remove(visit.id, visit.resource);
    }
  }

  /** Brings the one resource of a service that keeps its state in itself up to date. */
  public void prepare(Visit visit) {
    object(visit);
  }

  /** The object of the visited resource, restored if it is not up to date; null when there is no such resource. */
  StateCapture object(Visit visit) {
    LiveResource resource = visit.resource;
    synchronized (resource) {
      if (!replicated) {
        if (resource.object == null && SERVICE.equals(visit.id)) {
          resource.object = fresh.get();
        }
        return resource.object;
      }
      long version = replica.stateVersion(visit.id);
      if (resource.object == null || resource.version != version) {
        byte[] state = replica.state(visit.id);
        resource.object = null;
        if (state == null && SERVICE.equals(visit.id)) {
          resource.object = fresh.get();
          resource.version = version;
        } else if (state != null) {
          StateCapture restored = fresh.get();
          restored.restoreState(state);
          resource.object = restored;
          resource.version = version;
        }
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

  private Visit visit() {
    Visit visit = visits.get();
    if (visit == null) {
      throw new IllegalStateException("A resource home is used by the thread of a request, until the operation returns.");
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
    Visit visit = visit();
    if (live.size() >= most) {
      throw new IllegalStateException("There are " + most + " resources already; no more are created.");
    }
    String id = new SessionId(random.nextLong(), random.nextLong()).toString();
    visit.created.put(id, object);
    return id;
  }

  @Override
  public void destroyCurrent() {
    current();
    visit().destroyed = true;
  }

  @Override
  public String address(String resourceId) {
    return serviceUrl + "/" + resourceId;
  }
}
