package org.understudy.matchmaker.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.catalina.core.StandardContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.client.FaultTolerance;
import org.understudy.client.FaultTolerant;
import org.understudy.matchmaker.AllocatedMachine;
import org.understudy.matchmaker.MatchmakerPortType;
import org.understudy.test.Condition;
import org.understudy.test.cluster.TestCluster;
import org.understudy.test.strategy.ForEachStrategy;

/**
 * A replica of three stops after it has chosen a machine and before it has answered, while other jobs wait behind that one. No
 * machine has two jobs, and every allocation is charged once.
 */
@ForEachStrategy
class MatchmakerFailoverHttpTest {
  private static final String SERVICE = "/services/TestedMatchmaker";
  private static final int CLIENTS = 3;
  private static final int MACHINES = 4;

  @TempDir Path directory;

  private final List<MatchmakerPortType> ports = new ArrayList<>();
  /** The machines that a client has. */
  private final Set<String> held = ConcurrentHashMap.newKeySet();
  private final AtomicInteger allocations = new AtomicInteger();
  private final AtomicBoolean end = new AtomicBoolean();
  private TestCluster cluster;

  @Test
  void everyJobIsAnsweredOnceWhileAReplicaStops() throws Exception {
    ExecutorService threads = Executors.newCachedThreadPool();
    try (TestCluster opened = new TestCluster(directory, new MatchmakerApplication(), 3, Map.of())) {
      cluster = opened;
      MatchmakerPortType reader = client(1);
      for (int i = 1; i <= MACHINES; i++) {
        reader.machineAdvertise("m" + i, 1_000, 512, 100, "10.0.0." + i, "key", null);
      }
      List<Future<Integer>> clients = new ArrayList<>();
      for (int i = 1; i <= CLIENTS; i++) {
        clients.add(threads.submit(load("client-" + i, client(i))));
      }
      awaitMore(clients);
      stopBetweenChoiceAndAnswer(threads);
      awaitMore(clients);
      end.set(true);
      for (int i = 1; i <= CLIENTS; i++) {
        assertEquals((long) clients.get(i - 1).get(60, TimeUnit.SECONDS), reader.balance("client-" + i));
      }
      for (int i = 1; i <= MACHINES; i++) {
        assertNotNull(submit(reader, "last-" + i, "last"), "no machine is lost");
      }
      assertNull(submit(reader, "one more", "last"));
    } finally {
      TestedMatchmaker.GO.drainPermits();
      end.set(true);
      threads.shutdownNow();
      ports.forEach(FaultTolerant::close);
    }
  }

  /** @param preferred the replica to which the client sends its requests where several execute updates */
  private MatchmakerPortType client(int preferred) throws Exception {
    List<URI> replicas = IntStream.rangeClosed(1, 3).mapToObj(number -> cluster.uri(number, SERVICE)).toList();
    FaultTolerance settings = FaultTolerance.custom().replicas(replicas).preferred(replicas.get(preferred - 1)).build();
    MatchmakerPortType port = FaultTolerant.client(MatchmakerPortType.class, null, settings);
    ports.add(port);
    return port;
  }

  private static AllocatedMachine submit(MatchmakerPortType port, String job, String client) throws Exception {
    return port.jobSubmit(job, client, 500, 256, 10, 3);
  }

  private Callable<Integer> load(String client, MatchmakerPortType port) {
    return () -> {
      int answered = 0;
      while (!end.get()) {
        String job = client + "-" + ++answered;
        AllocatedMachine machine = submit(port, job, client);
        assertTrue(held.add(machine.getResourceId()), () -> machine.getResourceId() + " has two jobs");
        allocations.incrementAndGet();
        held.remove(machine.getResourceId());
        port.release(job, client);
      }
      return answered;
    };
  }

  private void stopBetweenChoiceAndAnswer(ExecutorService threads) throws Exception {
    TestedMatchmaker.HOLD.set(true);
    assertTrue(TestedMatchmaker.CHOOSING.tryAcquire(30, TimeUnit.SECONDS), "no choice begins");
    String address = TestedMatchmaker.HELD_AT.get();
    int server =
        IntStream.rangeClosed(1, 3).filter(number -> address.contains(":" + cluster.port(number) + "/")).findFirst().orElseThrow();
    // Else Tomcat waits for the request that is held.
    ((StandardContext) cluster.context(server)).setUnloadDelay(0);
    Future<Void> stopping =
        threads.submit(
            () -> {
              cluster.stop(server);
              return null;
            });
    // The others have decided without this replica before it goes on.
    Condition.await("a view without replica " + server, () -> IntStream.rangeClosed(1, 3)
        .filter(number -> number != server).anyMatch(number -> executesWithout(number, server)));
    TestedMatchmaker.GO.release();
    stopping.get(60, TimeUnit.SECONDS);
  }

  private boolean executesWithout(int number, int left) {
    return cluster.executesUpdates(number)
        && !cluster.health(number, "writable").body().matches("(?s).*\"members\":\\[[^]]*\\b" + left + "\\b.*");
  }

  private void awaitMore(List<Future<Integer>> clients) {
    int target = allocations.get() + 30;
    Condition.await("30 more allocations", () -> allocations.get() >= target || clients.stream().anyMatch(Future::isDone));
  }
}
