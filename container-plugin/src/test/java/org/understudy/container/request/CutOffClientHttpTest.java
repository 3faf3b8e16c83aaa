package org.understudy.container.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.client.FaultTolerant;
import org.understudy.container.ServiceCluster;
import org.understudy.container.Soap;
import org.understudy.container.service.Notebook;
import org.understudy.container.service.NotebookService;
import org.understudy.test.cluster.Answer;
import org.understudy.test.strategy.ForEachStrategy;
import org.understudy.test.strategy.OnlyWith;

/** A client whose way to the primary is cut, and to the primary alone: the replicas reach each other. */
@ForEachStrategy
class CutOffClientHttpTest {
  /** What becomes of a client's request to the replica that it cannot reach. */
  private enum Cut {
    REQUEST_LOST,
    ANSWER_LOST
  }

  @TempDir private Path directory;

  private final HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<HttpServer> between = new ArrayList<>();
  private final AtomicInteger forwarded = new AtomicInteger();
  /** The last request that a replica forwarded. */
  private volatile HttpRequest recorded;
  private volatile int unreachable;
  private volatile Cut cut = Cut.REQUEST_LOST;
  private volatile ServiceCluster site;

  @AfterEach
  void close() {
    between.forEach(server -> server.stop(0));
    threads.shutdownNow();
  }

  /** The addresses of the replicas, for clients and for each other, lead through here. */
  private Map<String, String> settings() throws IOException {
    StringBuilder urls = new StringBuilder();
    for (int i = 1; i <= 3; i++) {
      int replica = i;
      HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      server.createContext("/", exchange -> pass(replica, exchange));
      server.setExecutor(threads);
      server.start();
      between.add(server);
      urls.append(i == 1 ? "" : ",").append(i).append('=').append(address(i));
    }
    return Map.of("understudy.replicas", urls.toString());
  }

  private String address(int replica) {
    return "http://127.0.0.1:" + between.get(replica - 1).getAddress().getPort() + "/app";
  }

  private void pass(int replica, HttpExchange exchange) throws IOException {
    Relayed relayed = Relayed.of(exchange, site, replica);
    boolean isCut = replica == unreachable && !relayed.ofReplica();
    try (exchange) {
      if (isCut && cut == Cut.REQUEST_LOST) {
        return;
      }
      recorded = relayed.ofReplica() ? relayed.request() : recorded;
      HttpResponse<byte[]> answer = relayed.send();
      if (isCut) {
        return;
      }
      forwarded.addAndGet(relayed.ofReplica() && answer.statusCode() == 200 ? 1 : 0);
      relayed.answer(answer);
    }
  }

  private Notebook client() throws Exception {
    URI wsdl = URI.create(site.uri(site.primary(), site.service()) + "?wsdl");
    List<URI> addresses = new ArrayList<>();
    for (int i = 1; i <= 3; i++) {
      addresses.add(URI.create(address(i) + site.service()));
    }
    return FaultTolerant.client(Notebook.class, wsdl.toURL(), addresses);
  }

  @Test
  void isServedThroughABackupAndExactlyOnce() throws Exception {
    Map<String, String> settings = settings();
    try (ServiceCluster opened = new ServiceCluster(directory, NotebookService.class, 3, settings)) {
      site = opened;
      int primary = site.primary();
      int before = NotebookService.EXECUTIONS.get();
      Notebook notebook = client();
      Notebook late = client();
      try {
        assertEquals("a", notebook.append("a"));
        // The primary executes it, and the client never hears of it from there.
        cut = Cut.ANSWER_LOST;
        unreachable = primary;
        assertEquals("ab", notebook.append("b"));
        assertEquals("abc", notebook.append("c"));
        cut = Cut.REQUEST_LOST;
        // Its session is opened through a backup too.
        assertEquals("abcd", late.append("d"));
        assertEquals("abcd", late.text());
        site.assertRuns(4, NotebookService.EXECUTIONS.get() - before);
        assertTrue(forwarded.get() >= 3 || site.hasSeveralServers(), forwarded::toString);
        assertEquals(primary, site.primary());
      } finally {
        FaultTolerant.close(notebook);
        FaultTolerant.close(late);
      }
    }
  }

  @Test
  @OnlyWith(value = "primary-backup", because = "a member forwards nothing")
  void aForwardedRequestThatIsRecordedAndSentAgainIsNotExecuted() throws Exception {
    Map<String, String> settings = settings();
    try (ServiceCluster opened = new ServiceCluster(directory, NotebookService.class, 3, settings)) {
      site = opened;
      int before = NotebookService.EXECUTIONS.get();
      Answer answer = site.call(site.backup(), Soap.envelope("", Soap.notebook("append", "a")));
      assertEquals("a", answer.between("<return>", "</return>"));
      HttpResponse<String> again = http.send(recorded, HttpResponse.BodyHandlers.ofString());
      assertEquals("NotReady", again.headers().firstValue("Understudy-Disposition").orElse(""), again.body());
      site.assertRuns(1, NotebookService.EXECUTIONS.get() - before);

      HttpRequest forged =
          HttpRequest.newBuilder(recorded.uri())
              .header("Content-Type", "text/xml")
              .header("Understudy-Caller", "1.2.3.4.cm9vdA.MTI3LjAuMC4x." + "0".repeat(64))
              .POST(HttpRequest.BodyPublishers.ofString(Soap.envelope("", Soap.notebook("append", "b"))))
              .build();
      assertEquals(200, http.send(forged, HttpResponse.BodyHandlers.ofString()).statusCode());
    }
  }
}
