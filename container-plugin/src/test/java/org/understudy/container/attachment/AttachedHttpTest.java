package org.understudy.container.attachment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.understudy.container.Soap.envelope;
import static org.understudy.container.Soap.header;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.xml.ws.Endpoint;
import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.logging.Level;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.apache.cxf.Bus;
import org.apache.cxf.jaxws.EndpointImpl;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.test.Condition;
import org.understudy.test.LogRecorder;
import org.understudy.test.cluster.Answer;
import org.understudy.test.cluster.TestCluster;
import org.understudy.test.strategy.ForEachStrategy;

/** Endpoints that the application publishes through its own servlet of CXF. */
@ForEachStrategy
class AttachedHttpTest {
  @TempDir Path directory;
  private static int nonces;

  @BeforeEach
  void count() {
    Ledger.EXECUTIONS.set(0);
  }

  private static Answer post(TestCluster site, int replica, String path, String envelope, String... headers) {
    String[] all = new String[headers.length + 1];
    all[0] = "text/xml; charset=UTF-8";
    System.arraycopy(headers, 0, all, 1, headers.length);
    return site.post(replica, path, envelope.getBytes(StandardCharsets.UTF_8), all);
  }

  private static Answer open(TestCluster site, String path) {
    String open = String.format("<OpenSession xmlns=\"urn:understudy:replication:1\"><Nonce>%032x</Nonce></OpenSession>", ++nonces);
    return post(site, site.primary(), path, envelope("", open), "SOAPAction",
        "\"urn:understudy:replication:1/OpenSession\"", "Key", "open sesame");
  }

  private static String session(TestCluster site, String path) {
    return open(site, path).between("<ur:Session>", "</ur:Session>");
  }

  private static String add(String line) {
    return "<l:add xmlns:l=\"urn:ledger\"><line>" + line + "</line></l:add>";
  }

  private static String result(Answer answer) {
    assertEquals(200, answer.status(), answer.text());
    return answer.between("<return>", "</return>");
  }

