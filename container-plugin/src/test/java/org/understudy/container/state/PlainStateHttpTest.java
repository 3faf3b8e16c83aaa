package org.understudy.container.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.understudy.container.Soap.envelope;
import static org.understudy.container.Soap.header;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.container.ServiceCluster;
import org.understudy.container.Wsrf;
import org.understudy.replication.runtime.inbound.PeerServer;
import org.understudy.test.Condition;
import org.understudy.test.LogRecorder;
import org.understudy.test.cluster.Answer;
import org.understudy.test.strategy.ForEachStrategy;

/** Services whose state is marked, not coded. */
@ForEachStrategy
class PlainStateHttpTest {
  @TempDir Path directory;

  private static String call(String namespace, String operation, String... namesAndValues) {
    StringBuilder body = new StringBuilder("<n:" + operation + " xmlns:n=\"" + namespace + "\">");
    for (int i = 0; i < namesAndValues.length; i += 2) {
      body.append('<').append(namesAndValues[i]).append('>').append(namesAndValues[i + 1]).append("</").append(namesAndValues[i])
          .append('>');
    }
    return body.append("</n:").append(operation).append('>').toString();
  }

  private static String book(String owner, String account, String amount) {
    return call("urn:ledger", "book", "owner", owner, "account", account, "amount", amount);
  }

