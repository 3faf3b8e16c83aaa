package org.understudy.container.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.container.ServiceCluster;
import org.understudy.container.Soap;
import org.understudy.container.Wsrf;
import org.understudy.container.service.LampService;
import org.understudy.container.service.NotebookService;
import org.understudy.test.Condition;
import org.understudy.test.cluster.Answer;
import org.understudy.test.network.SelfSigned;

/** What a client that knows nothing of us hears of a backup when the way from there to the primary is bad. */
class ForwardingHttpTest {
  private static final String NOT_EXECUTED =
      Soap.envelope("", "<soap:Fault xmlns:soap='" + Soap.SOAP11 + "'><faultcode>soap:Server</faultcode>"
          + "<faultstring>Not now.</faultstring><detail><ur:ReplicationFault xmlns:ur='urn:understudy:replication:1'>"
          + "<ur:Code>NoQuorum</ur:Code><ur:Executed>no</ur:Executed></ur:ReplicationFault></detail></soap:Fault>");

  /** What becomes of requests that are forwarded, one after the other; then all pass. */
  private enum Way {
    /** The primary executes it, and its answer is lost. */
    ANSWER_LOST,
    /** The primary executes it, and answers that it does not know the outcome. */
    UNKNOWN,
    REFUSED,
    /** It does not arrive, and there is no answer until the test ends. */
    STUCK
  }

  @TempDir private Path directory;

  private final List<HttpServer> between = new ArrayList<>();
  private final Queue<Way> ways = new ConcurrentLinkedQueue<>();
  private volatile ServiceCluster site;
  private final Semaphore stuck = new Semaphore(0);
  private final CountDownLatch end = new CountDownLatch(1);
  private final ExecutorService threads = Executors.newCachedThreadPool();

  @AfterEach
  void close() {
    end.countDown();
    between.forEach(server -> server.stop(0));
    threads.shutdownNow();
  }

  /** The addresses by which replicas know each other lead through here. */
  private Map<String, String> settings() throws IOException {
    return settings(null);
  }

  /** @param tls null for plain HTTP */
  private Map<String, String> settings(SSLContext tls) throws IOException {
    StringBuilder urls = new StringBuilder();
    for (int i = 1; i <= 3; i++) {
      int replica = i;
      InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
      HttpServer server = tls == null ? HttpServer.create(address, 0) : HttpsServer.create(address, 0);
      if (server instanceof HttpsServer secure) {
        secure.setHttpsConfigurator(new HttpsConfigurator(tls));
      }
      server.createContext("/", exchange -> pass(replica, exchange));
      server.setExecutor(threads);
      server.start();
      between.add(server);
      urls.append(i == 1 ? "" : ",").append(i);
      urls.append(tls == null ? "=http://127.0.0.1:" : "=https://127.0.0.1:");
      urls.append(server.getAddress().getPort()).append("/app");
    }
    return Map.of("understudy.replicas", urls.toString());
  }