  private static String get(TestCluster site, int replica, String path) throws Exception {
    HttpResponse<String> answer = HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(site.uri(replica, path)).build(), HttpResponse.BodyHandlers.ofString());
    assertEquals(200, answer.statusCode(), path);
    return answer.body();
  }

  private static void publishMarked(Bus bus) {
    new EndpointImpl(bus, new Ledger("Ann")).publish("/ledger");
  }

  @Test
  void aMarkedEndpointIsExecutedExactlyOnceAcrossAFailover() throws Exception {
    try (TestCluster site = new TestCluster(directory, new OwnServlet(AttachedHttpTest::publishMarked), 3, Map.of())) {
      int primary = site.primary();
      String session = session(site, "/soap/ledger");
      Answer first = post(site, primary, "/soap/ledger", envelope(header(session, 1, 1), add("a")));
      assertEquals("Ann:a", result(first));
      assertEquals("executed", first.between("<ur:Status>", "</ur:Status>"));
      Answer second = post(site, primary, "/soap/ledger", envelope(header(session, 1, 2), add("a")));
      assertEquals("replayed", second.between("<ur:Status>", "</ur:Status>"));
      site.stop(primary);
      int next = site.primary();
      Answer third = post(site, next, "/soap/ledger", envelope(header(session, 1, 3), add("a")));
      assertEquals("replayed", third.between("<ur:Status>", "</ur:Status>"));
      assertEquals(first.body(), third.body());
      assertEquals("Ann:ab", result(post(site, next, "/soap/ledger", envelope(header(session, 2, 1), add("b")))));
      site.assertRuns(2, Ledger.EXECUTIONS.get());
    }
  }

  @Test
  void whatAnAttachedServiceHasBesideItsStateIsNamed() throws Exception {
    OwnServlet application = new OwnServlet(bus -> new EndpointImpl(bus, new CountingLedger("Ann")).publish("/ledger"));
    try (LogRecorder log = LogRecorder.of(Level.WARNING, "org.understudy.container.service.OutsideEffects")) {
      try (TestCluster site = new TestCluster(directory, application, 1, Map.of())) {
        assertEquals("Ann:a", result(post(site, site.primary(), "/soap/ledger", envelope("", add("a")))));
      }
      assertEquals(1, log.lines().size(), log.lines().toString());
      assertTrue(log.lines().get(0).startsWith("The static field " + CountingLedger.class.getName() + ".instances can change"));
    }
  }

  /** Refuses those without a key, as an application's own security does. */
  private static void requireKey(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    if ("open sesame".equals(((HttpServletRequest) request).getHeader("Key"))) {
      chain.doFilter(request, response);
    } else {
      ((HttpServletResponse) response).sendError(401);
    }
  }

  @Test
  void theApplicationsFiltersSeeRepeatedRequestsToo() throws Exception {
    OwnServlet application = new OwnServlet(AttachedHttpTest::publishMarked, AttachedHttpTest::requireKey, true);
    try (TestCluster site = new TestCluster(directory, application, 1, Map.of())) {
      String session = session(site, "/soap/ledger");
      String call = envelope(header(session, 1, 1), add("a"));
      assertEquals("Ann:a", result(post(site, 1, "/soap/ledger", call, "Key", "open sesame")));
      assertEquals("Ann:a", result(post(site, 1, "/soap/ledger", call, "Key", "open sesame")));
      assertEquals(401, post(site, 1, "/soap/ledger", call).status());
      // A request whose body comes late is dispatched again, and not past the filter.
      assertEquals("HTTP/1.1 401", lateBody(site, call, "", "0"));
      assertEquals("HTTP/1.1 200", lateBody(site, call, "Key: open sesame\r\n", "[1-9]"));
      site.assertRuns(1, Ledger.EXECUTIONS.get());
    }
  }

  /**
   * Sends the head of a request, and its body when the server holds as many bytes as the first digit says; returns how the answer
   * begins.
   */
  private static String lateBody(TestCluster site, String envelope, String header, String held) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", site.port(1))) {
      byte[] body = envelope.getBytes(StandardCharsets.UTF_8);
      String head = "POST /app/soap/ledger HTTP/1.1\r\nHost: any\r\nConnection: close\r\n"
          + "Content-Type: text/xml\r\nContent-Length: " + body.length + "\r\n" + header + "\r\n";
      socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
      Condition.await(() -> site.health(1, "live").body().matches("(?s).*\"heldBytes\":" + held + ".*"));
      socket.getOutputStream().write(body);
      return new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII);
    }
  }

  @Test
  void theApplicationsHandlersSeeRepeatedRequestsToo() throws Exception {
    OwnServlet application = new OwnServlet(bus -> {
      EndpointImpl endpoint = new EndpointImpl(bus, new Ledger("Ann"));
      endpoint.getHandlers().add(new KeyHandler());
      endpoint.publish("/ledger");
    });
    try (TestCluster site = new TestCluster(directory, application, 3, Map.of())) {
      String session = session(site, "/soap/ledger");
      String call = envelope(header(session, 1, 1), add("a"));
      int primary = site.primary();
      assertEquals("Ann:a", result(post(site, primary, "/soap/ledger", call, "Key", "open sesame")));
      assertEquals(500, post(site, primary, "/soap/ledger", call).status());
      site.stop(primary);
      assertEquals("Ann:a", result(post(site, site.primary(), "/soap/ledger", call, "Key", "open sesame")));
      site.assertRuns(1, Ledger.EXECUTIONS.get());
    }
  }

  /** A valve in front of the web application that ends before an asynchronous response is known. */
  private static final class SynchronousValve extends ValveBase {
    SynchronousValve() {
      super(false);
    }

    @Override
    public void invoke(Request request, Response response) throws IOException, ServletException {
      getNext().invoke(request, response);
    }
  }

  @Test
  void aValveThatCannotWaitIsNamed() throws Exception {
    try (TestCluster site = new TestCluster(directory, new OwnServlet(AttachedHttpTest::publishMarked), 1, Map.of())) {
      site.context(1).getPipeline().addValve(new SynchronousValve());
      Answer refused = post(site, 1, "/soap/ledger", envelope("", add("a")), "Key", "open sesame");
      assertEquals(500, refused.status());
      assertTrue(refused.text().contains("asyncSupported for the valves"), refused.text());
      assertEquals(0, Ledger.EXECUTIONS.get());
    }
  }

  @Test
  void aServiceWithResourcesGetsItsHome() throws Exception {
    OwnServlet application = new OwnServlet(bus -> {
      new EndpointImpl(bus, new Cellar()).publish("/cellar");
      ServiceResources<Cellar.Cask> casks = new ServiceResources<>();
      new EndpointImpl(bus, new Cellar(casks)).publish("/vault");
    });
    try (TestCluster site = new TestCluster(directory, application, 3, Map.of())) {
      int primary = site.primary();
      String first = result(post(site, primary, "/soap/cellar", envelope("", "<c:open xmlns:c=\"urn:cellar\"/>")));
      String second = result(post(site, primary, "/soap/vault", envelope("", "<c:open xmlns:c=\"urn:cellar\"/>")));
      String fill = envelope("", "<c:fill xmlns:c=\"urn:cellar\"><litres>2</litres></c:fill>");
      assertEquals("2", result(post(site, primary, first, fill)));
      // The one's resource is not the other's, whatever a client writes.
      String id = first.substring(first.lastIndexOf('/'));
      assertEquals(500, post(site, primary, "/soap/vault" + id, fill).status());
      assertEquals(500, post(site, primary, "/soap/vault/@.cellar" + id, fill).status());
      site.stop(primary);
      int next = site.primary();
      assertEquals("4", result(post(site, next, first.replaceFirst(".*/app", ""), fill)));
      assertEquals("2", result(post(site, next, second.replaceFirst(".*/app", ""), fill)));
    }
  }

  @Test
  void theContractNamesTheConfiguredUrlOfClients() throws Exception {
    OwnServlet application = new OwnServlet(bus -> {
      publishMarked(bus);
      EndpointImpl other = new EndpointImpl(bus, new Ledger("Bob"));
      other.setPublishedEndpointUrl("https://other.example/bob");
      other.publish("/bob");
    });
    Map<String, String> settings = Map.of("understudy.client.urls", "https://balancer.example/shop");
    try (TestCluster site = new TestCluster(directory, application, 1, settings)) {
      String wsdl = get(site, 1, "/soap/ledger?wsdl");
      assertTrue(wsdl.contains("location=\"https://balancer.example/shop/soap/ledger\""), wsdl);
      assertFalse(wsdl.contains("127.0.0.1"), wsdl);
      assertTrue(get(site, 1, "/soap/bob?wsdl").contains("location=\"https://other.example/bob\""), "as the application has set it");
    }
  }

  @Test
  void theContractIsTheServicesOwnAtItsOwnAddress() throws Exception {
    try (TestCluster site = new TestCluster(directory, new OwnServlet(AttachedHttpTest::publishMarked), 1, Map.of())) {
      String wsdl = get(site, 1, "/soap/ledger?wsdl");
      assertTrue(wsdl.contains("location=\"" + site.uri(1, "/soap/ledger") + "\""), wsdl);
      assertTrue(wsdl.contains("name=\"add\"") && !wsdl.contains("GetResourceProperty"), wsdl);
      // What is not replicated passes: CXF's list of services, and the default servlet.
      assertTrue(get(site, 1, "/soap/").contains("Ledger"));
      assertEquals(404, site.post(1, "/nothing", new byte[0], "text/xml").status());
      HttpRequest put = HttpRequest.newBuilder(site.uri(1, "/soap/ledger")).header("Content-Type", "text/xml")
          .PUT(HttpRequest.BodyPublishers.ofString(envelope("", add("a")))).build();
      assertEquals(405, HttpClient.newHttpClient().send(put, HttpResponse.BodyHandlers.ofString()).statusCode());
      assertEquals(0, Ledger.EXECUTIONS.get());
    }
  }

  @Test
  void anAsteriskSelectsAllEndpointsAlsoBesideNames() throws Exception {
    OwnServlet application = new OwnServlet(bus -> {
      new EndpointImpl(bus, new PlainLedger("Cid")).publish("/cid");
      new EndpointImpl(bus, new PlainLedger("Dan")).publish("/dan");
    });
    for (String selected : new String[] {"*", "/cid,*"}) {
      try (TestCluster site =
          new TestCluster(Files.createTempDirectory(directory, "any"), application, 1, Map.of("understudy.endpoints", selected))) {
        String session = session(site, "/soap/cid");
        for (String path : new String[] {"/soap/cid", "/soap/dan"}) {
          Answer answer = post(site, 1, path, envelope(header(session, path.endsWith("cid") ? 1 : 2, 1), add("a")));
          assertEquals("executed", answer.between("<ur:Status>", "</ur:Status>"), answer.text());
        }
      }
    }
  }

  @Test
  void severalServicesShareOneGroupAndOneSession() throws Exception {
    OwnServlet application = new OwnServlet(bus -> {
      Ledger shared = new Ledger("Ann");
      new EndpointImpl(bus, shared).publish("/ann");
      new EndpointImpl(bus, shared).publish("/ann2");
      EndpointImpl bob = new EndpointImpl(bus, new PlainLedger("Bob"));
      bob.getFeatures().add(new FaultTolerantFeature("the ledger of Bob"));
      bob.publish("/bob");
      Endpoint.publish("/cid", new PlainLedger("Cid"));
      Endpoint.publish("/dan", new PlainLedger("Dan"));
    });
    try (TestCluster site = new TestCluster(directory, application, 3, Map.of("understudy.endpoints", "/cid"))) {
      int primary = site.primary();
      Answer opened = open(site, "/soap/bob");
      assertTrue(opened.text().contains(site.uri(primary, "/soap/bob") + "<"), opened.text());
      String session = opened.between("<ur:Session>", "</ur:Session>");
      assertEquals("Ann:a", result(post(site, primary, "/soap/ann", envelope(header(session, 1, 1), add("a")))));
      assertEquals("Ann:ab", result(post(site, primary, "/soap/ann2", envelope(header(session, 2, 1), add("b")))));
      assertEquals("Bob:c", result(post(site, primary, "/soap/bob", envelope(header(session, 3, 1), add("c")))));
      assertEquals("Cid:d", result(post(site, primary, "/soap/cid", envelope(header(session, 4, 1), add("d")))));
      // A number belongs to one request, whatever the service.
      Answer other = post(site, primary, "/soap/cid", envelope(header(session, 3, 2), add("c")));
      assertEquals("DigestMismatch", other.between("<ur:Code>", "</ur:Code>"));
      // It is not replicated: a session means nothing to it.
      assertEquals("Dan:e", result(post(site, primary, "/soap/dan", envelope("", add("e")))));
      site.stop(primary);
      int next = site.primary();
      assertEquals("Ann:abx", result(post(site, next, "/soap/ann2", envelope(header(session, 5, 1), add("x")))));
      assertEquals("Bob:cx", result(post(site, next, "/soap/bob", envelope(header(session, 6, 1), add("x")))));
      assertEquals("Cid:dx", result(post(site, next, "/soap/cid", envelope(header(session, 7, 1), add("x")))));
      assertEquals("Dan:x", result(post(site, next, "/soap/dan", envelope("", add("x")))));
    }
  }
}
