package org.understudy.counter.certification;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.understudy.replication.api.ReadLevel;
import org.understudy.replication.core.update.StateChange;
import org.understudy.replication.core.update.StateUpdate;
import org.understudy.replication.simulation.checker.Action;
import org.understudy.replication.simulation.checker.ExecutedUpdate;
import org.understudy.replication.simulation.checker.History;
import org.understudy.replication.simulation.checker.Observation;
import org.understudy.replication.simulation.checker.Operation;
import org.understudy.replication.simulation.checker.ResourceChecker;
import org.understudy.test.cluster.Answer;
import org.understudy.test.cluster.TestCluster;

/**
 * The seams between a strategy and everything else: a strategy that uses only public parts of the core runs the counter in
 * three containers, under the checkers of the simulation.
 */
class CertificationTest {
  private static final int CLIENTS = 6;
  private static final int CALLS = 50;
  private static final Pattern TOTAL = Pattern.compile("<(?:total|value|return)>(\\d+)<");

  @TempDir Path directory;

  /** An add or a read; what it returned, and when. */
  private record Call(Operation operation, String counter, long total, long returnedAt) {}

  private final History history = new History();
  private TestCluster cluster;

  @ParameterizedTest
  @ValueSource(strings = {"certification", "group"})
  void executionsAtAnyReplicaAreCertifiedRolledBackAndRepeated(String strategy) throws Exception {
    Map<String, String> settings =
        Map.of("understudy.strategy", strategy, "understudy.channel", "memory", "understudy.group", "certification");
    try (TestCluster opened = new TestCluster(directory, new CounterApplication(), 3, settings)) {
      cluster = opened;
      List<String> counters = List.of(create(1), create(2));
      List<Call> calls = play(counters);
      Map<String, byte[]> image = recorded(calls, counters);
      new ResourceChecker(history, counter -> true).check(image);
      assertEquals(List.of(), history.violations());
      for (String counter : counters) {
        for (int replica = 1; replica <= 3; replica++) {
          long total = total(post(replica, counter, "getValue", "", ""));
          assertEquals(ResourceChecker.value(image.get(counter)), total, "at replica " + replica);
        }
      }
      String rolledBack = CertifyingCore.FORCED + " forced, " + CertifyingCore.STALE + " stale";
      assertTrue(
          strategy.equals("group") || (CertifyingCore.FORCED.get() > 0 && CertifyingCore.STALE.get() > 0), rolledBack);
    }
  }

  private List<Call> play(List<String> counters) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
    try {
      List<Future<List<Call>>> clients = new ArrayList<>();
      for (int i = 1; i <= CLIENTS; i++) {
        int client = i;
        clients.add(threads.submit(() -> play(counters, client)));
      }
      List<Call> calls = new ArrayList<>();
      for (Future<List<Call>> client : clients) {
        calls.addAll(client.get(5, TimeUnit.MINUTES));
      }
      return calls;
    } finally {
      threads.shutdownNow();
    }
  }

  private List<Call> play(List<String> counters, int client) {
    Random random = new Random(client);
    List<Call> calls = new ArrayList<>();
    for (int i = 0; i < CALLS; i++) {
      String counter = counters.get(random.nextInt(counters.size()));
      int replica = 1 + random.nextInt(3);
      boolean reads = random.nextInt(4) == 0;
      int amount = reads ? 0 : 1 + random.nextInt(9);
      Operation operation = invoked(client, counter, reads, amount);
      String id = "urn:certification:" + client + ":" + i;
      CompletableFuture<Answer> answer = CompletableFuture.completedFuture(null);
      if (!reads && random.nextInt(4) == 0) {
        // The same request at another replica, at the same time.
        int other = 1 + replica % 3;
        answer = CompletableFuture.supplyAsync(() -> post(other, counter, "add", id, "<value>" + amount + "</value>"));
      }
      long total =
          total(reads ? post(replica, counter, "getValue", "", "") : post(replica, counter, "add", id, "<value>" + amount + "</value>"));
      long returnedAt = System.nanoTime();
      Answer copy = answer.join();
      if (copy != null) {
        assertEquals(total, total(copy), "Both copies of " + id + " have one answer.");
      }
      calls.add(new Call(operation, counter, total, returnedAt));
    }
    return calls;
  }

  private Operation invoked(int client, String counter, boolean reads, int amount) {
    synchronized (history) {
      return history.invoked(
          "client " + client, reads ? Action.READ : Action.ADD, counter, reads ? ReadLevel.LINEARIZABLE : null, amount,
          System.nanoTime());
    }
  }

  /**
   * The totals show the order of the adds: each gave the counter the state that its total names. The checker then finds a gap, a
   * repetition, and any order that contradicts the clock.
   *
   * @return what the counters must be in the end, with the log of all adds
   */
  private static Map<String, byte[]> recorded(List<Call> calls, List<String> counters) {
    Map<String, byte[]> image = new TreeMap<>();
    long index = 0;
    for (String counter : counters) {
      TreeMap<Long, Call> adds = new TreeMap<>();
      for (Call call : calls) {
        if (call.counter().equals(counter) && call.operation().update()) {
          assertEquals(null, adds.put(call.total(), call), "Two adds gave " + call.total() + ".");
        }
      }
      TreeMap<Long, Long> indexes = new TreeMap<>(Map.of(0L, 0L));
      for (Call add : adds.values()) {
        indexes.put(add.total(), ++index);
        long writer = add.operation().number() + 1L;
        StateUpdate update =
            new StateUpdate(index, null, null, 0, 0, "", null, List.of(ExecutedUpdate.entry(writer, add.operation().number())));
        StateChange entry = update.changes().get(0);
        image.put(entry.resource(), entry.state());
      }
      for (Call call : calls) {
        if (call.counter().equals(counter)) {
          Call add = adds.get(call.total());
          assertTrue(add != null || call.total() == 0, call + " shows a total that no add gave.");
          long writer = add == null ? 0 : add.operation().number() + 1L;
          Observation seen = new Observation(call.operation().update(), true, call.total(), writer);
          call.operation().returned(seen, indexes.get(call.total()), call.returnedAt());
        }
      }
      image.put(counter, ByteBuffer.allocate(Long.BYTES).putLong(adds.isEmpty() ? 0 : adds.lastKey()).array());
    }
    return image;
  }

  private String create(int replica) {
    Answer answer = post(replica, "/services/CounterService", "createCounter", "urn:certification:create:" + replica, "");
    return answer.between("/counter/services/CounterService/", "<").replaceFirst("^", "/services/CounterService/");
  }

  private Answer post(int replica, String path, String operation, String messageId, String content) {
    String header =
        messageId.isEmpty() ? "" : "<MessageID xmlns=\"http://www.w3.org/2005/08/addressing\">" + messageId + "</MessageID>";
    String envelope = "<e:Envelope xmlns:e=\"http://schemas.xmlsoap.org/soap/envelope/\"><e:Header>" + header
        + "</e:Header><e:Body><" + operation + " xmlns=\"http://counter.com\">" + content + "</" + operation
        + "></e:Body></e:Envelope>";
    Answer answer = cluster.post(replica, path, envelope.getBytes(StandardCharsets.UTF_8), "text/xml; charset=UTF-8");
    assertEquals(200, answer.status(), answer.text());
    return answer;
  }

  private static long total(Answer answer) {
    Matcher total = TOTAL.matcher(answer.text());
    assertTrue(total.find(), answer.text());
    return Long.parseLong(total.group(1));
  }
}