  private void pass(int replica, HttpExchange exchange) throws IOException {
    Relayed relayed = Relayed.of(exchange, site, replica);
    Way way = ways.peek();
    if (way == Way.REFUSED) {
      ways.remove();
      answer(exchange, 500, NOT_EXECUTED.getBytes(StandardCharsets.UTF_8));
      return;
    }
    if (way == Way.STUCK) {
      ways.remove();
      stuck.release();
      try {
        end.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      exchange.close();
      return;
    }
    HttpResponse<byte[]> answer = relayed.send();
    if (way == null || answer.headers().firstValue("Understudy-Disposition").orElse("").equals("NotReady")) {
      // A replica that does not know yet which start of the other one it calls is told so, and calls again.
      relayed.answer(answer);
      exchange.close();
      return;
    }
    ways.remove();
    if (way == Way.ANSWER_LOST) {
      exchange.close();
    } else {
      String unknown = NOT_EXECUTED.replace("NoQuorum", "OutcomeUnknown").replace(">no<", ">unknown<");
      answer(exchange, 500, unknown.getBytes(StandardCharsets.UTF_8));
    }
  }

  private static void answer(HttpExchange exchange, int status, byte[] body) throws IOException {
    exchange.getResponseHeaders().set("Content-Type", "text/xml; charset=UTF-8");
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  private Answer createPullPoint(String messageId) {
    String body = "<w:CreatePullPoint xmlns:w='http://docs.oasis-open.org/wsn/b-2'/>";
    return site.post(
        site.backup(), "/services/CreatePullPoint",
        Soap.envelope(messageId, body).getBytes(StandardCharsets.UTF_8), "text/xml; charset=UTF-8");
  }

  /** The limit counts what the client has sent, which is longer once it is UTF-8. */
  @Test
  void aBodyOfPermittedLengthIsForwardedInAnyCharset() throws Exception {
    Map<String, String> small = Map.of("understudy.request.bytes", "20000");
    try (ServiceCluster opened = ServiceCluster.shared(NotebookService.class, 3, small)) {
      site = opened;
      String type = "text/xml; charset=ISO-8859-1";
      byte[] fits = Soap.envelope("", Soap.notebook("append", "\u00e9".repeat(19_000))).getBytes(StandardCharsets.ISO_8859_1);
      Answer answer = site.post(site.backup(), site.service(), fits, type);
      assertEquals(200, answer.status(), answer.text());
      assertEquals(19_000, answer.between("<return>", "</return>").length());
      byte[] tooLong = Soap.envelope("", Soap.notebook("append", "\u00e9".repeat(20_000))).getBytes(StandardCharsets.ISO_8859_1);
      for (int replica = 1; replica <= 3; replica++) {
        Answer refused = site.post(replica, site.service(), tooLong, type);
        assertTrue(refused.text().contains("larger than 20000 bytes"), refused.text());
      }
      // Its word alone makes nobody a replica.
      Answer forged = site.post(site.primary(), site.service(), tooLong, type, "Understudy-Caller", "1.2.3.4.5.6.7.8");
      assertTrue(forged.text().contains("larger than 20000 bytes"), forged.text());
    }
  }

  @Test
  void refusalAfterALostAnswerIsNotTheOutcome() throws Exception {
    Map<String, String> settings = settings();
    try (ServiceCluster opened = new ServiceCluster(directory, LampService.class, 3, settings)) {
      site = opened;
      ways.addAll(List.of(Way.ANSWER_LOST, Way.REFUSED, Way.REFUSED));
      Answer answer = createPullPoint(Soap.messageId("urn:uuid:once"));
      assertEquals(200, answer.status(), answer.text());
      assertTrue(ways.isEmpty());
      String health = site.health(site.primary(), "live").body();
      assertTrue(health.contains("\"pullPoints\":1,"), health);
    }
  }

  @Test
  void unknownOutcomeIsResolvedForARequestWithIdentity() throws Exception {
    Map<String, String> settings = settings();
    try (ServiceCluster opened = new ServiceCluster(directory, LampService.class, 3, settings)) {
      site = opened;
      ways.addAll(List.of(Way.UNKNOWN, Way.REFUSED));
      Answer answer = createPullPoint(Soap.messageId("urn:uuid:found"));
      assertEquals(200, answer.status(), answer.text());
      String health = site.health(site.primary(), "live").body();
      assertTrue(health.contains("\"pullPoints\":1,"), health);
      ways.add(Way.UNKNOWN);
      assertEquals("OutcomeUnknown", createPullPoint("").between("<ur:Code>", "</ur:Code>"));
    }
  }

  @Test
  void refusalOfTheFirstAttemptIsTheOutcome() throws Exception {
    Map<String, String> settings = settings();
    try (ServiceCluster opened = new ServiceCluster(directory, LampService.class, 3, settings)) {
      site = opened;
      ways.add(Way.REFUSED);
      Answer answer = createPullPoint(Soap.messageId("urn:uuid:never"));
      assertEquals(500, answer.status(), answer.text());
      assertTrue(answer.text().contains("<ur:Executed>no</ur:Executed>"), answer.text());
      String health = site.health(site.primary(), "live").body();
      assertTrue(health.contains("\"pullPoints\":0,"), health);
    }
  }

  @Test
  void aServiceFaultThatQuotesARefusalIsTheOutcomeAndIsExecutedOnce() throws Exception {
    try (ServiceCluster opened = new ServiceCluster(directory, NotebookService.class, 3,
        Map.of("understudy.request.deadline.ms", "2000"))) {
      int before = NotebookService.EXECUTIONS.get();
      Answer answer = opened.call(opened.backup(), Soap.envelope("", Soap.notebook("quote", "a")));
      assertEquals(500, answer.status(), answer.text());
      assertTrue(answer.text().contains("A service that is called failed."), answer.text());
      assertTrue(answer.text().contains("<ur:Status>executed</ur:Status>"), answer.text());
      assertEquals(1, NotebookService.EXECUTIONS.get() - before);
    }
  }

  @Test
  void aClientsOwnDispositionIsNotPassedOn() throws Exception {
    try (ServiceCluster opened = new ServiceCluster(directory, NotebookService.class, 3, Map.of())) {
      byte[] body = Soap.envelope("", Soap.notebook("append", "a")).getBytes(StandardCharsets.UTF_8);
      Answer answer =
          opened.post(opened.backup(), opened.service(), body, "text/xml", "Understudy-Disposition", "NotReady");
      assertEquals(200, answer.status(), answer.text());
    }
  }

  /** Has a backup forward a request, which gets stuck on its way to the primary. */
  private CompletableFuture<Answer> stuck(String path, String envelope) {
    ways.add(Way.STUCK);
    CompletableFuture<Answer> answer =
        site.postLater(site.backup(), path, envelope.getBytes(StandardCharsets.UTF_8), "text/xml");
    Condition.await("the request is under way at the primary", stuck::tryAcquire);
    return answer;
  }

  /** Forwards a request that gets stuck, and lets another replica become the primary. */
  private Answer stuckWhenThePrimaryFails(String headers, Runnable before) throws Exception {
    int primary = site.primary();
    CompletableFuture<Answer> answer =
        stuck("/services/CreatePullPoint", Soap.envelope(headers, "<w:CreatePullPoint xmlns:w='http://docs.oasis-open.org/wsn/b-2'/>"));
    before.run();
    assertFalse(answer.isDone());
    site.stop(primary);
    return answer.join();
  }

  @Test
  void newPrimaryEndsTheWaitForTheOldOne() throws Exception {
    Map<String, String> settings = new HashMap<>(settings());
    // Longer than the client waits.
    settings.put("understudy.request.deadline.ms", "600000");
    try (ServiceCluster opened = new ServiceCluster(directory, LampService.class, 3, settings)) {
      site = opened;
      int stopped = site.primary();
      Answer answer = stuckWhenThePrimaryFails(Soap.messageId("urn:uuid:again"), () -> {});
      assertEquals(200, answer.status(), answer.text());
      assertTrue(site.health(site.primary(), "live").body().contains("\"pullPoints\":1,"));

      site.start(stopped);
      Condition.await(() -> site.health(stopped, "ready").statusCode() == 200);
      Answer unknown = stuckWhenThePrimaryFails("", () -> {});
      assertEquals("OutcomeUnknown", unknown.between("<ur:Code>", "</ur:Code>"));
    }
  }

  private static String inTransaction(String name, String transaction) {
    return "<" + name + " xmlns='urn:understudy:replication:1'><Transaction>" + transaction + "</Transaction></" + name + ">";
  }

  /** Begins a transaction at the primary, without the way that is bad, and executes a call in it. */
  private String begun() {
    String begin = Soap.envelope("", "<BeginTransaction xmlns='urn:understudy:replication:1'/>");
    String transaction = site.call(site.primary(), begin).between("<ur:Transaction>", "</ur:Transaction>");
    String call = Soap.envelope(memberOf(transaction), Soap.notebook("append", "a"));
    assertEquals(200, site.call(site.primary(), call).status());
    return transaction;
  }

  private static String memberOf(String transaction) {
    return Soap.header("<Transaction><Id>" + transaction + "</Id></Transaction>");
  }

  @Test
  void whatBelongsToATransactionOfAPrimaryThatFailsIsAborted() throws Exception {
    Map<String, String> settings = new HashMap<>(settings());
    // Longer than the client waits.
    settings.put("understudy.request.deadline.ms", "600000");
    try (ServiceCluster opened = new ServiceCluster(directory, NotebookService.class, 3, settings)) {
      site = opened;
      String called = begun();
      String call = Soap.envelope(memberOf(called) + Soap.messageId("urn:uuid:call"), Soap.notebook("append", "b"));
      List<CompletableFuture<Answer>> answers = new ArrayList<>();
      answers.add(stuck(site.service(), call));
      answers.add(stuck(site.service(), Soap.envelope(Soap.messageId("urn:uuid:end"), inTransaction("CommitTransaction", called))));
      answers.add(stuck(site.service(), Soap.envelope("", inTransaction("CommitTransaction", called))));
      site.stop(site.primary());
      for (CompletableFuture<Answer> answer : answers) {
        assertEquals("TransactionAborted", answer.join().between("<ur:Code>", "</ur:Code>"));
      }
    }
  }

  @Test
  void newPrimaryEndsTheWaitForTheOldOneAlsoAfterTheDeadline() throws Exception {
    Map<String, String> settings = new HashMap<>(settings());
    settings.put("understudy.request.deadline.ms", "300");
    try (ServiceCluster opened = new ServiceCluster(directory, NotebookService.class, 3, settings)) {
      site = opened;
      Answer unknown = stuckWhenThePrimaryFails("", () -> Deadlines.awaitOne(opened));
      assertEquals("OutcomeUnknown", unknown.between("<ur:Code>", "</ur:Code>"));
    }
  }

  @Test
  void theLongestTimeOfAnExecutionEndsTheWaitingOfAll() throws Exception {
    Map<String, String> settings = new HashMap<>(settings());
    settings.put("understudy.request.deadline.ms", "300");
    settings.put("understudy.execution.ms", "100");
    try (ServiceCluster opened = new ServiceCluster(directory, LampService.class, 3, settings)) {
      site = opened;
      int backup = site.backup();
      List<CompletableFuture<Answer>> all = new ArrayList<>();
      // More than there are threads that forward.
      for (int i = 0; i < 40; i++) {
        ways.add(Way.STUCK);
      }
      byte[] body = Soap.envelope("", "<w:CreatePullPoint xmlns:w='http://docs.oasis-open.org/wsn/b-2'/>")
          .getBytes(StandardCharsets.UTF_8);
      for (int i = 0; i < 40; i++) {
        all.add(site.postLater(backup, "/services/CreatePullPoint", body, "text/xml"));
      }
      for (CompletableFuture<Answer> answer : all) {
        String code = answer.join().between("<ur:Code>", "</ur:Code>");
        // Of those that a thread takes up as the time ends, nothing is sent any more.
        assertTrue(Set.of("OutcomeUnknown", "Overloaded", "NotReady").contains(code), code);
      }
    }
  }

  @Test
  void clientsThatHaveGoneLeaveTheirThreadsToOthers() throws Exception {
    Map<String, String> settings = new HashMap<>(settings());
    settings.put("understudy.request.deadline.ms", "8000");
    try (ServiceCluster opened = new ServiceCluster(directory, LampService.class, 3, settings)) {
      site = opened;
      URI backup = site.uri(site.backup(), "/services/CreatePullPoint");
      String body = Soap.envelope("", "<w:CreatePullPoint xmlns:w='http://docs.oasis-open.org/wsn/b-2'/>");
      String request = "POST " + backup.getPath() + " HTTP/1.1\r\nHost: here\r\nContent-Type: text/xml\r\nContent-Length: "
          + body.length() + "\r\n\r\n" + body;
      for (int i = 0; i < 250; i++) {
        ways.add(Way.STUCK);
      }
      // Far more than one client's threads, and than are set aside in the time of a request.
      for (int i = 0; i < 250; i++) {
        try (Socket socket = new Socket(backup.getHost(), backup.getPort())) {
          socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
        }
      }
      Condition.await("some of them are under way at the primary", stuck::tryAcquire);
      ways.clear();
      Answer answer = createPullPoint("");
      assertEquals(200, answer.status(), answer.text());
    }
  }

  @Test
  void aReadWithoutAnAnswerExecutedNothing() throws Exception {
    Map<String, String> settings = new HashMap<>(settings());
    settings.put("understudy.request.deadline.ms", "300");
    settings.put("understudy.execution.ms", "100");
    try (ServiceCluster opened = new ServiceCluster(directory, LampService.class, 3, settings)) {
      site = opened;
      String lamp = "/services/LampService/unknown";
      // The answer that is lost does not end it: a read is sent again.
      ways.addAll(List.of(Way.ANSWER_LOST, Way.STUCK));
      Answer answer = Wsrf.post(opened, opened.backup(), lamp, Wsrf.rp("GetResourceProperty", "l:Level"));
      assertEquals("NotReady", answer.between("<ur:Code>", "</ur:Code>"));
      assertEquals("no", answer.between("<ur:Executed>", "</ur:Executed>"));
      assertTrue(ways.isEmpty());
    }
  }

  @Test
  void aPrimaryWithAnAddressOfHttpsIsReachedByTls() throws Exception {
    SelfSigned certificate = SelfSigned.of(directory, "ip:127.0.0.1");
    Map<String, String> settings = new HashMap<>(settings(certificate.context()));
    settings.put("understudy.trust.store", certificate.store().toString());
    settings.put("understudy.trust.store.password", new String(SelfSigned.PASSWORD));
    try (ServiceCluster opened = new ServiceCluster(directory, LampService.class, 3, settings)) {
      site = opened;
      Answer answer = createPullPoint(Soap.messageId("urn:uuid:tls"));
      assertEquals(200, answer.status(), answer.text());
    }
    Map<String, String> others = new HashMap<>(settings);
    others.remove("understudy.trust.store");
    others.remove("understudy.trust.store.password");
    others.put("understudy.request.deadline.ms", "1000");
    try (ServiceCluster opened = new ServiceCluster(Files.createDirectories(directory.resolve("others")), LampService.class, 3, others)) {
      site = opened;
      Answer answer = createPullPoint(Soap.messageId("urn:uuid:tls"));
      assertEquals("NotReady", answer.between("<ur:Code>", "</ur:Code>"));
    }
  }
}
