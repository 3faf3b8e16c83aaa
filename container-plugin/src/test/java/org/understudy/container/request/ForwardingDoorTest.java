package org.understudy.container.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.container.Site;
import org.understudy.container.Site.Answer;
import org.understudy.container.Soap;
import org.understudy.container.service.LampService;
import org.understudy.container.service.NotebookService;

/** What a client that knows nothing of us hears of a backup when the way from there to the primary is bad. */
class ForwardingDoorTest {
  private static final String NOT_EXECUTED =
      Soap.envelope("", "<soap:Fault xmlns:soap='" + Soap.SOAP11 + "'><faultcode>soap:Server</faultcode>"
          + "<faultstring>Not now.</faultstring><detail><ur:ReplicationFault xmlns:ur='urn:understudy:replication:1'>"
          + "<ur:Code>NoQuorum</ur:Code><ur:Executed>no</ur:Executed></ur:ReplicationFault></detail></soap:Fault>");

  /** What becomes of requests that are forwarded, one after the other; then all pass. */
  private enum Way {
    /** The primary executes it, and its answer is lost. */
    ANSWER_LOST,
    REFUSED
  }

  @TempDir private Path directory;

  private final List<HttpServer> between = new ArrayList<>();
  private final Queue<Way> ways = new ConcurrentLinkedQueue<>();
  private volatile Site site;

  @AfterEach
  void close() {
    between.forEach(server -> server.stop(0));
  }

  /** The addresses by which replicas know each other lead through here. */
  private Map<String, String> settings() throws IOException {
    StringBuilder urls = new StringBuilder();
    for (int i = 1; i <= 3; i++) {
      int replica = i;
      HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      server.createContext("/", exchange -> pass(replica, exchange));
      server.start();
      between.add(server);
      urls.append(i == 1 ? "" : ",").append(i).append("=http://127.0.0.1:");
      urls.append(server.getAddress().getPort()).append("/app");
    }
    return Map.of("understudy.replicas", urls.toString());
  }

  private void pass(int replica, HttpExchange exchange) throws IOException {
    byte[] request = exchange.getRequestBody().readAllBytes();
    Way way = ways.poll();
    if (way == Way.REFUSED) {
      answer(exchange, 500, NOT_EXECUTED.getBytes(StandardCharsets.UTF_8));
      return;
    }
    String path = exchange.getRequestURI().getPath().substring("/app".length());
    Answer answer = site.post(replica, path, request, "text/xml; charset=UTF-8");
    if (way == Way.ANSWER_LOST) {
      exchange.close();
    } else {
      answer(exchange, answer.status(), answer.text().getBytes(StandardCharsets.UTF_8));
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

  @Test
  void aRefusalAfterALostAnswerIsNotTakenForTheOutcome() throws Exception {
    Map<String, String> settings = settings();
    try (Site opened = new Site(directory, LampService.class, 3, settings)) {
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
  void aRefusalOfTheFirstTryIsTheOutcome() throws Exception {
    Map<String, String> settings = settings();
    try (Site opened = new Site(directory, LampService.class, 3, settings)) {
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
    try (Site opened = new Site(directory, NotebookService.class, 3, Map.of("understudy.request.deadline.ms", "2000"))) {
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
    try (Site opened = new Site(directory, NotebookService.class, 3, Map.of())) {
      byte[] body = Soap.envelope("", Soap.notebook("append", "a")).getBytes(StandardCharsets.UTF_8);
      Answer answer =
          opened.post(opened.backup(), opened.service(), body, "text/xml", "Understudy-Disposition", "NotReady");
      assertEquals(200, answer.status(), answer.text());
    }
  }
}
