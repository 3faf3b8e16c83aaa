package org.understudy.container.attachment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.jws.WebService;
import jakarta.xml.ws.WebServiceException;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.apache.cxf.Bus;
import org.apache.cxf.BusFactory;
import org.apache.cxf.jaxws.EndpointImpl;
import org.apache.cxf.jaxws.JAXWSMethodInvoker;
import org.apache.cxf.jaxws.JaxWsServerFactoryBean;
import org.apache.cxf.service.invoker.PerRequestFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.replication.api.FaultTolerant;
import org.understudy.test.LogRecorder;
import org.understudy.test.cluster.WebApplication;
import org.understudy.test.network.FreePorts;

/** Endpoints that cannot be replicated as they are published: they are named with the reason, and not served. */
class RefusedEndpointTest {
  /** Held, since a logger that is collected loses its level. */
  private static final Logger TOMCAT = Logger.getLogger("org.apache");

  @TempDir Path directory;

  @BeforeAll
  static void quiet() {
    TOMCAT.setLevel(Level.OFF);
  }

  @AfterAll
  static void loud() {
    TOMCAT.setLevel(null);
  }

  /** Sends requests to the application. */
  @FunctionalInterface
  private interface Visit {
    /** @param application the URL of the application */
    void at(String application) throws IOException;
  }

  /** The errors that Understudy logs, when an application publishes so and is visited. */
  private List<String> errors(Consumer<Bus> publisher, Visit visit, String... more) throws Exception {
    return lines(Level.SEVERE, new OwnServlet(publisher), visit, more);
  }

  /** The lines of a level and above that Understudy logs. */
  private List<String> lines(Level level, WebApplication application, Visit visit, String... more) throws Exception {
    int port = FreePorts.next();
    Path settings = directory.resolve("understudy.properties");
    Files.writeString(
        settings,
        "understudy.replica=1\nunderstudy.strategy=none\nunderstudy.replicas=1=http://127.0.0.1:" + port + "/app\n"
            + String.join("\n", more));
    Tomcat tomcat = new Tomcat();
    tomcat.setBaseDir(directory.toString());
    tomcat.setPort(port);
    tomcat.getConnector();
    try (LogRecorder log = LogRecorder.of(level, "org.understudy")) {
      try {
        Context context = application.addTo(tomcat, directory);
        context.addParameter("understudy.config", settings.toString());
        tomcat.start();
        visit.at("http://127.0.0.1:" + port + "/app");
        // Other paths of the application go on.
        assertEquals(404, open("http://127.0.0.1:" + port + "/app/other", "POST").getResponseCode());
      } finally {
        tomcat.stop();
        tomcat.destroy();
      }
      return log.lines();
    }
  }

  private static HttpURLConnection open(String url, String method) throws IOException {
    HttpURLConnection connection = (HttpURLConnection) new URL(url).openConnection();
    connection.setRequestMethod(method);
    return connection;
  }

  private List<String> assertRefused(String why, String path, Consumer<Bus> publisher, String... more) throws Exception {
    List<String> lines =
        errors(
            publisher, application -> assertEquals(404, open(application + "/soap" + path + "?wsdl", "GET").getResponseCode()), more);
    // Each replica of the application logs it.
    assertEquals(1, lines.stream().map(line -> line.replaceFirst(" of group [a-z]+ ", " ")).distinct().count(), lines.toString());
    assertEquals(1, lines.get(0).lines().count());
    assertTrue(lines.get(0).contains(why), lines.get(0));
    return lines;
  }

  /** The application goes on without the endpoint. */
  private static void assertNotPublished(Runnable publishing) {
    assertThrows(WebServiceException.class, publishing::run);
  }

  @Test
  void anObjectForEachRequestHasNoStateToReplicate() throws Exception {
    assertRefused("Use one object for the endpoint", "/scoped", bus -> {
      JaxWsServerFactoryBean factory = new JaxWsServerFactoryBean();
      factory.setBus(bus);
      factory.setServiceClass(Stateless.class);
      factory.setAddress("/scoped");
      factory.setInvoker(new JAXWSMethodInvoker(new PerRequestFactory(Stateless.class)));
      factory.getFeatures().add(new FaultTolerantFeature());
      assertNotPublished(factory::create);
    });
  }

