package org.understudy.container.attachment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.understudy.container.Soap.envelope;
import static org.understudy.container.Soap.header;

import jakarta.jws.WebParam;
import jakarta.jws.WebService;
import java.lang.management.ManagementFactory;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.Socket;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.management.ObjectName;
import org.apache.cxf.Bus;
import org.apache.cxf.jaxws.EndpointImpl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.client.FaultTolerant;
import org.understudy.replication.runtime.inbound.PeerServer;
import org.understudy.test.Condition;
import org.understudy.test.LogRecorder;
import org.understudy.test.cluster.Answer;
import org.understudy.test.cluster.TestCluster;
import org.understudy.test.network.FreePorts;
import org.understudy.test.strategy.ForEachStrategy;
import org.understudy.test.strategy.Strategies;

/** One web application with replicas of two groups. */
@ForEachStrategy
class GroupsHttpTest {
  private static final int REPLICAS = 3;
  @TempDir Path directory;
  private int nonces;

  /** A ledger at the client. */
  @WebService(targetNamespace = "urn:ledger")
  public interface Lines {
    String add(@WebParam(name = "line") String line);
  }

  private static void publish(Bus bus) {
    EndpointImpl orders = new EndpointImpl(bus, new PlainLedger("Ann"));
    FaultTolerantFeature feature = new FaultTolerantFeature();
    feature.setGroup("orders");
    orders.getFeatures().add(feature);
    orders.publish("/orders");
    new EndpointImpl(bus, new StockLedger("Bob")).publish("/stock");
    new EndpointImpl(bus, new PlainLedger("Cid")).publish("/more");
  }

  private static Map<String, String> settings() {
    return Map.of(
        "understudy.groups", "orders, stock",
        "understudy.peers", "",
        "understudy.group.orders.peers", peers(),
        "understudy.group.stock.peers", peers(),
        "understudy.group.stock.endpoints", "/more");
  }

  private static String peers() {
    return IntStream.rangeClosed(1, REPLICAS).mapToObj(i -> i + "=127.0.0.1:" + FreePorts.next()).collect(Collectors.joining(","));
  }

  /** The process of a group's primary. */
  private static int primary(TestCluster site, String group, List<Integer> running) {
    int[] found = new int[1];
    Condition.await("a primary of " + group, () -> {
      found[0] = running.stream().filter(i -> site.health(i, group + "/writable").statusCode() == 200).findFirst().orElse(0);
      return found[0] != 0;
    });
    return found[0];
  }

  private static Answer post(TestCluster site, int process, String path, String envelope, String... headers) {
    String[] all = new String[headers.length + 1];
    all[0] = "text/xml; charset=UTF-8";
    System.arraycopy(headers, 0, all, 1, headers.length);
    return site.post(process, path, envelope.getBytes(StandardCharsets.UTF_8), all);
  }

  private String session(TestCluster site, int process, String path) {
    String open = String.format("<OpenSession xmlns=\"urn:understudy:replication:1\"><Nonce>%032x</Nonce></OpenSession>", ++nonces);
    return post(site, process, path, envelope("", open), "SOAPAction", "\"urn:understudy:replication:1/OpenSession\"")
        .between("<ur:Session>", "</ur:Session>");
  }

  private static String add(String line) {
    return "<l:add xmlns:l=\"urn:ledger\"><line>" + line + "</line></l:add>";
  }

  private static String result(Answer answer) {
    assertEquals(200, answer.status(), answer.text());
    return answer.between("<return>", "</return>");
  }

  private static List<URI> addresses(TestCluster site, String path) {
    return IntStream.rangeClosed(1, REPLICAS).mapToObj(number -> site.uri(number, path)).toList();
  }

