package org.understudy.container.outgoing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.container.ServiceCluster;
import org.understudy.container.Soap;
import org.understudy.test.Condition;
import org.understudy.test.cluster.Answer;
import org.understudy.test.strategy.ForEachStrategy;

/** Resources call other services, and replies come back to resources. */
@ForEachStrategy
class OutgoingFromResourcesHttpTest {
  @TempDir Path directory;
  private Supplier supplier;
  private ServiceCluster site;

  @BeforeEach
  void open() throws Exception {
    supplier = new Supplier();
  }

  @AfterEach
  void close() throws Exception {
    site.close();
    supplier.close();
  }

  private void start(int replicas) throws Exception {
    site = new ServiceCluster(directory, DeskService.class, replicas, Map.of("understudy.outgoing.hosts", "localhost"));
  }

  private Answer call(String id, String operation, String content) {
    String body = "<d:" + operation + " xmlns:d=\"urn:desk\">" + content + "</d:" + operation + ">";
    return site.post(
        site.nextServer(), "/services/DeskService" + (id == null ? "" : "/" + id),
        Soap.envelope("", body).getBytes(StandardCharsets.UTF_8), "text/xml; charset=UTF-8");
  }

  private Answer order(String id, String operation, String item) {
    Answer answer = call(id, operation, "<item>" + item + "</item><address>" + supplier.address() + "</address>");
    assertEquals(200, answer.status(), answer.text());
    return answer;
  }

  private String notes(String id) {
    Answer answer = call(id, "notes", "");
    return answer.text().contains("<return>") ? answer.between("<return>", "</return>") : "";
  }

  private void awaitNotes(String id, String expected) {
    Condition.await(expected, () -> notes(id).equals(expected));
  }

  private long meter(String name) {
    return Long.parseLong(site.health(site.primary(), "ready").body().replaceAll("(?s).*\"" + name + "\":(\\d+).*", "$1"));
  }

  @Test
  void aReplyArrivesAtTheResourceThatAskedOrThatTheCallNames() throws Exception {
    start(3);
    String one = order(null, "create", "tea").between("<return>", "</return>");
    String two = order(null, "create", "milk").between("<return>", "</return>");
    awaitNotes(one, "[tea]");
    awaitNotes(two, "[milk]");
    order(two, "order", "bread");
    awaitNotes(two, "[milk][ordered bread][bread]");
    assertEquals("[tea]", notes(one));
    assertTrue(supplier.orders().get(0).envelope().contains(Soap.SOAP12), "as requested");
  }

  @Test
  void aReplyMayAskForAnotherCall() throws Exception {
    start(3);
    String id = order(null, "create", "next next tea").between("<return>", "</return>");
    awaitNotes(id, "[next next tea][next tea][tea]");
    assertEquals(List.of("next next tea", "next tea", "tea"), supplier.items());
  }

  @Test
  void aReplyToAResourceThatIsGoneIsDiscarded() throws Exception {
    start(3);
    CountDownLatch go = new CountDownLatch(1);
    supplier.answer(order -> {
      Condition.await("the end of the desk", () -> go.getCount() == 0);
      return Supplier.confirm(order);
    });
    String id = order(null, "create", "tea").between("<return>", "</return>");
    assertEquals(200, call(id, "end", "").status());
    go.countDown();
    Condition.await("no call is left", () -> meter("outgoingWaiting") + meter("outgoingReplies") == 0);
    assertEquals(0, meter("outgoingDeadLetters"));
    assertEquals(List.of("tea"), supplier.items());
  }

  @Test
  void aSingleReplicaCallsToo() throws Exception {
    start(1);
    String id = order(null, "create", "tea").between("<return>", "</return>");
    awaitNotes(id, "[tea]");
    order(id, "order", "milk");
    awaitNotes(id, "[tea][ordered milk][milk]");
  }

  @Test
  void aReplicaThatEndsDuringACallLeavesNoThread() throws Exception {
    start(1);
    CountDownLatch ended = new CountDownLatch(1);
    CountDownLatch begun = new CountDownLatch(1);
    supplier.answer(order -> {
      begun.countDown();
      Condition.await("the end of the replica", () -> ended.getCount() == 0);
      return Supplier.confirm(order);
    });
    order(null, "create", "tea");
    begun.await();
    assertTrue(threads() > 0);
    site.stop(1);
    assertEquals(0, threads());
    ended.countDown();
  }

  private static long threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("understudy-outbox") || thread.getName().startsWith("understudy-internal-"))
        .count();
  }
}
