package org.understudy.durability.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.ResourceHome;

/** Updates that a service makes outside its operations. */
class DurableHomeTest {
  private boolean discarded;
  private final DurableHomeTest.Service service = new Service(home());

  /** A generated service without operations, whose service is its queue of machines. */
  private static final class Service extends DurableService {
    final MachineQueueProxy machines = durable(new MachineQueueProxy(new MachineQueueState()));
    final ResourceHome<MachineQueue> home;

    Service(ResourceHome<?> home) {
      super(home);
      this.home = homeOf(home, () -> machines);
    }
  }

  /** Runs updates at once, with the durable service as their resource. */
  private ResourceHome<?> home() {
    return (ResourceHome<?>) Proxy.newProxyInstance(
        DurableHomeTest.class.getClassLoader(), new Class<?>[] {ResourceHome.class}, (proxy, method, arguments) -> {
          switch (method.getName()) {
            case "discardChanges" -> discarded = true;
            case "update" -> {
              @SuppressWarnings("unchecked") // As the interface declares it.
              Consumer<Object> change = (Consumer<Object>) arguments[1];
              change.accept(service);
              return CompletableFuture.completedFuture(null);
            }
            default -> throw new UnsupportedOperationException(method.getName());
          }
          return null;
        });
  }

  @Test
  void aChangeGetsTheServiceAndIsAnAction() {
    service.home.update(null, machines -> machines.insert(new Machine("a", 1)));
    assertFalse(discarded);
    assertTrue(service.captureUpdate().length > 0);
    assertEquals(List.of("a"), service.machines.ids());
  }

  @Test
  void anotherThreadIsNotInTheOpenAction() {
    service.durableObjects().startA();
    CompletionException refused = assertThrows(
        CompletionException.class, () -> CompletableFuture.runAsync(() -> service.machines.insert(new Machine("b", 1))).join());
    assertTrue(refused.getCause().getMessage().contains("a thread of the service's own"), refused.toString());
    refused = assertThrows(
        CompletionException.class, () -> CompletableFuture.runAsync(() -> service.durableObjects().startA()).join());
    assertTrue(refused.getCause().getMessage().contains("Two operations of a service are executed at once"), refused.toString());
    service.machines.insert(new Machine("a", 1));
    service.durableObjects().commitA();
    assertEquals(List.of("a"), service.machines.ids());
  }

  @Test
  void aChangeThatThrowsIsUndone() {
    assertThrows(
        IllegalStateException.class,
        () -> service.home.update(null, machines -> {
          machines.insert(new Machine("a", 1));
          throw new IllegalStateException("halfway");
        }));
    assertTrue(discarded);
    assertEquals(0, service.captureUpdate().length);
  }
}
