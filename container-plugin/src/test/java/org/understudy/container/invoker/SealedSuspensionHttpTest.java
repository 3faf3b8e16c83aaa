package org.understudy.container.invoker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.apache.wss4j.common.WSEncryptionPart;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.container.ServiceCluster;
import org.understudy.container.Soap;
import org.understudy.container.service.DeferredService;
import org.understudy.container.service.PausingProvider;
import org.understudy.container.service.SealedDeferredService;
import org.understudy.container.service.StampedDeferredService;
import org.understudy.container.service.StampedNotebookService;
import org.understudy.test.Condition;
import org.understudy.test.cluster.Answer;
import org.understudy.test.strategy.ForEachStrategy;
import org.understudy.test.strategy.RollbackStrategy;
import org.understudy.test.strategy.Strategies;

/** A service suspends requests that are signed and encrypted, or handled: each is verified once, and each reply is signed anew. */
@ForEachStrategy
class SealedSuspensionHttpTest {
  private static final String TYPE = "text/xml; charset=UTF-8";

  @TempDir private Path directory;

  @BeforeEach
  void reset() {
    DeferredService.reset();
  }

  private static ServiceCluster open() throws Exception {
    return ServiceCluster.shared(SealedDeferredService.class, 3, Map.of());
  }

  private static String element(String name, int value) {
    return "<d:" + name + " xmlns:d=\"urn:deferred\">" + value + "</d:" + name + ">";
  }

  private static String create(ServiceCluster site) throws Exception {
    byte[] envelope = SealedMessage.of("alice", Soap.envelope("", element("create", 0)));
    Answer made = site.post(site.primary(), site.service(), envelope, TYPE);
    assertEquals(200, made.status(), made.text());
    return SealedMessage.opened(made.bytes()).replaceAll("(?s).*<(\\w+:)?created[^>]*>([^<]+)<.*", "$2");
  }

  private static CompletableFuture<Answer> send(ServiceCluster site, int replica, String id, byte[] envelope) {
    return site.postLater(replica, site.service() + "/" + id, envelope, TYPE);
  }

  private static CompletableFuture<Answer> later(
      ServiceCluster site, int replica, String id, String client, String headers, String body) throws Exception {
    WSEncryptionPart[] signed =
        headers.contains("MessageID")
            ? new WSEncryptionPart[] {new WSEncryptionPart("MessageID", "http://www.w3.org/2005/08/addressing", "Element")}
            : new WSEncryptionPart[0];
    return send(site, replica, id, SealedMessage.of(client, Soap.envelope(headers, body), signed));
  }

  private static int number(Answer answer) throws Exception {
    assertEquals(200, answer.status(), answer.text());
    assertTrue(answer.text().contains("EncryptedData"), answer.text());
    return Integer.parseInt(
        SealedMessage.opened(answer.bytes()).replaceAll("(?s).*<(\\w+:)?(added|taken|value)[^>]*>(-?\\d+)<.*", "$3"));
  }

  private static int value(ServiceCluster site, int replica, String id) throws Exception {
    return number(later(site, replica, id, "alice", "", element("show", 0)).join());
  }

