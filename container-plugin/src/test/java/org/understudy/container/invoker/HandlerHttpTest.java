package org.understudy.container.invoker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.understudy.container.ServiceCluster;
import org.understudy.container.Soap;
import org.understudy.container.service.NotebookService;
import org.understudy.container.service.StampedNotebookService;
import org.understudy.test.Condition;
import org.understudy.test.cluster.Answer;
import org.understudy.test.strategy.ForEachStrategy;

/** A service whose JAX-WS handler decides who may call it and changes its answers, at three replicas. */
@ForEachStrategy
class HandlerHttpTest {
  private static ServiceCluster open() throws Exception {
    return ServiceCluster.shared(StampedNotebookService.class, 3, Map.of());
  }

  private static String call(String headers, String operation, String text) {
    return Soap.envelope(headers, Soap.notebook(operation, text));
  }

  private static String stamp(Answer answer) {
    return answer.text().replaceAll("(?s).*Stamp[^>]*>(\\d+)<.*", "$1");
  }

  @Test
  void aRepeatedRequestIsExecutedOnceAndItsAnswerPassesTheHandlerAgain() throws Exception {
    try (ServiceCluster site = open()) {
      String session = site.openSession();
      String request = call(StampedNotebookService.KEY + Soap.header(session, 1, 1), "append", "x");
      int before = NotebookService.EXECUTIONS.get();
      Answer first = site.call(site.primary(), request);
      assertEquals(200, first.status(), first.text());
      assertEquals("executed", first.between("<ur:Status>", "</ur:Status>"));
      Answer second = site.call(site.primary(), request);
      assertEquals(200, second.status(), second.text());
      assertEquals("replayed", second.between("<ur:Status>", "</ur:Status>"));
      assertEquals(first.between("<return>", "</return>"), second.between("<return>", "</return>"));
      assertNotEquals(stamp(first), stamp(second));
      site.assertRuns(1, NotebookService.EXECUTIONS.get() - before);
    }
  }

  @Test
  void callerRejectedByTheHandlerGetsNoStoredAnswer() throws Exception {
    try (ServiceCluster site = open()) {
      String session = site.openSession();
      String identity = Soap.header(session, 1, 1);
      Answer first = site.call(site.primary(), call(StampedNotebookService.KEY + identity, "append", "secret"));
      assertEquals(200, first.status(), first.text());
      Answer rejected = site.call(site.primary(), call(identity, "append", "secret"));
      assertEquals(500, rejected.status(), rejected.text());
      assertFalse(rejected.text().contains("secret"), rejected.text());
      assertFalse(rejected.text().contains("replayed"), rejected.text());
    }
  }

  @Test
  void aClientWithoutTheStubIsForwardedAndRecognisedByItsMessageId() throws Exception {
    try (ServiceCluster site = open()) {
      String request = call(StampedNotebookService.KEY + Soap.messageId("urn:stamped:1"), "append", "y");
      int before = NotebookService.EXECUTIONS.get();
      for (int replica = 1; replica <= 3; replica++) {
        Answer answer = site.call(replica, request);
        assertEquals(200, answer.status(), answer.text());
        assertTrue(answer.text().contains("RelatesTo"), answer.text());
      }
      site.assertRuns(1, NotebookService.EXECUTIONS.get() - before);
    }
  }

  @Test
  void theHandlerSeesTheHttpHeadersOfEachAttemptAtEachReplica() throws Exception {
    try (ServiceCluster site = ServiceCluster.shared(StampedNotebookService.class, 3, Map.of())) {
      byte[] request =
          call(StampedNotebookService.KEY + Soap.messageId("urn:stamped:headers"), "append", "h").getBytes(StandardCharsets.UTF_8);
      int before = NotebookService.EXECUTIONS.get();
      StampedNotebookService.Stamp.SEEN.clear();
      for (int replica : List.of(1, 2, 3, site.primary())) {
        Answer answer = site.post(
            replica, site.service(), request, "text/xml; charset=UTF-8", "Authorization", "Basic dTpw", "Cookie", "a=1", "Cookie", "b=2",
            "X-Api-Key", "k" + replica, "X-Forwarded-For", "192.0.2.7");
        assertEquals(200, answer.status(), answer.text());
        Map<String, List<String>> seen = StampedNotebookService.Stamp.SEEN.remove();
        assertEquals(List.of("Basic dTpw"), seen.get("Authorization"));
        assertEquals("a=1; b=2", String.join("; ", seen.get("Cookie")));
        assertEquals(List.of("k" + replica), seen.get("X-Api-Key"));
        assertEquals(List.of("192.0.2.7"), seen.get("X-Forwarded-For"));
      }
      site.assertRuns(1, NotebookService.EXECUTIONS.get() - before);
    }
  }

