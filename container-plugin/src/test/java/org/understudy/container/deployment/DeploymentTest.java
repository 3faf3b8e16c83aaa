package org.understudy.container.deployment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.understudy.container.Soap.envelope;
import static org.understudy.container.Soap.notebook;

import jakarta.servlet.ServletContext;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.cxf.Bus;
import org.apache.cxf.BusFactory;
import org.apache.cxf.jaxws.EndpointImpl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.container.ServiceCluster;
import org.understudy.container.attachment.Attachments;
import org.understudy.container.attachment.SelectedEndpoints;
import org.understudy.container.configuration.Configuration;
import org.understudy.container.configuration.ConfigurationException;
import org.understudy.container.database.BookService;
import org.understudy.container.service.NotebookService;
import org.understudy.container.service.OutsideEffects;
import org.understudy.container.service.ReplicableService;
import org.understudy.container.service.SelfInjectedLedger;
import org.understudy.container.service.SlowLedger;
import org.understudy.test.Condition;
import org.understudy.test.LogRecorder;
import org.understudy.test.cluster.Answer;
import org.understudy.test.strategy.ForEachStrategy;
import org.understudy.test.strategy.OnlyWith;

@ForEachStrategy
class DeploymentTest {
  @TempDir Path directory;

  /** The lines that a class logs meanwhile. */
  private static List<String> logged(Class<?> type, Executable meanwhile) throws Exception {
    try (LogRecorder log = LogRecorder.of(type)) {
      meanwhile.execute();
      return log.lines();
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  private void assertRefused(Class<?> service, Map<String, String> settings, String why) throws Exception {
    assertRefused(service, 1, settings, why);
  }

  private void assertRefused(Class<?> service, int replicas, Map<String, String> settings, String why) throws Exception {
    List<String> lines =
        logged(UnderstudyInitializer.class,
            () -> assertThrows(IllegalStateException.class, () -> new ServiceCluster(directory, service, replicas, settings)));
    assertEquals(1, lines.size(), lines.toString());
    assertEquals(1, lines.get(0).lines().count());
    assertTrue(lines.get(0).contains(why), lines.get(0));
  }

  @Test
  void aWrongSettingStopsTheStartWithOneLine() throws Exception {
    assertRefused(
        NotebookService.class, Map.of("understudy.strategie", "none"), "The key understudy.strategie is unknown");
  }

  @Test
  void aPathThatOtherReplicasDoNotReachIsNamed() throws Exception {
    Properties settings = new Properties();
    settings.putAll(
        Map.of("understudy.strategy", "none", "understudy.replica", "1", "understudy.replicas", "1=http://shop.example:8080/orders/"));
    Configuration configuration = Configuration.of(settings);
    assertEquals(List.of(), logged(UnderstudyInitializer.class, () -> UnderstudyInitializer.warnOfPath(configuration, "/orders")));
    List<String> lines = logged(UnderstudyInitializer.class, () -> UnderstudyInitializer.warnOfPath(configuration, "/orders-2"));
    assertEquals(1, lines.size(), lines.toString());
    assertTrue(lines.get(0).contains("'/orders-2', and understudy.replicas names http://shop.example:8080/orders for"), lines.get(0));
  }

  @Test
  @OnlyWith(value = "group", because = "primary-backup supports state in a database")
  void stateInADatabaseIsRefused() throws Exception {
    assertRefused(BookService.class, 3, Map.of(), "cannot be replicated: the strategy group does not support that.");
  }

  @Test
  void whatThePluginPublishesHasOneGroup() throws Exception {
    assertRefused(NotebookService.class, Map.of("understudy.groups", "orders,stock"), "what the plugin publishes itself has one group");
  }

  @Test
  void brokerRequiresItsModule() throws Exception {
    assertRefused(null, Map.of(), "Add the module understudy-broker");
  }

  @Test
  void whatCannotBeReplicatedIsRefusedWithTheReason() throws Exception {
    assertRefused(Services.AProvider.class, Map.of(), "it is a Provider of jakarta.activation.DataSource");
    assertRefused(Services.PayloadProvider.class, Map.of(), "which needs @ServiceMode(Service.Mode.MESSAGE)");
    assertRefused(Services.Undeclared.class, Map.of(), "it is a Provider without @WebServiceProvider");
    assertRefused(Services.Several.class, Map.of(), "the Body of its operation say (what, how) does not consist of one element");
    assertRefused(Services.Bodiless.class, Map.of(), "its operations first and second have an empty Body and no action");
    assertRefused(Services.Stateless.class, Map.of(), "neither names its @ResourceState nor implements StateCapture");
    assertRefused(
        Services.Streaming.class, Map.of(), "Streaming.entries -> Map value -> java.io.InputStream: InputStream has implementations");
    assertRefused(Services.Viewing.class, Map.of(), "Viewing.entries: a java.util.Collections$UnmodifiableRandomAccessList is a view");
    assertRefused(Services.Twice.class, Map.of(), "implements StateCapture and is marked @ReplicatedState");
    assertRefused(Services.Injected.class, Map.of(), "has no public constructor without parameters");
    assertRefused(Services.Throwing.class, Map.of(), "throws java.lang.IllegalStateException: no database");
    assertRefused(Services.Homeless.class, Map.of(), "has no public constructor that takes a ResourceHome");
    assertRefused(Services.Ambiguous.class, Map.of(), "its operations say and shout have the same element");
    assertRefused(Services.Abstract.class, Map.of(), "it is abstract. Name the class that implements the service");
    assertRefused(Services.Encoded.class, Map.of(), "use=encoded, which CXF does not support. Use literal");
    assertRefused(Services.PlainXml.class, Map.of(), "its binding is not SOAP");
    assertRefused(Services.Duplicated.class, Map.of(), "Set allowDuplicates of WSAddressingFeature to true");
    assertRefused(Services.Duplicated.class, Map.of("understudy.place", "after"), "Set allowDuplicates of WSAddressingFeature to true");
    assertRefused(Services.Publishing.class, Map.of("understudy.place", "after"), "declares @Topics, on which it cannot publish");
    assertRefused(Services.Publishing.class, Map.of("understudy.wsrf", "off"), "declares @Topics, on which it cannot publish");
  }

  @Test
  void streamingSecurityIsRefusedWithReasonAndRemedy() throws Exception {
    for (Class<?> service : List.of(Services.StreamedByProperty.class, Services.StreamedByInterceptor.class)) {
      assertRefused(
          service, Map.of(),
          "does not report which header blocks are signed, so the plugin cannot require that the identity of a request is signed. Set "
              + "ws-security.enable.streaming to false and use the interceptors that are not named WSS4JStax");
    }
  }

  @Test
  void whatIsNeitherStateNorPartOfAnUpdateIsNamedInAWarning() throws Exception {
    List<String> lines =
        logged(OutsideEffects.class, () -> new ServiceCluster(directory, Services.Counting.class, 1, Map.of()).close());
    assertEquals(1, lines.size(), lines.toString());
    assertTrue(lines.get(0).startsWith("The static field " + Services.Counting.class.getName() + ".calls can change"), lines.get(0));
  }

  @Test
  void oneApplicationHasOneService() {
    ClassLoader loader = getClass().getClassLoader();
    String two = NotebookService.class.getName() + ", " + Services.Rpc.class.getName();
    assertTrue(assertThrows(ConfigurationException.class, () -> ReplicableService.named(two, loader, name -> List.of()))
        .getMessage().contains("It names one service class"));
    assertTrue(assertThrows(ConfigurationException.class, () -> ReplicableService.named("no.such.Class", loader, name -> List.of()))
        .getMessage().endsWith("which is not in the web application."));
  }

  @Test
  void aMissingServiceClassIsReportedWithThoseOfTheSameName() {
    Map<String, Set<String>> paths =
        Map.of(
            "/WEB-INF/classes/org/shop/",
            Set.of("/WEB-INF/classes/org/shop/pbdb/", "/WEB-INF/classes/org/shop/db/", "/WEB-INF/classes/org/shop/A.class"),
            "/WEB-INF/classes/org/shop/db/", Set.of("/WEB-INF/classes/org/shop/db/Shop.class"),
            "/WEB-INF/classes/org/shop/pbdb/", Set.of("/WEB-INF/classes/org/shop/pbdb/Shop.class"));
    ServletContext context = (ServletContext) Proxy.newProxyInstance(
        getClass().getClassLoader(), new Class<?>[] {ServletContext.class}, (proxy, method, arguments) -> paths.get(arguments[0]));
    String message =
        assertThrows(
            ConfigurationException.class,
            () -> ReplicableService.named(
                "org.shop.pb-db.Shop", getClass().getClassLoader(), name -> UnderstudyInitializer.siblings(name, context)))
            .getMessage();
    assertTrue(message.endsWith("It has org.shop.db.Shop, org.shop.pbdb.Shop. Name one of them."), message);
    assertEquals(List.of(), UnderstudyInitializer.siblings("Shop", context));
    assertEquals(List.of(), UnderstudyInitializer.siblings("com.other.Shop", context));
  }

  @Test
  void anEndpointThatIsNotReplicatedIsNamed() throws Exception {
    List<String> never = logged(Attachments.class, DeploymentTest::publishAnother);
    assertEquals(1, never.size(), never.toString());
    assertTrue(never.get(0).contains("the server has not called it, or it has found no configuration"), never.get(0));
    ClassLoader application = Thread.currentThread().getContextClassLoader();
    Attachments attachments = new Attachments(new SelectedEndpoints(Map.of("", Set.of())), endpoint -> {}, reason -> {});
    attachments.begin(application);
    try {
      List<String> beside = logged(Attachments.class, DeploymentTest::publishAnother);
      assertEquals(1, beside.size(), beside.toString());
      assertTrue(beside.get(0).matches(".*StatelessPort at /other is NOT replicated.*neither the annotation.*"), beside.get(0));
    } finally {
      attachments.end();
    }
    List<String> ours = logged(Attachments.class, () -> {
      try (ServiceCluster site = new ServiceCluster(directory, NotebookService.class, 1, Map.of())) {
        assertEquals(200, site.health(1, "ready").statusCode());
      }
    });
    assertEquals(List.of(), ours);
  }

  private static void publishAnother() {
    Bus bus = BusFactory.newInstance().createBus();
    new EndpointImpl(bus, new Services.Stateless()).publish("/other");
    bus.shutdown(true);
  }

  @Test
  void overloadedReplicaRejects() throws Exception {
    NotebookService.endSlowRuns();
    try (ServiceCluster site = new ServiceCluster(directory, NotebookService.class, 1, Map.of("understudy.load.limit", "1"))) {
      CompletableFuture<Answer> slow = site.callLater(1, envelope("", notebook("appendSlowly", "a")));
      NotebookService.BEGUN.acquireUninterruptibly();
      Answer refused = site.call(1, envelope("", notebook("append", "b")));
      assertEquals("Overloaded", refused.between("<ur:Code>", "</ur:Code>"));
      assertEquals("no", refused.between("<ur:Executed>", "</ur:Executed>"));
      assertTrue(site.health(1, "live").body().contains("\"load\":1"));
      NotebookService.GO.release();
      assertEquals(200, slow.join().status());
      assertEquals(200, site.call(1, envelope("", notebook("append", "b"))).status());
      assertTrue(site.health(1, "live").body().contains("\"load\":0"));
    }
  }

  @Test
  void timingIsReportedOnRequest() throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, NotebookService.class, 3, Map.of("understudy.timing.header", "true"))) {
      var request = java.net.http.HttpRequest.newBuilder(site.uri(site.primary(), site.service()))
          .header("Content-Type", "text/xml")
          .POST(java.net.http.HttpRequest.BodyPublishers.ofString(envelope("", notebook("append", "a")))).build();
      var answer = java.net.http.HttpClient.newHttpClient()
          .send(request, java.net.http.HttpResponse.BodyHandlers.ofString());
      assertTrue(answer.headers().firstValue("Server-Timing").orElse("").matches(
              "stable;dur=[0-9.E-]+, consistency;dur=[0-9.E-]+, service;dur=[0-9.E-]+, balancing;dur=[0-9.E-]+, executions;desc=\"1\""
                  + ", lock;dur=[0-9.E-]+, commit;dur=0.0"),
          answer.headers().toString());
    }
  }

  @Test
  void aReplicaJoinsWhenItsConnectorTakesRequests() throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, NotebookService.class, 3, Map.of())) {
      int late = site.backup();
      site.stop(late);
      Condition.await(() -> !isMember(site, late));
      site.start(late, () -> {
        // Joining takes a few messages; these are many more.
        for (int i = 0; i < 200; i++) {
          assertEquals(200, site.call(site.primary(), envelope("", notebook("append", "a"))).status());
          assertFalse(isMember(site, late));
        }
      });
      Condition.await(() -> site.health(late, "ready").statusCode() == 200);
      assertTrue(isMember(site, late));
    }
  }

  private static boolean isMember(ServiceCluster site, int replica) {
    String health = site.health(site.primary(), "live").body();
    return health.matches("(?s).*\"members\":\\[[^]]*\\b" + replica + "\\b.*");
  }

  /** The lines about reads during an update that the deployment of replicas logs. */
  private List<String> readsOf(Class<?> service, int replicas, Map<String, String> settings) throws Exception {
    Path own = Files.createTempDirectory(directory, "cluster");
    return logged(ServicePublication.class, () -> new ServiceCluster(own, service, replicas, settings).close()).stream()
        .filter(line -> line.startsWith("Reads of "))
        .distinct()
        .toList();
  }

  @Test
  void theLogNamesWhetherReadsWaitForUpdates() throws Exception {
    assertEquals(
        List.of(
            "Reads of " + SelfInjectedLedger.class.getName() + " wait for its updates: the injected field SelfInjectedLedger.self has the "
                + "type SlowLedger, which may refer back to the service object, so a second object cannot share it."),
        readsOf(SelfInjectedLedger.class, 2, Map.of()));
    assertEquals(
        List.of(
            "Reads of " + SlowLedger.class.getName() + " do not wait for a long update: they go on with a copy of the service object."),
        readsOf(SlowLedger.class, 2, Map.of()));
    assertEquals(List.of(), readsOf(SlowLedger.class, 1, Map.of("understudy.strategy", "none")));
  }
}