  @Test
  void serviceMustDeclareItsState() throws Exception {
    assertRefused("neither names its @ResourceState nor implements StateCapture", "/stateless",
        bus -> assertNotPublished(() -> new EndpointImpl(bus, new Stateless()).publish("/stateless")));
  }

  /** As with a Spring context in CXF's servlet: each request begins to publish again, and fails again. */
  @Test
  void aReplicaWithARefusedEndpointIsNotReadyAndKeepsTheReason() throws Exception {
    String why = "neither names its @ResourceState nor implements StateCapture";
    List<String> lines = errors(
        bus -> {
          new EndpointImpl(bus, new Ledger("Ann")).publish("/ann");
          new EndpointImpl(bus, new Stateless()).publish("/stateless");
        },
        application -> {
          for (int i = 0; i < 2; i++) {
            assertEquals(500, open(application + "/soap/ann?wsdl", "GET").getResponseCode());
          }
          for (String check : List.of("ready", "live")) {
            HttpURLConnection health = open(application + "/health/" + check, "GET");
            assertEquals(503, health.getResponseCode());
            String body = new String(health.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
            assertTrue(body.contains(why) && body.contains("\"ready\":false"), body);
          }
        });
    assertEquals(1, lines.size(), lines.toString());
    assertTrue(lines.get(0).contains(why), lines.get(0));
  }

  private static void publishNamed(Bus bus, String name, String address) {
    EndpointImpl endpoint = new EndpointImpl(bus, new PlainLedger("any"));
    endpoint.getFeatures().add(new FaultTolerantFeature(name));
    endpoint.publish(address);
  }

  /** The replica is not closed, so its health gives the reason. */
  @Test
  void twoServicesCannotHaveOneName() throws Exception {
    List<String> lines = errors(
        bus -> List.of("/ann", "/bob").forEach(address -> publishNamed(bus, "one", address)),
        application -> {
          assertEquals(404, open(application + "/soap/ann?wsdl", "GET").getResponseCode());
          HttpURLConnection health = open(application + "/health/live", "GET");
          assertEquals(503, health.getResponseCode());
          String body = new String(health.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
          assertTrue(body.contains("with the same name one") && body.contains("at /ann") && body.contains("at /bob"), body);
        });
    assertEquals(1, lines.size(), lines.toString());
    assertTrue(lines.get(0).contains("Give each service its own name"), lines.get(0));
  }

  @Test
  void anEndpointOnABusWithoutServletIsRefused() throws Exception {
    assertRefused("no servlet of CXF serves it", "/ann", bus -> publishNamed(BusFactory.newInstance().createBus(), "ann", "/ann"));
  }

  @Test
  void aSelectedEndpointIsRefusedLikeAMarkedOne() throws Exception {
    assertRefused("neither names its @ResourceState nor implements StateCapture", "/unmarked", bus -> {
      new EndpointImpl(bus, new PlainLedger("any")).publish("/ann");
      assertNotPublished(() -> new EndpointImpl(bus, new Unmarked()).publish("/unmarked"));
    }, "understudy.endpoints=*");
  }

  @Test
  void aSelectedEndpointThatDoesNotExistIsNamed() throws Exception {
    Consumer<Bus> publisher = bus -> new EndpointImpl(bus, new PlainLedger("any")).publish("/ann");
    for (String selected : List.of("/ann,/amm", "*,/amm")) {
      List<String> lines = lines(Level.WARNING, new OwnServlet(publisher), application -> {}, "understudy.endpoints=" + selected);
      assertTrue(lines.stream().anyMatch(line -> line.contains("selects the endpoints /amm for replication")), lines.toString());
    }
  }

  @Test
  void aFilterThatCannotWaitIsRefused() throws Exception {
    OwnServlet application =
        new OwnServlet(bus -> publishNamed(bus, "ann", "/ann"), (request, response, chain) -> chain.doFilter(request, response), false);
    List<String> lines = lines(Level.SEVERE, application, url -> assertEquals(404, open(url + "/soap/ann?wsdl", "GET").getResponseCode()));
    assertEquals(1, lines.size(), lines.toString());
    assertTrue(lines.get(0).contains("the filter own of the web application does not support asynchronous requests"), lines.get(0));
    assertTrue(lines.get(0).contains("/soap/ann"), lines.get(0));
  }

  @Test
  void anEndpointThatAppearsLaterIsRefused() throws Exception {
    assertRefused("after all servlets of the web application had started", "/later", bus -> {
      new EndpointImpl(bus, new Ledger("Ann")).publish("/ann");
      Attachments.begun(Thread.currentThread().getContextClassLoader()).complete();
      assertNotPublished(() -> new EndpointImpl(bus, new Ledger("Bob")).publish("/later"));
    });
  }

  private static void publish(Bus bus, Object bean, String group, String address) {
    EndpointImpl endpoint = new EndpointImpl(bus, bean);
    FaultTolerantFeature feature = new FaultTolerantFeature();
    feature.setGroup(group);
    endpoint.getFeatures().add(feature);
    endpoint.publish(address);
  }

  @Test
  void anEndpointNamesOneGroupOfTheConfiguration() throws Exception {
    String groups = "understudy.groups=orders,stock";
    assertRefused("its mark names the group stock, and understudy.groups is not set", "/ann",
        bus -> assertNotPublished(() -> publish(bus, new PlainLedger("Ann"), "stock", "/ann")));
    assertRefused("its mark names the group other, and understudy.groups lists orders, stock", "/ann",
        bus -> assertNotPublished(() -> publish(bus, new PlainLedger("Ann"), "other", "/ann")), groups);
    assertRefused("its mark names no group, and understudy.groups lists orders, stock", "/ann",
        bus -> assertNotPublished(() -> new EndpointImpl(bus, new Ledger("Ann")).publish("/ann")), groups);
    assertRefused("it has several groups, orders, stock", "/ann",
        bus -> assertNotPublished(() -> new EndpointImpl(bus, new StockLedger("Ann")).publish("/ann")), groups,
        "understudy.group.orders.endpoints=*");
    assertRefused("it has several groups, orders, stock", "/ann",
        bus -> assertNotPublished(() -> publish(bus, new StockLedger("Ann"), "orders", "/ann")), groups);
  }

  @Test
  void anObjectBelongsToOneGroup() throws Exception {
    List<String> lines = assertRefused("its object belongs to an endpoint of the group orders too", "/bob", bus -> {
      Ledger shared = new PlainLedger("Ann");
      publish(bus, shared, "orders", "/ann");
      assertNotPublished(() -> publish(bus, shared, "stock", "/bob"));
    }, "understudy.groups=orders,stock");
    assertTrue(lines.get(0).startsWith("Replica 1 of group orders halts, because the endpoint"), lines.toString());
    assertTrue(lines.get(1).startsWith("Replica 1 of group stock halts, because the endpoint"), lines.toString());
  }

  /** Has no mark, and says nothing of its state. */
  @WebService(targetNamespace = "urn:unmarked")
  public static class Unmarked {
    /** Needed by CXF. */
    public Unmarked() {}

    public String say(String what) {
      return what;
    }
  }

  /** Says nothing of its state. */
  @FaultTolerant
  @WebService(targetNamespace = "urn:stateless")
  public static class Stateless {
    /** Needed by CXF. */
    public Stateless() {}

    public String say(String what) {
      return what;
    }
  }

  /** The thread dump of a web application with several groups shows whose it is. */
  @Test
  void theThreadsOfAGroupChannelHaveTheLabelOfTheGroup() throws Exception {
    List<String> lines =
        errors(
            bus -> new EndpointImpl(bus, new PlainLedger("Ann")).publish("/orders"), application -> {}, "understudy.groups=orders",
            "understudy.group.orders.strategy=group", "understudy.group.orders.channel=" + UnopenedChannel.NAME,
            "understudy.replicas=1=http://127.0.0.1:1/app,2=http://127.0.0.1:2/app",
            "understudy.group.orders.peers=1=127.0.0.1:" + FreePorts.next() + ",2=127.0.0.1:2", "understudy.group.orders.endpoints=/orders",
            "understudy.secret=a secret of the tests", "understudy.directory=" + directory.resolve("data"));
    assertTrue(lines.stream().anyMatch(line -> line.contains("The thread is channel@orders.")), lines.toString());
  }
}
