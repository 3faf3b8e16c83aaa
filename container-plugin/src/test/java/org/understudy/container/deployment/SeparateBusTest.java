package org.understudy.container.deployment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.understudy.container.Soap.envelope;
import static org.understudy.container.Soap.notebook;

import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.cxf.Bus;
import org.apache.cxf.BusFactory;
import org.apache.cxf.logging.FaultListener;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.container.ServiceCluster;
import org.understudy.container.interceptor.UnderstoodHeaders;
import org.understudy.container.service.NotebookService;

/** The plugin's bus and the buses of clients in the same process. */
class SeparateBusTest {
  @TempDir Path directory;

  private final Bus process = BusFactory.getDefaultBus(false);
  private final Bus thread = BusFactory.getThreadDefaultBus(false);

  @BeforeEach
  void begin() {
    BusFactory.setDefaultBus(null);
    BusFactory.setThreadDefaultBus(null);
  }

  @AfterEach
  void restore() {
    BusFactory.setDefaultBus(process);
    BusFactory.setThreadDefaultBus(thread);
  }

  @Test
  void theFirstBusDoesNotBecomeTheDefault() {
    Bus own = SeparateBus.create();
    try {
      assertNull(BusFactory.getDefaultBus(false));
      assertNull(BusFactory.getThreadDefaultBus(false));
      assertNotSame(own, BusFactory.getThreadDefaultBus());
      assertNotSame(own, CompletableFuture.supplyAsync(BusFactory::getThreadDefaultBus).join());
    } finally {
      own.shutdown(true);
    }
  }

  @Test
  void defaultsOfTheApplicationStay() {
    Bus mine = BusFactory.getDefaultBus();
    Bus threads = SeparateBus.create();
    BusFactory.setThreadDefaultBus(threads);
    SeparateBus.create().shutdown(true);
    assertSame(mine, BusFactory.getDefaultBus());
    assertSame(threads, BusFactory.getThreadDefaultBus());
    threads.shutdown(true);
  }

  @Test
  void aDeployedServiceLeavesTheDefaultToOthers() throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, NotebookService.class, 1, Map.of())) {
      assertEquals(200, site.call(1, envelope("", notebook("append", "a"))).status());
      // CXF itself makes a default bus while it publishes; a client must not get the plugin's.
      Bus clients = BusFactory.getDefaultBus();
      assertTrue(clients.getInInterceptors().stream().noneMatch(UnderstoodHeaders.class::isInstance));
      assertNull(clients.getProperty(FaultListener.class.getName()));
    }
  }
}
