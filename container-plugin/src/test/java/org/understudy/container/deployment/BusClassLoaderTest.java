package org.understudy.container.deployment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.understudy.container.Soap.envelope;

import jakarta.jws.WebService;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.cxf.BusFactory;
import org.apache.cxf.resource.ResourceManager;
import org.apache.cxf.resource.ResourceResolver;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.container.ServiceCluster;

/** The class loader with which CXF calls a service. */
class BusClassLoaderTest {
  private static final AtomicInteger LOOKUPS = new AtomicInteger();
  private static final String REQUEST = envelope("", "<s:say xmlns:s=\"urn:services\"><arg0>a</arg0></s:say>");

  @TempDir Path directory;

  /** Counts how often CXF looks for a class loader after the first call. */
  @WebService(targetNamespace = "urn:services")
  public static class Observed extends Services.Empty {
    public String say(String what) {
      BusFactory.getThreadDefaultBus(false).getExtension(ResourceManager.class).addResourceResolver(new Counter());
      return what;
    }
  }

  private static final class Counter implements ResourceResolver {
    @Override
    public <T> T resolve(String name, Class<T> type) {
      if (type == ClassLoader.class) {
        LOOKUPS.incrementAndGet();
      }
      return null;
    }

    @Override
    public InputStream getAsStream(String name) {
      return null;
    }
  }

  @Test
  void requestsDoNotLookForIt() throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, Observed.class, 1, Map.of())) {
      assertEquals(200, site.call(1, REQUEST).status());
      assertEquals(200, site.call(1, REQUEST).status());
      assertEquals(0, LOOKUPS.get());
    }
  }
}
