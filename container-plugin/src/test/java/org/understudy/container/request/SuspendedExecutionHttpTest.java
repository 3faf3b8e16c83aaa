package org.understudy.container.request;

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
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.container.ServiceCluster;
import org.understudy.container.Soap;
import org.understudy.container.service.DeferredService;
import org.understudy.test.Condition;
import org.understudy.test.cluster.Answer;
import org.understudy.test.strategy.ForEachStrategy;
import org.understudy.test.strategy.OnlyWith;
import org.understudy.test.strategy.RollbackStrategy;
import org.understudy.test.strategy.Strategies;

/** Executions that the service suspends hold their resource, and no thread, until the service goes on. */
@ForEachStrategy
class SuspendedExecutionHttpTest {
  @TempDir private Path directory;

  @BeforeEach
  void reset() {
    DeferredService.reset();
  }

  private static String element(String name, int value) {
    return "<d:" + name + " xmlns:d=\"urn:deferred\">" + value + "</d:" + name + ">";
  }

  private static String create(ServiceCluster site) {
    Answer made = site.call(site.primary(), Soap.envelope("", element("create", 0)));
    assertEquals(200, made.status(), made.text());
    return made.text().replaceAll("(?s).*<(\\w+:)?created[^>]*>([^<]+)<.*", "$2");
  }

  private static CompletableFuture<Answer> later(ServiceCluster site, int replica, String id, String headers, String body) {
    return site.postLater(
        replica, site.service() + "/" + id, Soap.envelope(headers, body).getBytes(StandardCharsets.UTF_8),
        "text/xml; charset=UTF-8");
  }

  private static int number(Answer answer) {
    assertEquals(200, answer.status(), answer.text());
    return Integer.parseInt(answer.text().replaceAll("(?s).*<(\\w+:)?(added|taken|value)[^>]*>(-?\\d+)<.*", "$3"));
  }

  private static int value(ServiceCluster site, int replica, String id) {
    return number(later(site, replica, id, "", element("show", 0)).join());
  }

  private static String code(Answer answer) {
    return answer.between("<ur:Code>", "</ur:Code>") + " " + answer.between("<ur:Executed>", "</ur:Executed>");
  }