  @Test
  void eachGroupHasItsOwnPrimaryAndFailsOverAlone() throws Exception {
    Ledger.EXECUTIONS.set(0);
    List<Integer> all = List.of(1, 2, 3);
    Map<String, String> settings = new TreeMap<>(settings());
    settings.put("understudy.group.stock.transfer", "call");
    // The groups of one web application may have different strategies.
    settings.put("understudy.group.stock.strategy", Strategies.current().equals("group") ? "primary-backup" : "group");
    try (TestCluster site = new TestCluster(directory, new OwnServlet(GroupsHttpTest::publish), REPLICAS, settings)) {
      Lines orders = FaultTolerant.client(Lines.class, null, addresses(site, "/soap/orders"));
      Lines stock = FaultTolerant.client(Lines.class, null, addresses(site, "/soap/stock"));
      try {
        int first = primary(site, "orders", all);
        int ofStock = primary(site, "stock", all);
        String session = session(site, first, "/soap/orders");
        String stockSession = session(site, ofStock, "/replication/stock");
        String order = envelope(header(session, 1, 1), add("a"));
        Answer ordered = post(site, first, "/soap/orders", order);
        assertEquals("Ann:a", result(ordered));
        String delivery = envelope(header(stockSession, 1, 1), add("b"));
        assertEquals("Bob:b", result(post(site, ofStock, "/soap/stock", delivery)));
        assertEquals("Cid:c", result(post(site, ofStock, "/soap/more", envelope(header(stockSession, 2, 1), add("c")))));
        assertSeparate(site, ofStock, session);
        assertTransactions(site, Strategies.current().equals("group") ? "/soap/stock" : "/soap/orders", 200);
        assertTransactions(site, Strategies.current().equals("group") ? "/soap/orders" : "/soap/stock", 500);
        assertEquals("Ann:ad", orders.add("d"));
        assertEquals("Bob:be", stock.add("e"));
        // Each replica forwards to the primary of the service's group.
        for (int process : all) {
          assertTrue(result(post(site, process, "/soap/more", envelope("", add("f")))).startsWith("Cid:cf"));
        }
        assertTrue(Ledger.EXECUTIONS.get() >= 8, Ledger.EXECUTIONS::toString);

        haltStock(site, ofStock);
        int next = primary(site, "stock", all);
        assertNotEquals(ofStock, next);
        assertEquals(first, primary(site, "orders", all), "the other group goes on");
        Answer replayed = post(site, next, "/soap/stock", delivery);
        assertEquals("Bob:b", result(replayed));
        assertEquals("replayed", replayed.between("<ur:Status>", "</ur:Status>"));
        assertEquals("Bob:beg", stock.add("g"));
        assertEquals("Ann:adh", orders.add("h"));
        assertEquals(503, site.health(ofStock, "ready").statusCode());
        assertEquals(200, site.health(ofStock, "orders/ready").statusCode());
        assertTrue(site.health(ofStock, "stock/live").body().contains("\"halted\""));

        site.stop(first);
        List<Integer> left = all.stream().filter(process -> process != first).toList();
        int last = primary(site, "orders", left);
        assertEquals(ordered.body(), post(site, last, "/soap/orders", order).body());
        assertEquals("Ann:adhi", orders.add("i"));
        assertEquals("Bob:begj", stock.add("j"));
        assertTrue(Ledger.EXECUTIONS.get() >= 12, Ledger.EXECUTIONS::toString);
      } finally {
        FaultTolerant.close(orders);
        FaultTolerant.close(stock);
      }
    }
    Condition.await("the threads of both groups to end", () -> threads("orders") + threads("stock") == 0);
  }

  /** Only the strategy primary-backup has transactions. */
  private static void assertTransactions(TestCluster site, String path, int status) {
    Answer answer = post(site, 1, path, envelope("", "<BeginTransaction xmlns=\"urn:understudy:replication:1\"/>"));
    assertEquals(status, answer.status(), answer.text());
    assertEquals(status != 200, answer.text().contains("which has no transactions"), answer.text());
  }

  private static long threads(String group) {
    return Thread.getAllStackTraces().keySet().stream().filter(thread -> thread.getName().endsWith("@" + group)).count();
  }

  /** What belongs to a group bears its name, and a session of one group is unknown in the other. */
  private void assertSeparate(TestCluster site, int process, String sessionOfOrders) throws Exception {
    Answer foreign = post(site, process, "/soap/stock", envelope(header(sessionOfOrders, 2, 1), add("x")));
    assertEquals("SessionExpired", foreign.between("<ur:Code>", "</ur:Code>"));
    assertTrue(Ledger.EXECUTIONS.get() >= 3, Ledger.EXECUTIONS::toString);
    for (String group : List.of("orders", "stock")) {
      assertTrue(threads(group) > REPLICAS);
      ObjectName beans = new ObjectName("org.understudy:type=Replica,group=" + ObjectName.quote("understudy/" + group) + ",*");
      assertEquals(REPLICAS, ManagementFactory.getPlatformMBeanServer().queryNames(beans, null).size());
      assertTrue(Files.isDirectory(directory.resolve("data-1").resolve(group)));
      assertTrue(site.health(1, group + "/ready").body().startsWith("{\"group\":\"" + group + "\""));
    }
    assertTrue(site.health(1, "ready").body().startsWith("{\"passed\":true,\"groups\":{\"orders\":{"), site.health(1, "ready").body());
    assertEquals(404, site.health(1, "other/ready").statusCode());
    assertEquals(404, post(site, 1, "/replication", envelope("", add("x"))).status());
  }

