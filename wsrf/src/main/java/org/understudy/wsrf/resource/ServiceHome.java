package org.understudy.wsrf.resource;

import java.time.Duration;
import java.time.Instant;
import org.understudy.replication.api.ResourceHome;
import org.understudy.replication.api.StateCapture;
import org.w3c.dom.Element;

/**
 * The resource home that a service object has: each call concerns the visit that the calling thread executes. Binds visits
 * to threads, and does nothing else.
 */
public final class ServiceHome implements ResourceHome<StateCapture> {
  private final ThreadLocal<ResourceTransaction> visits = new ThreadLocal<>();
  private final Resources resources;
  private final long patienceNanos;
  private final boolean lifetimes;

  /** A home whose resources may have a termination time; see the other constructor. */
  public ServiceHome(Resources resources, Duration patience) {
    this(resources, patience, true);
  }

  /**
   * @param patience how long a request waits for the operations before it on the same resource
   * @param lifetimes whether the deployment ends resources at their termination time; without, none can be set
   */
  public ServiceHome(Resources resources, Duration patience, boolean lifetimes) {
    this.resources = resources;
    this.patienceNanos = patience.toNanos();
    this.lifetimes = lifetimes;
  }

  /**
   * Begins an operation on a resource on the calling thread; waits until others have ended theirs, if that does not take
   * too long.
   *
   * @param id null when the request names none
   * @throws OccupiedResourceException when others have not ended theirs in time
   */
  public ResourceTransaction enter(String id, boolean read) {
    ResourceTransaction visit = ThreadEntry.enter(resources, id, read, patienceNanos);
    visits.set(visit);
    return visit;
  }

  /** The calling thread executes no visit any more. */
  public void unbind() {
    visits.remove();
  }

  private ResourceTransaction visit() {
    ResourceTransaction visit = visits.get();
    if (visit == null) {
      throw new IllegalStateException(
          "Only the thread of a request may use a resource home, and only until the operation returns.");
    }
    return visit;
  }

  @Override
  public StateCapture current() {
    return visit().current();
  }

  @Override
  public String create(StateCapture object) {
    return visit().create(object, null);
  }

  @Override
  public String create(StateCapture object, Instant terminationTime) {
    if (terminationTime != null && !lifetimes) {
      throw new IllegalStateException(
          "The resource was not created: it has a termination time, and this service is deployed with understudy.wsrf=off, "
              + "without lifetimes. Set understudy.wsrf to on.");
    }
    return visit().create(object, terminationTime);
  }

  @Override
  public void publish(String topic, Element message) {
    visit().publish(topic, message);
  }

  @Override
  public void destroyCurrent() {
    visit().destroyCurrent();
  }

  @Override
  public String address(String resourceId) {
    return resources.address(resourceId);
  }
}
