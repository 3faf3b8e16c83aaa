package org.understudy.durability.proxy;

import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.understudy.replication.api.Outgoing;
import org.understudy.replication.api.ResourceHome;
import org.understudy.replication.api.decision.Branch;
import org.w3c.dom.Element;

/** The home of a service behind a {@link DurableService}: the service is its one resource, and its own updates are actions. */
final class DurableHome<S> implements ResourceHome<S> {
  private final ResourceHome<Object> home;
  private final DurableObjects objects;
  private final Supplier<S> service;

  DurableHome(ResourceHome<Object> home, DurableObjects objects, Supplier<S> service) {
    this.home = home;
    this.objects = objects;
    this.service = service;
  }

  @Override
  public S current() {
    home.current();
    return service.get();
  }

  @Override
  public CompletableFuture<Void> update(String id, Consumer<? super S> change) {
    return home.update(
        id,
        durable -> {
          boolean keep = false;
          objects.startA();
          try {
            change.accept(service.get());
            keep = true;
          } finally {
            if (keep) {
              objects.commitA();
            } else {
              objects.abortA();
            }
          }
        });
  }

  @Override
  public String create(S resource) {
    return home.create(resource);
  }

  @Override
  public String create(S resource, Instant terminationTime) {
    return home.create(resource, terminationTime);
  }

  @Override
  public void publish(String topic, Element message) {
    home.publish(topic, message);
  }

  @Override
  public void destroyCurrent() {
    home.destroyCurrent();
  }

  @Override
  public void enlist(Branch branch) {
    home.enlist(branch);
  }

  @Override
  public void discardChanges() {
    home.discardChanges();
  }

  @Override
  public Outgoing outgoing() {
    return home.outgoing();
  }

  @Override
  public String address(String resourceId) {
    return home.address(resourceId);
  }
}