  /** Takes the disk from the primary of stock, which halts when the next view begins. */
  private void haltStock(TestCluster site, int process) throws Exception {
    int other = process % REPLICAS + 1;
    site.stop(other);
    List<Integer> left = IntStream.rangeClosed(1, REPLICAS).filter(i -> i != other).boxed().toList();
    for (String group : List.of("orders", "stock")) {
      Condition.await(() -> site.health(primary(site, group, left), group + "/ready").body().matches("(?s).*\"members\":\\[\\d, \\d\\].*"));
    }
    Path records = directory.resolve("data-" + process).resolve("stock");
    Files.move(records, directory.resolve("taken"));
    site.start(other);
    Condition.await("stock to halt", () -> site.health(process, "stock/live").statusCode() == 503);
    Files.move(directory.resolve("taken"), records);
  }

  @Test
  void connectionsBetweenGroupsAreRefused() throws Exception {
    Map<String, String> settings = settings();
    OwnServlet application = new OwnServlet(GroupsHttpTest::publish);
    try (LogRecorder log = LogRecorder.of(PeerServer.class);
        TestCluster site = new TestCluster(directory, application, REPLICAS, settings)) {
      site.stop(3);
      site.start(3, Map.of(
          "understudy.group.orders.peers", settings.get("understudy.group.stock.peers"),
          "understudy.group.stock.peers", settings.get("understudy.group.orders.peers")));
      String why = "It belongs to group \"understudy/%s\", this replica to group \"understudy/%s\" (understudy.group)";
      Condition.await(() -> log.has(String.format(why, "orders", "stock")) && log.has(String.format(why, "stock", "orders")));
      for (String group : List.of("orders", "stock")) {
        assertEquals(503, site.health(3, group + "/ready").statusCode());
        assertEquals(200, site.health(primary(site, group, List.of(1, 2)), group + "/ready").statusCode());
      }
    }
  }

  private static void publishOne(Bus bus) {
    new EndpointImpl(bus, new PlainLedger("Ann")).publish("/orders");
  }

  /** The group keeps name, directory and peers, so that replicas with and without the key form one group meanwhile. */
  @Test
  void anApplicationGetsGroupsOneReplicaAfterAnother() throws Exception {
    Map<String, String> before = Map.of("understudy.endpoints", "/orders");
    try (TestCluster site = new TestCluster(directory, new OwnServlet(GroupsHttpTest::publishOne), REPLICAS, before)) {
      assertEquals("Ann:a", result(post(site, 1, "/soap/orders", envelope("", add("a")))));
      for (int process = 1; process <= REPLICAS; process++) {
        site.stop(process);
        site.start(process, Map.of(
            "understudy.endpoints", "",
            "understudy.groups", "orders",
            "understudy.group.orders.endpoints", "/orders",
            "understudy.group.orders.group", "understudy",
            "understudy.group.orders.directory", directory.resolve("data-" + process).toString()));
        site.awaitReady(process);
      }
      assertEquals("Ann:ab", result(post(site, 1, "/soap/orders", envelope("", add("b")))));
      assertEquals(200, site.health(1, "orders/ready").statusCode());
    }
  }

  @Test
  void aGroupWithoutEndpointsRefusesConnections() throws Exception {
    String orders = peers();
    String stock = peers();
    Map<String, String> settings = Map.of(
        "understudy.groups", "orders, stock",
        "understudy.peers", "",
        "understudy.group.orders.endpoints", "/orders",
        "understudy.group.orders.peers", orders,
        "understudy.group.stock.peers", stock);
    try (TestCluster site = new TestCluster(directory, new OwnServlet(GroupsHttpTest::publishOne), REPLICAS, settings)) {
      assertEquals("Ann:a", result(post(site, 1, "/soap/orders", envelope("", add("a")))));
      new Socket("127.0.0.1", firstPort(orders)).close();
      assertThrows(ConnectException.class, () -> new Socket("127.0.0.1", firstPort(stock)).close());
      assertEquals(200, site.health(1, "stock/live").statusCode());
    }
  }