  @Test
  void markedFieldsSurviveThePrimary() throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, LedgerService.class, 3, Map.of("understudy.check", "restore"))) {
      String session = site.openSession();
      int sequence = 0;
      int executed = 0;
      for (int round = 0; round < 2; round++) {
        int first = site.primary();
        for (String account : List.of("a", "b", "c")) {
          String envelope = envelope(header(session, ++sequence, 1), book(account.equals("c") ? "Eve" : "Bob", account, "1.25"));
          Answer answer = site.call(first, envelope);
          executed++;
          assertEquals(Integer.toString(executed), answer.between("<number>", "</number>"), answer.text());
        }
        String last = envelope(header(session, sequence, 2), book("Eve", "c", "1.25"));
        site.stop(first);
        int next = site.primary();
        // A repeat after the loss of the primary gets the stored reply.
        int known = executed;
        Condition.await(() -> site.call(next, last).text().contains("<number>" + known + "</number>"));
        Answer bob = site.call(next, envelope("", call("urn:ledger", "sum", "account", "a")));
        // Two accounts, found through their owner: the graph is whole.
        assertEquals("Bob " + (round == 0 ? "2.50" : "5.00") + " " + executed, bob.between("<sum>", "</sum>"), bob.text());
        site.start(first);
        site.awaitReady(first);
        Condition.await(() -> site.health(site.primary(), "primary").body().matches("(?s).*\"members\":\\[\\d, \\d, \\d\\].*"));
      }
    }
  }

  private static Answer card(ServiceCluster site, int replica, String id, String body) {
    String path = site.service() + (id == null ? "" : "/" + id);
    return site.post(replica, path, envelope("", body).getBytes(StandardCharsets.UTF_8), "text/xml; charset=UTF-8");
  }

  @Test
  void markedStateObjectsHavePropertiesAndSurviveThePrimary() throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, CardService.class, 3, Map.of("understudy.check", "restore"))) {
      int first = site.primary();
      Answer created = card(site, first, null, call("urn:cards", "create", "place", "Ulm"));
      String id = created.between("<return>", "</return>");
      Answer stamped = card(site, first, id, call("urn:cards", "stamp", "place", "Bern"));
      assertEquals("2", stamped.between("<return>", "</return>"), stamped.text());
      Answer set = Wsrf.post(
          site, first, site.service() + "/" + id,
          Wsrf.rp("SetResourceProperties",
              "<rp:Update xmlns:rp=\"http://docs.oasis-open.org/wsrf/rp-2\"><c:Stamps xmlns:c=\"urn:cards\">7</c:Stamps></rp:Update>"));
      assertEquals(200, set.status(), set.text());
      site.stop(first);
      int next = site.primary();
      Condition.await(() -> card(site, next, id, call("urn:cards", "stamp", "place", "Rom")).text().contains("<return>8</return>"));
      Answer document = Wsrf.post(site, next, site.service() + "/" + id, Wsrf.rp("GetResourcePropertyDocument", ""));
      assertTrue(document.text().contains(">8<"), document.text());
      for (String place : List.of("Ulm", "Bern", "Rom")) {
        assertTrue(document.text().contains(">" + place + "<"), document.text());
      }
    }
  }

  @Test
  void readsDoNotWaitForALongUpdate() throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, CardService.class, 3, Map.of())) {
      int primary = site.primary();
      String id = card(site, primary, null, call("urn:cards", "create", "place", "Ulm")).between("<return>", "</return>");
      card(site, primary, id, call("urn:cards", "stamp", "place", "Bern"));
      String read = envelope("", call("urn:cards", "stamps"));
      CompletableFuture<Answer> slow =
          site.postLater(
              primary, site.service() + "/" + id,
              envelope("", call("urn:cards", "stampSlowly", "place", "Rom")).getBytes(StandardCharsets.UTF_8),
              "text/xml; charset=UTF-8");
      CardService.BEGUN.acquireUninterruptibly();
      for (int i = 0; i < 3; i++) {
        // All that was acknowledged, and nothing of the update that has changed the card once.
        Answer during = card(site, primary, id, call("urn:cards", "stamps"));
        assertEquals("2", during.between("<return>", "</return>"), during.text());
        assertFalse(slow.isDone());
      }
      CardService.GO.release();
      assertEquals("4", slow.get(30, TimeUnit.SECONDS).between("<return>", "</return>"));
      Answer after = site.post(primary, site.service() + "/" + id, read.getBytes(StandardCharsets.UTF_8), "text/xml; charset=UTF-8");
      assertEquals("4", after.between("<return>", "</return>"), after.text());
    }
  }

  /** A message, and that of its exception. */
  private static String text(LogRecord entry) {
    return entry.getMessage() + " " + (entry.getThrown() == null ? "" : entry.getThrown().getMessage());
  }

  @Test
  void aCheckFindsStateThatIsNotMarked() throws Exception {
    try (LogRecorder log = LogRecorder.of(Level.ALL, "org.understudy.container.request.ExecutionFailures");
        ServiceCluster site = new ServiceCluster(directory, ForgetfulService.class, 3, Map.of("understudy.check", "restore"))) {
      int primary = site.primary();
      Answer good = site.call(primary, envelope("", call("urn:forgetful", "add", "word", "one")));
      assertTrue(good.text().contains("<return>1</return>"), good.text());
      Answer bad = site.call(primary, envelope("", call("urn:forgetful", "count", "word", "four")));
      assertTrue(bad.text().contains("ExecutionFailed"), bad.text());
      assertEquals(1, log.lines().size(), log.lines().toString());
      String line = text(log.records().get(0));
      assertTrue(line.contains("ForgetfulService.letters is 4 and becomes 0"), line);
      assertFalse(line.contains("ForgetfulService.name"), line);
    }
  }

  @Test
  void aReplicaWithAnotherShapeOrOtherSettingsStaysOutsideTheView() throws Exception {
    try (LogRecorder log = LogRecorder.of(PeerServer.class);
        ServiceCluster site = new ServiceCluster(directory, WalletService.class, 3, Map.of())) {
      int first = site.primary();
      site.call(first, envelope("", call("urn:wallet", "put", "cents", "5")));
      int other = first % 3 + 1;
      site.stop(other);
      String settled = "(?s).*\"epoch\":(\\d+),\"members\":\\[\\d, \\d\\].*";
      Condition.await(() -> site.health(first, "primary").body().matches(settled));
      final String epoch = site.health(first, "primary").body().replaceAll(settled, "$1");
      log.clear();
      site.start(other, Map.of("understudy.state.serializable", WalletService.Coin.class.getName()));
      Condition.await(() -> !log.lines().isEmpty());
      String reason = text(log.records().get(0));
      assertTrue(
          reason.contains("The state of its service " + site.service() + " has another shape: the class "
              + WalletService.Coin.class.getTypeName() + " has "),
          reason);
      assertEquals(503, site.health(other, "ready").statusCode());
      Condition.await(() -> site.health(other, "ready").body().contains("\"refused\":[\"Replica "));
      assertTrue(site.health(other, "ready").body().contains("has another shape: the class "), site.health(other, "ready").body());
      Condition.await(() -> site.health(first, "ready").body().contains("Replica " + other + ": The state of its service"));
      site.stop(other);
      log.clear();
      site.start(other, Map.of("understudy.wsrf", "off"));
      Condition.await(() -> log.records().stream().anyMatch(entry -> text(entry).contains("understudy.wsrf=")));
      assertEquals(503, site.health(other, "ready").statusCode());
      Answer answer = site.call(first, envelope("", call("urn:wallet", "put", "cents", "7")));
      assertTrue(answer.text().contains("<return>12</return>"), answer.text());
      assertEquals(epoch, site.health(first, "primary").body().replaceAll(settled, "$1"));
      site.stop(other);
      site.start(other);
      site.awaitReady(other);
      Condition.await(() -> !site.health(first, "ready").body().contains("refused"));
    }
  }
}
