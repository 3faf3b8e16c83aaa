package org.understudy.container.invoker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import jakarta.xml.ws.WebServiceException;
import java.net.URI;
import java.net.URL;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.apache.cxf.Bus;
import org.apache.cxf.BusFactory;
import org.apache.cxf.endpoint.Client;
import org.apache.cxf.frontend.ClientProxy;
import org.apache.cxf.ws.security.wss4j.WSS4JInInterceptor;
import org.apache.cxf.ws.security.wss4j.WSS4JOutInterceptor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.client.FaultTolerance;
import org.understudy.client.FaultTolerant;
import org.understudy.client.FaultTolerantGroup;
import org.understudy.client.invocation.InvocationFailedException;
import org.understudy.container.ServiceCluster;
import org.understudy.container.service.Notebook;
import org.understudy.container.service.NotebookService;
import org.understudy.container.service.RefusedException;
import org.understudy.container.service.SealedNotebookService;
import org.understudy.container.service.SecurityKeys;
import org.understudy.replication.api.Certainty;
import org.understudy.test.Condition;
import org.understudy.test.strategy.ForEachStrategy;

/** A client with the stub whose messages are signed and encrypted: each attempt anew, so that no replay cache refuses a retry. */
@ForEachStrategy
class SealedStubHttpTest {
  private static final String SIGNED =
      "{Element}{http://schemas.xmlsoap.org/soap/envelope/}Body;{Element}{urn:understudy:replication:1}ReplicationHeader";

  @TempDir Path directory;
  private Bus bus;

  /** Clients have a bus of their own: the first bus of a process is its default, and a server's ends with the server. */
  @BeforeEach
  void setBus() {
    bus = BusFactory.newInstance().createBus();
    BusFactory.setThreadDefaultBus(bus);
  }

  @AfterEach
  void endBus() {
    bus.shutdown(true);
    BusFactory.setThreadDefaultBus(null);
  }

  private static List<URI> addresses(ServiceCluster site) {
    return IntStream.rangeClosed(1, 3).mapToObj(number -> site.uri(number, site.service())).toList();
  }

  private static FaultTolerantGroup group(ServiceCluster site) {
    return FaultTolerant.group(FaultTolerance.custom().replicas(addresses(site)).build());
  }

  /** Its clients do not wait long for an answer. */
  private static FaultTolerantGroup impatientGroup(ServiceCluster site) {
    return FaultTolerant.group(
        FaultTolerance.custom().replicas(addresses(site)).responseTimeout(Duration.ofMillis(400)).build());
  }

  private static Notebook client(FaultTolerantGroup group, ServiceCluster site, String name) throws Exception {
    URL wsdl = URI.create(addresses(site).get(site.primary() - 1) + "?wsdl").toURL();
    Notebook notebook = group.client(Notebook.class, wsdl);
    Client client = ClientProxy.getClient(notebook);
    client.getOutInterceptors().add(new WSS4JOutInterceptor(SecurityKeys.outgoing(name, SecurityKeys.SERVICE, SIGNED)));
    client.getInInterceptors().add(new WSS4JInInterceptor(SecurityKeys.incoming()));
    client.getInFaultInterceptors().add(new WSS4JInInterceptor(SecurityKeys.incoming()));
    return notebook;
  }

  @Test
  void everyCallIsExecutedOnceAcrossTheLossOfThePrimary() throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, SealedNotebookService.class, 3, Map.of());
        FaultTolerantGroup group = impatientGroup(site)) {
      Notebook notebook = client(group, site, "alice");
      int before = NotebookService.EXECUTIONS.get();
      for (int i = 1; i <= 20; i++) {
        assertEquals(i, notebook.append("x").length());
        if (i == 10) {
          site.stop(site.primary());
        }
      }
      site.assertRuns(20, NotebookService.EXECUTIONS.get() - before);
      assertEquals(20, notebook.text().length());
    }
  }

  @Test
  void aRetryDuringTheExecutionIsSignedAnewAndGetsItsResult() throws Exception {
    try (ServiceCluster site = ServiceCluster.shared(SealedNotebookService.class, 3, Map.of());
        FaultTolerantGroup group = impatientGroup(site)) {
      Notebook notebook = client(group, site, "alice");
      notebook.clear();
      int before = NotebookService.EXECUTIONS.get();
      int opened = SealedNotebookService.OPENED.get();
      CompletableFuture<String> slow = CompletableFuture.supplyAsync(() -> notebook.appendSlowly("slow"));
      Condition.await("the execution begins", NotebookService.BEGUN::tryAcquire);
      Condition.await("a retry that passed the replay cache", () -> SealedNotebookService.OPENED.get() - opened >= 2);
      NotebookService.GO.release();
      assertEquals("slow", slow.join());
      site.assertRuns(1, NotebookService.EXECUTIONS.get() - before);
      NotebookService.endSlowRuns();
    }
  }

  @Test
  void faultsOfTheServiceReachTheClient() throws Exception {
    try (ServiceCluster site = ServiceCluster.shared(SealedNotebookService.class, 3, Map.of());
        FaultTolerantGroup group = group(site)) {
      Notebook notebook = client(group, site, "bob");
      assertThrows(RefusedException.class, () -> notebook.refuse("y"));
    }
  }

  @Test
  void oneWayCallsAreExecutedOnce() throws Exception {
    try (ServiceCluster site = ServiceCluster.shared(SealedNotebookService.class, 3, Map.of());
        FaultTolerantGroup group = group(site)) {
      Notebook notebook = client(group, site, "bob");
      notebook.clear();
      notebook.note("n");
      assertEquals("n", notebook.text());
    }
  }

  @Test
  void aClientThatDoesNotSignLearnsAtOnceThatNothingWasExecuted() throws Exception {
    try (ServiceCluster site = ServiceCluster.shared(SealedNotebookService.class, 3, Map.of());
        FaultTolerantGroup group = group(site)) {
      URL wsdl = URI.create(addresses(site).get(site.primary() - 1) + "?wsdl").toURL();
      Notebook notebook = group.client(Notebook.class, wsdl);
      int before = NotebookService.EXECUTIONS.get();
      WebServiceException failure = assertThrows(WebServiceException.class, () -> notebook.append("x"));
      InvocationFailedException why = InvocationFailedException.in(failure).orElseThrow();
      assertEquals(Certainty.NOT_EXECUTED, why.certainty());
      assertEquals(0, NotebookService.EXECUTIONS.get() - before);
    }
  }
}
