package org.understudy.container.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.understudy.container.Soap.envelope;
import static org.understudy.container.Soap.header;
import static org.understudy.container.Soap.notebook;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.understudy.container.ServiceCluster;
import org.understudy.container.service.NotebookService;
import org.understudy.test.Condition;
import org.understudy.test.cluster.Answer;
import org.understudy.test.network.SelfSigned;
import org.understudy.test.strategy.ForEachStrategy;

/** The same story over every way that state updates travel. */
@ForEachStrategy
class TransferModeHttpTest {
  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource({"socket, plain", "call, plain", "notification, plain", "socket, TLS", "call, TLS", "notification, TLS"})
  void everyUpdateIsExecutedOnceWhenThePrimaryStops(String transfer, String protection) throws Exception {
    Map<String, String> settings = new HashMap<>(Map.of("understudy.transfer", transfer));
    if (protection.equals("TLS")) {
      String store = SelfSigned.of(directory, "ip:127.0.0.1").store().toString();
      String password = new String(SelfSigned.PASSWORD);
      settings.put("understudy.peer.key.store", store);
      settings.put("understudy.peer.key.store.password", password);
      settings.put("understudy.peer.trust.store", store);
      settings.put("understudy.peer.trust.store.password", password);
    }
    try (ServiceCluster site = new ServiceCluster(directory, NotebookService.class, 3, settings)) {
      int first = site.primary();
      String session = site.openSession();
      List<CompletableFuture<Answer>> all = new ArrayList<>();
      for (int i = 1; i <= 400; i++) {
        all.add(site.callLater(first, envelope(header(session, i, 1), notebook("append", "x"))));
      }
      TreeSet<Integer> lengths = new TreeSet<>();
      all.forEach(one -> lengths.add(one.join().between("<return>", "</return>").length()));
      assertEquals(400, lengths.size());
      // State beyond what stands inline.
      String last = "y".repeat(150_000);
      Answer acknowledged = site.call(first, envelope(header(session, 401, 1), notebook("append", last)));
      assertEquals(200, acknowledged.status());

      site.stop(first);
      int second = site.primary();
      Answer replayed = site.call(second, envelope(header(session, 401, 2), notebook("append", last)));
      assertEquals("replayed", replayed.between("<ur:Status>", "</ur:Status>"), replayed.text());
      assertEquals(acknowledged.body(), replayed.body());
      Answer next = site.call(second, envelope(header(session, 402, 1), notebook("append", "z")));
      assertEquals("x".repeat(400) + last + "z", next.between("<return>", "</return>"));

      site.start(first);
      Condition.await(() -> site.health(first, "ready").statusCode() == 200);
      String seen = next.between("<ur:VersionHandle>", "</ur:VersionHandle>");
      Answer read = site.call(first, envelope(header("<VersionHandle>" + seen + "</VersionHandle>"), notebook("text", null)));
      assertEquals(next.between("<return>", "</return>"), read.between("<return>", "</return>"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"call", "notification"})
  void unauthenticatedPeersAreRefusedBeforeTheirBodyIsRead(String transfer) throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, NotebookService.class, 3, Map.of("understudy.transfer", transfer))) {
      byte[] body = "<a/>".getBytes(StandardCharsets.UTF_8);
      assertEquals(404, site.post(1, "/peer", body, "text/xml").status());
      assertEquals(403, site.post(1, site.peerUrl(1), body, "text/xml").status());
      assertEquals(403, site.post(1, site.peerUrl(1), body, "text/xml", "Understudy-Peer", "0".repeat(32)).status());
      byte[] hello = new byte[54];
      assertEquals(403, site.post(1, site.peerUrl(1), hello, "application/vnd.understudy.handshake").status());
      assertEquals(413, site.post(1, site.peerUrl(1), new byte[55], "application/vnd.understudy.handshake").status());
    }
  }
}