  @Test
  void duplicatesWaitAndTheReplySurvivesItsReplica() throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, SealedDeferredService.class, 3, Map.of())) {
      int primary = site.primary();
      String id = create(site);
      String session = site.openSession();
      String body = element("add", 7);
      CompletableFuture<Answer> first = later(site, primary, id, "alice", Soap.header(session, 1, 1), body);
      Runnable rest = DeferredService.awaitBegun();
      CompletableFuture<Answer> duplicate = later(site, primary, id, "alice", Soap.header(session, 1, 2), body);
      CompletableFuture<Answer> behind = later(site, primary, id, "alice", "", element("show", 0));
      assertFalse(first.isDone() || duplicate.isDone() || behind.isDone());
      rest.run();
      assertEquals(7, number(first.join()));
      assertEquals(7, number(duplicate.join()));
      assertTrue(duplicate.join().text().contains("<ur:Status>replayed</ur:Status>"), duplicate.join().text());
      int shown = number(behind.join());
      // Where several replicas execute, a read from before the answer runs on its own copy, and may come before the update.
      assertTrue(shown == 7 || shown == 0 && site.hasSeveralServers(), shown + " is shown");
      site.stop(primary);
      Answer again = later(site, site.primary(), id, "alice", Soap.header(session, 1, 3), body).join();
      assertEquals(7, number(again));
      assertTrue(again.text().contains("<ur:Status>replayed</ur:Status>"), again.text());
      site.assertRuns(1, DeferredService.EXECUTIONS.get());
    }
  }

  @Test
  void nobodyElseGetsTheReplyOfASuspendedRequest() throws Exception {
    try (ServiceCluster site = open()) {
      int primary = site.primary();
      String id = create(site);
      String headers = Soap.header(site.openSession(), 1, 1);
      byte[] request = SealedMessage.of("alice", Soap.envelope(headers, element("add", 7)));
      CompletableFuture<Answer> first = send(site, primary, id, request);
      Runnable rest = DeferredService.awaitBegun();
      for (boolean suspended : new boolean[] {true, false}) {
        Answer replayed = send(site, primary, id, request).join();
        assertEquals(403, replayed.status(), "the same bytes, which the replay cache refuses: " + replayed.text());
        Answer other = later(site, primary, id, "bob", headers, element("add", 7)).join();
        assertTrue(other.text().contains("DigestMismatch"), other.text());
        Answer unsigned = send(site, primary, id, Soap.envelope(headers, element("add", 7)).getBytes(StandardCharsets.UTF_8)).join();
        assertEquals(403, unsigned.status(), unsigned.text());
        if (suspended) {
          assertFalse(first.isDone());
          rest.run();
          assertEquals(7, number(first.join()));
        }
      }
      site.assertRuns(1, DeferredService.EXECUTIONS.get());
    }
  }

  @Test
  void aServiceSuspendsItselfSeveralTimesAndByItsOwnTimeout() throws Exception {
    try (ServiceCluster site = open()) {
      int primary = site.primary();
      String id = create(site);
      CompletableFuture<Answer> taken = later(site, primary, id, "alice", "", element("take", 5));
      DeferredService.awaitBegun().run();
      Runnable last = DeferredService.awaitBegun();
      assertFalse(taken.isDone());
      last.run();
      assertEquals(-5, number(taken.join()));
      site.assertRuns(1, DeferredService.EXECUTIONS.get());
      assertEquals(-1, number(later(site, primary, id, "alice", "", element("take", -50)).join()), "its own timeout");
      assertEquals(995, number(later(site, primary, id, "alice", "", element("add", DeferredService.AT_ONCE)).join()));
      assertEquals(995, value(site, primary, id));
    }
  }

  @Test
  void aFaultThatComesLaterIsSealedAndStored() throws Exception {
    try (ServiceCluster site = open()) {
      int primary = site.primary();
      String id = create(site);
      String session = site.openSession();
      String fails = element("add", DeferredService.FAILING);
      CompletableFuture<Answer> failed = later(site, primary, id, "alice", Soap.header(session, 1, 1), fails);
      DeferredService.awaitBegun().run();
      for (Answer answer : new Answer[] {failed.join(), later(site, primary, id, "alice", Soap.header(session, 1, 2), fails).join()}) {
        assertEquals(500, answer.status());
        assertFalse(answer.text().contains("Not so much."), answer.text());
        assertTrue(SealedMessage.opened(answer.bytes()).contains("Not so much."));
      }
      site.assertRuns(1, DeferredService.EXECUTIONS.get());
    }
  }

  @Test
  void moreAreSuspendedThanThereAreThreads() throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, StampedDeferredService.class, 1, Map.of())) {
      List<CompletableFuture<Answer>> calls = new ArrayList<>();
      List<String> ids = new ArrayList<>();
      for (int i = 0; i < 80; i++) {
        Answer made = site.call(1, Soap.envelope(StampedNotebookService.KEY, element("create", 0)));
        ids.add(made.between("urn:deferred\">", "<"));
      }
      byte[] add = Soap.envelope(StampedNotebookService.KEY, element("add", 3)).getBytes(StandardCharsets.UTF_8);
      for (String id : ids) {
        calls.add(send(site, 1, id, add));
      }
      Condition.await("80 operations to begin on 64 threads", () -> DeferredService.begun() == 80);
      IntStream.range(0, 80).forEach(i -> DeferredService.awaitBegun().run());
      for (CompletableFuture<Answer> call : calls) {
        assertTrue(call.join().text().contains(">3<"), call.join().text());
      }
    }
  }

  @Test
  void aProviderSuspendsItselfOrDoesNot() throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, PausingProvider.class, 1, Map.of())) {
      String[] texts = {"at once", "later", "later", "at once"};
      for (int i = 1; i <= texts.length; i++) {
        String request =
            Soap.envelope(
                StampedNotebookService.KEY + Soap.messageId("urn:pause:" + i), "<p:do xmlns:p='urn:pausing'>" + texts[i - 1] + "</p:do>");
        for (int attempt = 1; attempt <= 2; attempt++) {
          Answer answer = site.call(1, request);
          assertEquals(200, answer.status(), answer.text());
          assertTrue(answer.text().contains(">" + i + "</p:count>"), answer.text());
        }
      }
    }
  }

  @Test
  void oneThatLastsTooLongIsAnsweredAsPendingAndItsResultIsStored() throws Exception {
    Map<String, String> settings = Map.of("understudy.execution.ms", "500", "understudy.request.deadline.ms", "2000");
    try (ServiceCluster site = new ServiceCluster(directory, SealedDeferredService.class, 3, settings)) {
      int primary = site.primary();
      String id = create(site);
      String session = site.openSession();
      CompletableFuture<Answer> slow = later(site, primary, id, "alice", Soap.header(session, 1, 1), element("add", 7));
      Runnable rest = DeferredService.awaitBegun();
      assertTrue(slow.join().text().contains("StillPending"), slow.join().text());
      rest.run();
      List<Answer> answers = new ArrayList<>();
      Condition.await("the result", () -> {
        answers.add(resend(site, primary, id, session));
        return answers.get(answers.size() - 1).status() == 200;
      });
      assertEquals(7, number(answers.get(answers.size() - 1)));
      site.assertRuns(1, DeferredService.EXECUTIONS.get());
    }
  }

  private static Answer resend(ServiceCluster site, int replica, String id, String session) {
    try {
      return later(site, replica, id, "alice", Soap.header(session, 1, 2), element("add", 7)).join();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void resultIsStoredWhenTheClientLeaves() throws Exception {
    try (ServiceCluster site = open()) {
      int primary = site.primary();
      String id = create(site);
      String session = site.openSession();
      Runnable rest;
      try (Socket client = new Socket("127.0.0.1", site.port(primary))) {
        byte[] body = SealedMessage.of("alice", Soap.envelope(Soap.header(session, 1, 1), element("add", 7)));
        OutputStream out = client.getOutputStream();
        out.write(("POST /app" + site.service() + "/" + id + " HTTP/1.1\r\nHost: a\r\nContent-Type: text/xml\r\nContent-Length: "
            + body.length + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
        out.write(body);
        out.flush();
        rest = DeferredService.awaitBegun();
        client.setSoLinger(true, 0);
      }
      rest.run();
      assertEquals(7, number(resend(site, primary, id, session)));
      site.assertRuns(1, DeferredService.EXECUTIONS.get());
      assertEquals(7, value(site, primary, id));
    }
  }

  @Test
  void theReplicaStopsAndAnotherExecutes() throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, SealedDeferredService.class, 3, Map.of())) {
      int first = site.primary();
      String id = create(site);
      String session = site.openSession();
      CompletableFuture<Answer> lost = later(site, first, id, "alice", Soap.header(session, 1, 1), element("add", 7));
      Runnable late = DeferredService.awaitBegun();
      CompletableFuture<Answer> duplicate = later(site, first, id, "alice", Soap.header(session, 1, 2), element("add", 7));
      site.stop(first);
      Condition.await("the end of the calls", () -> lost.isDone() && duplicate.isDone());
      CompletableFuture<Answer> again =
          later(site, site.primary(), id, "alice", Soap.header(session, 1, 3), element("add", 7));
      Runnable rest = DeferredService.awaitBegun();
      try {
        late.run();
      } catch (IllegalStateException e) {
        assertTrue(e.getMessage().contains("does not wait any more"), e.getMessage());
      }
      rest.run();
      assertEquals(7, number(again.join()));
      assertEquals(7, value(site, site.primary(), id));
    }
  }

  @Test
  void rolledBackExecutionRunsAgain() throws Exception {
    Map<String, String> settings = Map.of("understudy.strategy", Strategies.undoing());
    try (ServiceCluster site = new ServiceCluster(directory, SealedDeferredService.class, 3, settings)) {
      int primary = site.primary();
      String id = create(site);
      long before = RollbackStrategy.rollbacks();
      List<CompletableFuture<Answer>> calls = new ArrayList<>();
      for (int i = 1; i <= 12; i++) {
        String body = element(i % 2 == 0 ? "add" : "take", i % 2 * 2 - 1);
        int replica = site.hasSeveralServers() ? 1 + i % 3 : primary;
        for (int copy = 0; copy < 2; copy++) {
          calls.add(later(site, replica, id, "alice", Soap.messageId("urn:sealed:once:" + i), body));
        }
      }
      CompletableFuture<Void> all = CompletableFuture.allOf(calls.toArray(CompletableFuture[]::new));
      Condition.await("all calls to end", () -> {
        while (DeferredService.begun() > 0) {
          DeferredService.awaitBegun().run();
        }
        return all.isDone();
      });
      for (CompletableFuture<Answer> call : calls) {
        number(call.join());
      }
      assertEquals(-12, value(site, primary, id));
      if (!site.hasSeveralServers()) {
        assertTrue(RollbackStrategy.rollbacks() > before);
        assertTrue(DeferredService.EXECUTIONS.get() > 12, "some were executed again");
      }
    }
  }
}