  @Test
  void duplicatesWaitForTheOneExecutionAndItSurvivesItsReplica() throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, DeferredService.class, 3, Map.of())) {
      int primary = site.primary();
      String id = create(site);
      String session = site.openSession();
      String other = create(site);
      CompletableFuture<Answer> first = later(site, primary, id, Soap.header(session, 1, 1), element("add", 7));
      Runnable rest = DeferredService.awaitBegun();
      CompletableFuture<Answer> duplicate = later(site, primary, id, Soap.header(session, 1, 2), element("add", 7));
      // Another resource is free meanwhile, and a read of this one shows the state before the update.
      assertEquals(0, value(site, primary, other));
      assertEquals(0, value(site, primary, id));
      CompletableFuture<Answer> beside = later(site, primary, id, "", element("show", 0));
      assertFalse(first.isDone() || duplicate.isDone());
      rest.run();
      assertEquals(7, number(first.join()));
      for (int replica = 1; replica <= 3; replica++) {
        assertEquals(7, value(site, site.hasSeveralServers() ? replica : primary, id), "after the answer");
      }
      assertEquals(7, number(duplicate.join()));
      assertTrue(duplicate.join().text().contains("<ur:Status>replayed</ur:Status>"), duplicate.join().text());
      // It arrived before the answer: it waits for the resource, or continues on a copy.
      assertTrue(Set.of(0, 7).contains(number(beside.join())), beside.join().text());
      site.assertRuns(1, DeferredService.EXECUTIONS.get());
      site.stop(primary);
      assertEquals(7, number(later(site, site.primary(), id, Soap.header(session, 1, 3), element("add", 7)).join()));
      assertEquals(7, value(site, site.primary(), id));
      site.assertRuns(1, DeferredService.EXECUTIONS.get());
    }
  }

  @Test
  void moreAreSuspendedThanThereAreThreads() throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, DeferredService.class, 1, Map.of())) {
      List<String> ids = IntStream.range(0, 100).mapToObj(i -> create(site)).toList();
      List<CompletableFuture<Answer>> calls = new ArrayList<>();
      for (String id : ids) {
        calls.add(later(site, 1, id, "", element("add", 3)));
      }
      Condition.await("100 operations to begin on 64 threads", () -> DeferredService.begun() == 100);
      while (DeferredService.begun() > 0) {
        DeferredService.awaitBegun().run();
      }
      for (CompletableFuture<Answer> call : calls) {
        assertEquals(3, number(call.join()));
      }
    }
  }

  @Test
  void moreWaitBehindOneThanThereAreThreads() throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, DeferredService.class, 1, Map.of())) {
      String id = create(site);
      List<CompletableFuture<Answer>> calls = new ArrayList<>();
      for (int i = 0; i < 150; i++) {
        calls.add(later(site, 1, id, "", element("add", 1)));
      }
      Runnable first = DeferredService.awaitBegun();
      Condition.await("all to arrive", () -> site.health(1, "live").body().contains("\"load\":150"));
      first.run();
      for (int i = 1; i < 150; i++) {
        DeferredService.awaitBegun().run();
      }
      TreeSet<Integer> values = new TreeSet<>();
      calls.forEach(call -> values.add(number(call.join())));
      assertEquals(150, values.size());
      assertEquals(150, values.last());
    }
  }

  @Test
  void aServiceSuspendsItselfSeveralTimesAndUsesItsHomeInEachPart() throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, DeferredService.class, 3, Map.of())) {
      int primary = site.primary();
      String id = create(site);
      CompletableFuture<Answer> taken = later(site, primary, id, "", element("take", 5));
      DeferredService.awaitBegun().run();
      Runnable last = DeferredService.awaitBegun();
      assertFalse(taken.isDone());
      last.run();
      assertEquals(-5, number(taken.join()));
      site.assertRuns(1, DeferredService.EXECUTIONS.get());
      assertEquals(-1, number(later(site, primary, id, "", element("take", -50)).join()), "its own timeout");
      // Its handler is called before its asynchronous method returns.
      assertEquals(995, number(later(site, primary, id, "", element("add", DeferredService.AT_ONCE)).join()));
      site.stop(primary);
      assertEquals(995, value(site, site.primary(), id));
    }
  }

  @Test
  void aFaultThatComesLaterIsStoredLikeAnyOther() throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, DeferredService.class, 3, Map.of())) {
      String id = create(site);
      String session = site.openSession();
      String fails = element("add", DeferredService.FAILING);
      CompletableFuture<Answer> failed = later(site, site.primary(), id, Soap.header(session, 1, 1), fails);
      DeferredService.awaitBegun().run();
      assertEquals(500, failed.join().status());
      assertEquals("Not so much.", failed.join().between("<faultstring>", "</faultstring>"));
      site.stop(site.primary());
      Answer again = later(site, site.primary(), id, Soap.header(session, 1, 2), fails).join();
      assertEquals("Not so much.", again.between("<faultstring>", "</faultstring>"));
      site.assertRuns(1, DeferredService.EXECUTIONS.get());
    }
  }

  @Test
  void oneThatLastsTooLongIsAnsweredAsPendingAndItsResultIsStored() throws Exception {
    Map<String, String> settings = Map.of("understudy.execution.ms", "500", "understudy.request.deadline.ms", "2000");
    try (ServiceCluster site = new ServiceCluster(directory, DeferredService.class, 3, settings)) {
      int primary = site.primary();
      String id = create(site);
      String session = site.openSession();
      CompletableFuture<Answer> slow = later(site, primary, id, Soap.header(session, 1, 1), element("add", 7));
      Runnable rest = DeferredService.awaitBegun();
      assertEquals("StillPending pending", code(slow.join()));
      assertEquals("Overloaded no", code(later(site, primary, id, Soap.header("<Epoch>1</Epoch>"), element("add", 1)).join()));
      rest.run();
      Condition.await("the result", () -> {
        Answer again = later(site, primary, id, Soap.header(session, 1, 2), element("add", 7)).join();
        return again.status() == 200 && number(again) == 7;
      });
      Condition.await("the resource", () -> later(site, primary, id, "", element("show", 0)).join().status() == 200);
      site.assertRuns(1, DeferredService.EXECUTIONS.get());
    }
  }

  @Test
  void aListenerThatBlocksStopsNoTimeLimit() throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, DeferredService.class, 1, Map.of("understudy.execution.ms", "1000"))) {
      String id = create(site);
      String other = create(site);
      CompletableFuture<Answer> blocked = later(site, 1, id, "", element("take", DeferredService.LISTENING));
      assertTrue(DeferredService.LISTENERS.tryAcquire(20, TimeUnit.SECONDS));
      try {
        CompletableFuture<Answer> slow = later(site, 1, other, "", element("add", 7));
        Runnable rest = DeferredService.awaitBegun();
        CompletableFuture<Answer> behind = later(site, 1, other, "", element("show", 0));
        assertEquals("StillPending pending", code(slow.get(20, TimeUnit.SECONDS)));
        behind.get(20, TimeUnit.SECONDS);
        rest.run();
        assertEquals(-1, number(later(site, 1, create(site), "", element("take", -50)).get(20, TimeUnit.SECONDS)), "its own timeout");
      } finally {
        DeferredService.RELEASED.release();
      }
      assertEquals(200, blocked.join().status());
    }
  }

  @Test
  void resultIsStoredWhenTheClientLeaves() throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, DeferredService.class, 3, Map.of())) {
      int primary = site.primary();
      String id = create(site);
      String session = site.openSession();
      Runnable rest;
      try (Socket client = new Socket("127.0.0.1", site.port(primary))) {
        byte[] body = Soap.envelope(Soap.header(session, 1, 1), element("add", 7)).getBytes(StandardCharsets.UTF_8);
        OutputStream out = client.getOutputStream();
        out.write(("POST /app" + site.service() + "/" + id + " HTTP/1.1\r\nHost: a\r\nContent-Type: text/xml\r\nContent-Length: "
            + body.length + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
        out.write(body);
        out.flush();
        rest = DeferredService.awaitBegun();
        client.setSoLinger(true, 0);
      }
      rest.run();
      Answer again = later(site, primary, id, Soap.header(session, 1, 2), element("add", 7)).join();
      assertEquals(7, number(again));
      site.assertRuns(1, DeferredService.EXECUTIONS.get());
      assertEquals(7, value(site, primary, id));
    }
  }

  @Test
  void theReplicaStopsAndAnotherExecutes() throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, DeferredService.class, 3, Map.of())) {
      int first = site.primary();
      String id = create(site);
      String session = site.openSession();
      CompletableFuture<Answer> lost = later(site, first, id, Soap.header(session, 1, 1), element("add", 7));
      Runnable late = DeferredService.awaitBegun();
      site.stop(first);
      Condition.await("the end of the first call", lost::isDone);
      CompletableFuture<Answer> again = later(site, site.primary(), id, Soap.header(session, 1, 2), element("add", 7));
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
    try (ServiceCluster site = new ServiceCluster(directory, DeferredService.class, 3, settings)) {
      int primary = site.primary();
      String id = create(site);
      long before = RollbackStrategy.rollbacks();
      List<CompletableFuture<Answer>> calls = new ArrayList<>();
      for (int i = 1; i <= 30; i++) {
        int replica = site.hasSeveralServers() ? 1 + i % 3 : primary;
        calls.add(later(site, replica, id, Soap.messageId("urn:once:" + i), element(i % 2 == 0 ? "add" : "take", i % 2 * 2 - 1)));
        calls.add(later(site, replica, id, Soap.messageId("urn:once:" + i), element(i % 2 == 0 ? "add" : "take", i % 2 * 2 - 1)));
      }
      CompletableFuture<Void> all = CompletableFuture.allOf(calls.toArray(CompletableFuture[]::new));
      Condition.await("all calls to end", () -> {
        while (DeferredService.begun() > 0) {
          DeferredService.awaitBegun().run();
        }
        return all.isDone();
      });
      calls.forEach(call -> number(call.join()));
      assertEquals(-30, value(site, primary, id));
      if (!site.hasSeveralServers()) {
        assertTrue(RollbackStrategy.rollbacks() > before);
        assertTrue(DeferredService.EXECUTIONS.get() > 30, "some were executed again");
      }
    }
  }

  @Test
  @OnlyWith(value = "primary-backup", because = "a run outlasts a change of the view")
  void theViewChangesAndItIsUndoneAndExecutedAgain() throws Exception {
    Map<String, String> settings = Map.of("understudy.request.deadline.ms", "20000");
    try (ServiceCluster site = new ServiceCluster(directory, DeferredService.class, 3, settings)) {
      int primary = site.primary();
      int joiner = site.backup();
      String id = create(site);
      site.stop(joiner);
      Condition.await("a view of two", () -> members(site, primary, 2));
      CompletableFuture<Answer> added = later(site, primary, id, "", element("add", 7));
      Runnable rest = DeferredService.awaitBegun();
      site.start(joiner);
      Condition.await("a view of three", () -> members(site, primary, 3));
      rest.run();
      DeferredService.awaitBegun().run();
      assertEquals(7, number(added.join()));
      site.assertRuns(2, DeferredService.EXECUTIONS.get());
      assertEquals(7, value(site, primary, id));
    }
  }

  private static boolean members(ServiceCluster site, int replica, int count) {
    String others = ", \\d".repeat(count - 1);
    return site.health(replica, "primary").body().matches("(?s).*\"members\":\\[\\d" + others + "\\].*");
  }
}
