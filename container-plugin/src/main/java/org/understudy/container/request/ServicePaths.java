package org.understudy.container.request;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.understudy.container.caller.RequestTarget;
import org.understudy.wsrf.operation.Endpoint;

/** The endpoints of a web application's replicated services, by their paths. Thread-safe; finding one takes no lock. */
public final class ServicePaths {
  private final Map<String, Place> places = new ConcurrentHashMap<>();
  private volatile int longest;
  /** The paths of endpoints elsewhere that are below an endpoint here; usually none. */
  private volatile List<String> excluded = List.of();
  private volatile boolean complete;

  /** The endpoint and the service at a path. */
  record Place(Endpoint endpoint, ReplicatedService service) {}

  /**
   * Adds the endpoints of a service.
   *
   * @throws IllegalArgumentException when another endpoint has the path of one of them
   */
  public synchronized void add(ReplicatedService service, Iterable<Endpoint> endpoints) {
    for (Endpoint endpoint : endpoints) {
      if (places.putIfAbsent(endpoint.path(), new Place(endpoint, service)) != null) {
        throw new IllegalArgumentException("Two endpoints have the path " + endpoint.path() + ".");
      }
      longest = Math.max(longest, endpoint.path().length());
    }
  }

  /**
   * Marks the paths as complete, after all services have been added.
   *
   * @param all the paths of all endpoints of the web application: one that is not here may be below one that is, where the path would
   *     otherwise name a resource
   */
  public void complete(Collection<String> all) {
    excluded = all.stream().filter(path -> !places.containsKey(path) && at(path) != null).toList();
    complete = true;
  }

  boolean isComplete() {
    return complete;
  }

  /** Removes the endpoint at this path. */
  public void remove(String path) {
    places.remove(path);
  }

  /** Returns the service at the path of a request; null when there is none. */
  public ReplicatedService of(HttpServletRequest request) {
    Place place = at(RequestTarget.path(request));
    return place == null ? null : place.service();
  }

  /** Returns the endpoint with the longest matching prefix of the path, whose rest names a resource; null if it is elsewhere. */
  Place at(String path) {
    int end = path.length();
    while (end > 0) {
      // A prefix longer than every known path is not copied.
      Place place = end > longest ? null : places.get(path.substring(0, end));
      if (place != null) {
        return isExcluded(path, end) ? null : place;
      }
      end = path.lastIndexOf('/', end - 1);
    }
    return null;
  }

  /** @param length of the path of the endpoint found here */
  private boolean isExcluded(String path, int length) {
    for (String other : excluded) {
      int end = other.length();
      if (end > length && path.startsWith(other) && (path.length() == end || path.charAt(end) == '/')) {
        return true;
      }
    }
    return false;
  }

  @Override
  public String toString() {
    return "The services are at " + new TreeSet<>(places.keySet()) + ".";
  }
}
