package org.understudy.container.attachment;

import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.understudy.replication.api.Outgoing;
import org.understudy.replication.api.ResourceHome;
import org.understudy.replication.api.decision.Branch;
import org.w3c.dom.Element;

/**
 * A resource home for the constructor of a service that the application creates itself. The plugin connects it with the group when it
 * attaches to the endpoint. Until then each method throws {@link IllegalStateException}. One object
 * belongs to one service. Thread-safe.
 *
 * @param <T> the state object of one resource
 */
public final class ServiceResources<T> implements ResourceHome<T> {
  private final AtomicReference<ResourceHome<T>> home = new AtomicReference<>();

  /** Creates a home that is not connected yet. */
  public ServiceResources() {}

  /**
   * Connects this with the group.
   *
   * @return false when this is already connected
   */
  public boolean bind(ResourceHome<T> target) {
    return home.compareAndSet(null, target);
  }

  private ResourceHome<T> home() {
    ResourceHome<T> target = home.get();
    if (target == null) {
      throw new IllegalStateException(
          "The resource home belongs to no replicated endpoint. Publish an endpoint with the object that holds it, and mark its "
              + "class with @FaultTolerant.");
    }
    return target;
  }

  @Override
  public T current() {
    return home().current();
  }

  @Override
  public String create(T resource) {
    return home().create(resource);
  }

  @Override
  public String create(T resource, Instant terminationTime) {
    return home().create(resource, terminationTime);
  }

  @Override
  public void publish(String topic, Element message) {
    home().publish(topic, message);
  }

  @Override
  public void destroyCurrent() {
    home().destroyCurrent();
  }

  @Override
  public void discardChanges() {
    home().discardChanges();
  }

  @Override
  public void enlist(Branch branch) {
    home().enlist(branch);
  }

  @Override
  public Outgoing outgoing() {
    return home().outgoing();
  }

  @Override
  public CompletableFuture<Void> update(String id, Consumer<? super T> change) {
    return home().update(id, change);
  }

  @Override
  public String setting(String key) {
    return home().setting(key);
  }

  @Override
  public String address(String resourceId) {
    return home().address(resourceId);
  }
}
