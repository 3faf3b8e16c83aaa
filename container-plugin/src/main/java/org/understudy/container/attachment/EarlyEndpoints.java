package org.understudy.container.attachment;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.BiConsumer;
import org.apache.cxf.Bus;
import org.apache.cxf.endpoint.Server;

/**
 * The endpoints that an application has published before the server called the plugin. A container of CDI may start in an initializer
 * of its own and call the application there, and servers call initializers in no fixed order. Thread-safe.
 */
final class EarlyEndpoints {
  private final Map<ClassLoader, Map<Server, Bus>> byApplication = new WeakHashMap<>();

  synchronized void add(ClassLoader application, Bus bus, Server server) {
    byApplication.computeIfAbsent(application, loader -> new LinkedHashMap<>()).put(server, bus);
  }

  /** Forgets an endpoint that ends. */
  synchronized void remove(Server server) {
    byApplication.values().removeIf(endpoints -> endpoints.remove(server) != null && endpoints.isEmpty());
  }

  /** Passes the endpoints of an application to a consumer, in the order of their publication, and forgets them. */
  void take(ClassLoader application, BiConsumer<Bus, Server> consumer) {
    Map<Server, Bus> endpoints;
    synchronized (this) {
      endpoints = byApplication.remove(application);
    }
    if (endpoints != null) {
      endpoints.forEach((server, bus) -> consumer.accept(bus, server));
    }
  }
}
