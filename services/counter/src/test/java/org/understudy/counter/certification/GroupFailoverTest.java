package org.understudy.counter.certification;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.test.Condition;
import org.understudy.test.cluster.Answer;
import org.understudy.test.cluster.TestCluster;

/**
 * The strategy {@code group} in three containers: eight clients change a shared counter and one of their own through all
 * replicas, while the sequencer and then another member stop and return.
 */
class GroupFailoverTest {
  private static final int CLIENTS = 8;
  private static final Pattern TOTAL = Pattern.compile("<(?:total|value|return)>(\\d+)<");

  @TempDir Path directory;

  private final Set<Long> sharedTotals = new ConcurrentSkipListSet<>();
  private final AtomicInteger shared = new AtomicInteger();
  private final AtomicBoolean end = new AtomicBoolean();
  private TestCluster cluster;
  private String counter;

  @Test
  void updatesOfAllClientsHappenOnceWhileMembersLeaveAndReturn() throws Exception {
    Map<String, String> settings = Map.of("understudy.strategy", "group", "understudy.group", "failover");
    ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
    try (TestCluster opened = new TestCluster(directory, new CounterApplication(), 3, settings)) {
      cluster = opened;
      counter = create(0);
      List<CompletableFuture<Void>> clients = new ArrayList<>();
      for (int i = 1; i <= CLIENTS; i++) {
        int client = i;
        clients.add(CompletableFuture.runAsync(() -> play(client), threads));
      }
      try {
        for (int leaving : List.of(1, 2)) {
          awaitMore(clients, 40);
          cluster.stop(leaving);
          awaitMore(clients, 40);
          cluster.start(leaving);
          cluster.awaitReady(leaving);
        }
        awaitMore(clients, 40);
      } finally {
        end.set(true);
      }
      clients.forEach(CompletableFuture::join);
      // Every add has a total of its own, and none is missing.
      assertEquals(shared.get(), sharedTotals.size());
      for (int replica = 1; replica <= 3; replica++) {
        assertEquals(shared.get(), read(replica, counter), "at replica " + replica);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  /** Waits until so many more adds have their answers. A client that fails ends the test. */
  private void awaitMore(List<CompletableFuture<Void>> clients, int adds) {
    int target = shared.get() + adds;
    Condition.await(adds + " more adds", () -> {
      clients.stream().filter(CompletableFuture::isCompletedExceptionally).forEach(CompletableFuture::join);
      return shared.get() >= target;
    });
  }

  private void play(int client) {
    String own = create(client);
    for (long i = 1; !end.get(); i++) {
      int replica = 1 + (int) ((client + i) % 3);
      long total = total(served(replica, counter, "add", "urn:failover:shared:" + client + ":" + i, "<value>1</value>"));
      assertTrue(sharedTotals.add(total), "Two adds gave " + total + ".");
      shared.incrementAndGet();
      long seen = read(1 + replica % 3, counter);
      assertTrue(seen >= total, "A read after an add that gave " + total + " shows " + seen + ".");
      assertEquals(i, total(served(replica, own, "add", "urn:failover:own:" + client + ":" + i, "<value>1</value>")));
      assertEquals(i, read(1 + (replica + 1) % 3, own));
    }
  }

  private String create(int client) {
    Answer made = served(3, "/services/CounterService", "createCounter", "urn:failover:create:" + client, "");
    return "/services/CounterService/" + made.between("/counter/services/CounterService/", "<");
  }

  private long read(int replica, String path) {
    return total(served(replica, path, "getValue", "", ""));
  }

  /** Sends a request until it has a result, under one MessageID: first to this replica, then to the others. */
  private Answer served(int first, String path, String operation, String messageId, String content) {
    Answer[] result = new Answer[1];
    AtomicInteger replica = new AtomicInteger(first);
    Condition.await("a result of " + operation + " " + messageId, () -> {
      Answer answer = send(replica.getAndUpdate(number -> 1 + number % 3), path, operation, messageId, content);
      // A Tomcat that stops in the same process can end a request with status 200 and no content: that is no result.
      result[0] = answer != null && answer.status() == 200 && answer.bytes().length > 0 ? answer : null;
      return result[0] != null;
    });
    assertNotNull(result[0]);
    return result[0];
  }

  /** @return null if there is no answer */
  private Answer send(int replica, String path, String operation, String messageId, String content) {
    String header =
        messageId.isEmpty() ? "" : "<MessageID xmlns=\"http://www.w3.org/2005/08/addressing\">" + messageId + "</MessageID>";
    String envelope = "<e:Envelope xmlns:e=\"http://schemas.xmlsoap.org/soap/envelope/\"><e:Header>" + header
        + "</e:Header><e:Body><" + operation + " xmlns=\"http://counter.com\">" + content + "</" + operation
        + "></e:Body></e:Envelope>";
    try {
      return cluster.post(replica, path, envelope.getBytes(StandardCharsets.UTF_8), "text/xml; charset=UTF-8");
    } catch (CompletionException e) {
      return null;
    }
  }

  private static long total(Answer answer) {
    Matcher total = TOTAL.matcher(answer.text());
    assertTrue(total.find(), answer.text());
    return Long.parseLong(total.group(1));
  }
}