  @Test
  void faultsOfTheServiceAreStoredAndPassTheHandler() throws Exception {
    try (ServiceCluster site = open()) {
      String session = site.openSession();
      String request = call(StampedNotebookService.KEY + Soap.header(session, 1, 1), "refuse", "z");
      int before = NotebookService.EXECUTIONS.get();
      Answer first = site.call(site.primary(), request);
      Answer second = site.call(site.primary(), request);
      for (Answer answer : new Answer[] {first, second}) {
        assertEquals(500, answer.status(), answer.text());
        assertTrue(answer.text().contains("No &lt;more> &amp; no less."), answer.text());
        assertTrue(answer.text().contains(":Refused "), answer.text());
      }
      assertNotEquals(stamp(first), stamp(second));
      site.assertRuns(1, NotebookService.EXECUTIONS.get() - before);
    }
  }

  @Test
  void anotherBodyUnderTheSameIdentityIsRefused() throws Exception {
    try (ServiceCluster site = open()) {
      String session = site.openSession();
      String header = StampedNotebookService.KEY + Soap.header(session, 1, 1);
      assertEquals(200, site.call(site.primary(), call(header, "append", "a")).status());
      Answer other = site.call(site.primary(), call(header, "append", "b"));
      assertTrue(other.text().contains("DigestMismatch"), other.text());
    }
  }

  @Test
  void aOneWayRequestIsExecutedOnceAndAnswered202() throws Exception {
    try (ServiceCluster site = open()) {
      String session = site.openSession();
      String request = call(StampedNotebookService.KEY + Soap.header(session, 1, 1), "note", "n");
      int before = NotebookService.EXECUTIONS.get();
      assertEquals(202, site.call(site.primary(), request).status());
      assertEquals(202, site.call(site.primary(), request).status());
      site.assertRuns(1, NotebookService.EXECUTIONS.get() - before);
    }
  }

  @Test
  void duplicatesThatArriveDuringTheExecutionGetItsAnswer() throws Exception {
    NotebookService.endSlowRuns();
    try (ServiceCluster site = open()) {
      String session = site.openSession();
      String request = call(StampedNotebookService.KEY + Soap.header(session, 1, 1), "appendSlowly", "s");
      int before = NotebookService.EXECUTIONS.get();
      CompletableFuture<Answer> first = site.callLater(site.primary(), request);
      Condition.await("the execution begins", () -> {
        assertFalse(first.isDone(), () -> "It was answered without an execution: " + first.join().text());
        return NotebookService.BEGUN.tryAcquire();
      });
      CompletableFuture<Answer> second = site.callLater(site.primary(), request);
      NotebookService.GO.release();
      assertEquals(200, first.join().status(), first.join().text());
      assertEquals(200, second.join().status(), second.join().text());
      assertEquals(first.join().between("<return>", "</return>"), second.join().between("<return>", "</return>"));
      site.assertRuns(1, NotebookService.EXECUTIONS.get() - before);
    }
  }

  @Test
  void readsAndTheLossOfThePrimary() throws Exception {
    try (ServiceCluster site = open()) {
      assertEquals(202, site.call(site.primary(), call(StampedNotebookService.KEY, "note", "kept")).status());
      String session = site.openSession();
      String request = call(StampedNotebookService.KEY + Soap.header(session, 1, 1), "append", "!");
      Answer first = site.call(site.primary(), request);
      assertEquals(200, first.status(), first.text());
      site.stop(site.primary());
      Condition.await("the answer after the failover", () -> site.call(site.primary(), request).status() == 200);
      Answer second = site.call(site.primary(), request);
      assertEquals("replayed", second.between("<ur:Status>", "</ur:Status>"));
      assertEquals(first.between("<return>", "</return>"), second.between("<return>", "</return>"));
      Answer read = site.call(site.primary(), call(StampedNotebookService.KEY, "text", null));
      assertEquals(first.between("<return>", "</return>"), read.between("<return>", "</return>"));
    }
  }
}