  private static int firstPort(String peers) {
    return Integer.parseInt(peers.replaceAll("1=127.0.0.1:(\\d+),.*", "$1"));
  }

  /** Waits in its operation until it is opened. */
  @WebService(targetNamespace = "urn:ledger", serviceName = "ClosedLedger", portName = "ClosedLedgerPort")
  public static class ClosedLedger extends Ledger {
    private static volatile CountDownLatch open;

    ClosedLedger() {
      super("Cid");
    }

    @Override
    public String add(@WebParam(name = "line") String line) {
      try {
        open.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      return super.add(line);
    }
  }

  @Test
  void theGroupsOfAnApplicationShareTheLimitsOfRequests() throws Exception {
    ClosedLedger.open = new CountDownLatch(1);
    OwnServlet application = new OwnServlet(bus -> {
      publishOne(bus);
      new EndpointImpl(bus, new ClosedLedger()).publish("/stock");
    });
    int healthPort = FreePorts.next();
    Map<String, String> settings = Map.of(
        "understudy.health.address", "127.0.0.1:" + healthPort,
        "understudy.groups", "orders,stock",
        "understudy.group.orders.endpoints", "/orders",
        "understudy.group.stock.endpoints", "/stock",
        "understudy.load.limit", "1");
    try (TestCluster site = new TestCluster(directory, application, 1, settings)) {
      CompletableFuture<Answer> waiting =
          site.postLater(1, "/soap/stock", envelope("", add("a")).getBytes(StandardCharsets.UTF_8), "text/xml");
      Condition.await("a request in progress", () -> site.health(1, "orders/ready").body().contains("\"load\":1,"));
      for (String path : List.of("/health/ready", "/health/stock/ready")) {
        HttpURLConnection health = (HttpURLConnection) new URL("http://127.0.0.1:" + healthPort + path).openConnection();
        assertEquals(200, health.getResponseCode());
        String report = new String(health.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(report.contains("{\"group\":\"stock\""), report);
      }
      Answer refused = post(site, 1, "/soap/orders", envelope("", add("b")));
      assertEquals("Overloaded", refused.between("<ur:Code>", "</ur:Code>"));
      ClosedLedger.open.countDown();
      assertEquals("Cid:a", result(waiting.join()));
      Condition.await("no request in progress", () -> site.health(1, "orders/ready").body().contains("\"load\":0,"));
      assertEquals("Ann:b", result(post(site, 1, "/soap/orders", envelope("", add("b")))));
    }
  }

  @Test
  void anEndpointMayBeBelowOneOfAnotherGroup() throws Exception {
    OwnServlet application = new OwnServlet(bus -> {
      publishOne(bus);
      new EndpointImpl(bus, new PlainLedger("Bob")).publish("/orders/stock");
      new EndpointImpl(bus, new PlainLedger("Cid")).publish("/orders/stock/more");
      new EndpointImpl(bus, new PlainLedger("Dan")).publish("/orders/plain");
    });
    Map<String, String> settings = Map.of(
        "understudy.groups", "orders,stock",
        "understudy.group.orders.endpoints", "/orders, /orders/stock/more",
        "understudy.group.stock.endpoints", "/orders/stock");
    try (TestCluster site = new TestCluster(directory, application, 1, settings)) {
      assertEquals("Ann:a", result(post(site, 1, "/soap/orders", envelope("", add("a")))));
      assertEquals("Bob:b", result(post(site, 1, "/soap/orders/stock", envelope("", add("b")))));
      assertEquals("Cid:c", result(post(site, 1, "/soap/orders/stock/more", envelope("", add("c")))));
      assertEquals("Dan:d", result(post(site, 1, "/soap/orders/plain", envelope("", add("d")))), "not replicated");
      assertEquals("Ann:ae", result(post(site, 1, "/soap/orders/stocks", envelope("", add("e")))), "names a resource");
    }
  }
}
