package org.understudy.container.attachment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.jws.WebMethod;
import jakarta.jws.WebParam;
import jakarta.jws.WebService;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import org.apache.cxf.jaxws.EndpointImpl;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.understudy.container.Soap;
import org.understudy.test.Condition;
import org.understudy.test.LogRecorder;
import org.understudy.test.cluster.Answer;
import org.understudy.test.cluster.TestCluster;

/** One of two endpoints of a service object is stopped while a request to it waits for the object. */
class StoppedEndpointHttpTest {
  private static final Semaphore BEGUN = new Semaphore(0);
  private static final Semaphore RELEASED = new Semaphore(0);
  @TempDir private Path directory;

  /** Adds some lines only when the test says so. */
  @WebService(targetNamespace = "urn:ledger", serviceName = "HeldLedger", portName = "HeldLedgerPort")
  public static class HeldLedger extends Ledger {
    HeldLedger() {
      super("Ann");
    }

    @Override
    @WebMethod
    public String add(@WebParam(name = "line") String line) {
      BEGUN.release();
      RELEASED.acquireUninterruptibly();
      return super.add(line);
    }
  }

  private static CompletableFuture<Answer> call(TestCluster site, String path, String body) {
    return site.postLater(1, path, Soap.envelope("", body).getBytes(StandardCharsets.UTF_8), "text/xml; charset=UTF-8");
  }

  @ParameterizedTest
  @ValueSource(strings = {"before", "after"})
  void theOtherEndpointGoesOn(String place) throws Exception {
    BEGUN.drainPermits();
    RELEASED.drainPermits();
    EndpointImpl[] stopped = new EndpointImpl[1];
    ClassLoader[] loader = new ClassLoader[1];
    OwnServlet application = new OwnServlet(bus -> {
      HeldLedger shared = new HeldLedger();
      loader[0] = Thread.currentThread().getContextClassLoader();
      stopped[0] = new EndpointImpl(bus, shared);
      stopped[0].publish("/stopped");
      new EndpointImpl(bus, shared).publish("/left");
    });
    try (LogRecorder log = LogRecorder.of(Level.SEVERE, "org.apache.catalina.core");
        TestCluster site =
            new TestCluster(directory, application, 1, Map.of("understudy.endpoints", "*", "understudy.place", place))) {
      String add = "<l:add xmlns:l=\"urn:ledger\"><line>a</line></l:add>";
      CompletableFuture<Answer> first = call(site, "/soap/left", add);
      assertTrue(BEGUN.tryAcquire(30, TimeUnit.SECONDS));
      CompletableFuture<Answer> waiting = call(site, "/soap/stopped", add);
      Condition.await("both to be in progress", () -> site.health(1, "live").body().contains("\"load\":2"));
      Condition.await("the second to wait without a thread", () -> site.busyThreads(1) == 1);
      // As from a thread of a scheduler or of management.
      assertNotSame(loader[0], Thread.currentThread().getContextClassLoader());
      stopped[0].stop();
      RELEASED.release(2);
      assertEquals(200, first.get(30, TimeUnit.SECONDS).status());
      Answer ended = waiting.get(30, TimeUnit.SECONDS);
      // It cannot be passed to CXF again.
      assertEquals(500, ended.status(), ended.text());
      if (place.equals("after")) {
        assertEquals("", ended.text());
        assertTrue(ended.reason().endsWith("Retry with the same request id."), ended.reason());
      }
      Answer read = call(site, "/soap/left", "<l:lines xmlns:l=\"urn:ledger\"/>").get(30, TimeUnit.SECONDS);
      assertEquals("Ann:a", read.between("<return>", "</return>"), read.text());
      Condition.await("no request in progress", () -> site.health(1, "live").body().contains("\"load\":0"));
      assertEquals(List.of(), log.lines());
    }
  }
}
