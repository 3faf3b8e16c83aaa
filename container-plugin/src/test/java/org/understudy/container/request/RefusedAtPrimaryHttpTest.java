package org.understudy.container.request;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.container.ServiceCluster;
import org.understudy.container.Soap;
import org.understudy.container.service.GateService;
import org.understudy.test.Condition;
import org.understudy.test.cluster.Answer;
import org.understudy.test.strategy.ForEachStrategy;
import org.understudy.test.strategy.OnlyWith;

/** A client that knows nothing of replicas, whose request is being executed while a replica joins the view. */
@ForEachStrategy
class RefusedAtPrimaryHttpTest {
  private static final Map<String, String> SETTINGS = Map.of("understudy.request.deadline.ms", "20000");

  @TempDir private Path directory;

  @BeforeEach
  void closeTheGate() {
    GateService.BEGUN.drainPermits();
    GateService.GO.drainPermits();
    GateService.EXECUTIONS.set(0);
  }

  private static String gate(String operation) {
    return "<g:" + operation + " xmlns:g='urn:gate'/>";
  }

  /** Runs an execution that begins in a view of two replicas and ends in a view of three. */
  private static Answer whileAReplicaJoins(ServiceCluster site, String headers, String operation) throws Exception {
    int primary = site.primary();
    int joiner = site.backup();
    site.stop(joiner);
    Condition.await(() -> members(site, primary, 2));
    CompletableFuture<Answer> answer = site.callLater(primary, Soap.envelope(headers, gate(operation)));
    GateService.BEGUN.acquireUninterruptibly();
    site.start(joiner);
    Condition.await(() -> members(site, primary, 3));
    GateService.GO.release(2);
    return answer.join();
  }

  private static boolean members(ServiceCluster site, int replica, int count) {
    String others = ", \\d".repeat(count - 1);
    return site.health(replica, "primary").body().matches("(?s).*\"members\":\\[\\d" + others + "\\].*");
  }

  @Test
  void itsReadIsExecutedAgainAndAnswered() throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, GateService.class, 3, SETTINGS)) {
      Answer answer = whileAReplicaJoins(site, "", "passed");
      assertEquals(200, answer.status(), answer.text());
      assertEquals("0", answer.between("<return>", "</return>"));
      site.assertRuns(2, GateService.EXECUTIONS.get());
    }
  }

  @Test
  @OnlyWith(value = "primary-backup", because = "a run outlasts a change of the view")
  void itsUpdateIsUndoneAndExecutedAgainAndHappensOnce() throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, GateService.class, 3, SETTINGS)) {
      Answer answer = whileAReplicaJoins(site, "", "pass");
      assertEquals(200, answer.status(), answer.text());
      assertEquals("1", answer.between("<return>", "</return>"));
      site.assertRuns(2, GateService.EXECUTIONS.get());
    }
  }

  @Test
  @OnlyWith(value = "primary-backup", because = "a run outlasts a change of the view")
  void stubIsAskedToRetry() throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, GateService.class, 3, SETTINGS)) {
      Answer answer = whileAReplicaJoins(site, Soap.header(site.openSession(), 1, 1), "pass");
      assertEquals("NotReady", answer.between("<ur:Code>", "</ur:Code>"));
      assertEquals("no", answer.between("<ur:Executed>", "</ur:Executed>"));
      site.assertRuns(1, GateService.EXECUTIONS.get());
    }
  }

  /** Asks two replicas in turn, updates and reads, until the end. */
  private static List<String> ask(ServiceCluster site, int[] replicas, String name, AtomicBoolean end, AtomicInteger updates) {
    List<String> failures = new ArrayList<>();
    for (int i = 0; !end.get(); i++) {
      String id = Soap.messageId("urn:" + name + ":" + i);
      Answer updated = site.call(replicas[i % 2], Soap.envelope(id, gate("pass")));
      Answer read = site.call(replicas[(i + 1) % 2], Soap.envelope("", gate("passed")));
      updates.incrementAndGet();
      Stream.of(updated, read).filter(answer -> answer.status() != 200).map(Answer::text).forEach(failures::add);
    }
    return failures;
  }

  @Test
  void noneOfItsRequestsFailsWhileThePrimaryIsReplacedAndComesBack() throws Exception {
    GateService.GO.release(1_000_000);
    AtomicBoolean end = new AtomicBoolean();
    AtomicInteger updates = new AtomicInteger();
    try (ServiceCluster site = new ServiceCluster(directory, GateService.class, 3, SETTINGS)) {
      int first = site.primary();
      int[] others = {first % 3 + 1, (first + 1) % 3 + 1};
      List<CompletableFuture<List<String>>> clients = new ArrayList<>();
      ExecutorService threads = Executors.newFixedThreadPool(4);
      try {
        for (int i = 0; i < 4; i++) {
          String name = "client-" + i;
          clients.add(CompletableFuture.supplyAsync(() -> ask(site, others, name, end, updates), threads));
        }
        Condition.await(() -> updates.get() > 20);
        site.stop(first);
        int before = updates.get();
        Condition.await(() -> updates.get() > before + 20);
        site.start(first);
        Condition.await(() -> members(site, site.primary(), 3));
        int joined = updates.get();
        Condition.await(() -> updates.get() > joined + 20);
      } finally {
        end.set(true);
        for (CompletableFuture<List<String>> client : clients) {
          assertEquals(List.of(), client.join());
        }
        threads.shutdown();
      }
      Answer passed = site.call(site.primary(), Soap.envelope("", gate("passed")));
      assertEquals(updates.get(), Integer.parseInt(passed.between("<return>", "</return>")));
    }
  }
}
