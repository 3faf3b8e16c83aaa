package org.understudy.matchmaker.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.client.FaultTolerance;
import org.understudy.client.FaultTolerant;
import org.understudy.matchmaker.AllocatedMachine;
import org.understudy.matchmaker.MatchmakerPortType;
import org.understudy.test.Condition;
import org.understudy.test.cluster.TestCluster;
import org.understudy.test.strategy.ForEachStrategy;

/** Three replicas, of which one stops while jobs are allocated: no machine has two jobs, and every allocation is charged once. */
@ForEachStrategy
class MatchmakerFailoverHttpTest {
  private static final String SERVICE = "/services/TestedMatchmaker";
  private static final int CLIENTS = 3;

  @TempDir Path directory;

  private final List<MatchmakerPortType> ports = new ArrayList<>();
  private TestCluster cluster;

  private MatchmakerPortType client() throws Exception {
    List<URI> replicas = IntStream.rangeClosed(1, 3).mapToObj(number -> cluster.uri(number, SERVICE)).toList();
    MatchmakerPortType port = FaultTolerant.client(MatchmakerPortType.class, null, replicas);
    ports.add(port);
    return port;
  }

  private static AllocatedMachine submit(MatchmakerPortType port, String job, String client) throws Exception {
    return port.jobSubmit(job, client, 500, 256, 10, 3);
  }

  @Test
  void everyJobIsAnsweredOnceWhileAReplicaStops() throws Exception {
    ExecutorService threads = Executors.newCachedThreadPool();
    try (TestCluster opened = new TestCluster(directory, new MatchmakerApplication(), 3, Map.of())) {
      cluster = opened;
      MatchmakerPortType first = client();
      for (int i = 1; i <= 4; i++) {
        first.machineAdvertise("m" + i, 1_000, 512, 100, "10.0.0." + i, "key", null);
      }
      int stopped = stopsBetweenChoiceAndAnswer(threads);
      cluster.start(stopped);
      cluster.awaitReady(stopped);
      noMachineIsAllocatedTwice(threads);
    } finally {
      threads.shutdownNow();
      ports.forEach(FaultTolerant::close);
    }
  }

  /** A replica stops while it executes one job and another one waits behind it. Both are executed elsewhere, once. */
  private int stopsBetweenChoiceAndAnswer(ExecutorService threads) throws Exception {
    TestedMatchmaker.HOLD.set(true);
    int server = cluster.nextServer();
    List<URI> itFirst = new ArrayList<>(List.of(cluster.uri(server, SERVICE)));
    IntStream.rangeClosed(1, 3).filter(number -> number != server).forEach(number -> itFirst.add(cluster.uri(number, SERVICE)));
    MatchmakerPortType port =
        FaultTolerant.client(
            MatchmakerPortType.class, null,
            FaultTolerance.custom().replicas(itFirst).preferred(itFirst.get(0)).build());
    ports.add(port);
    Future<AllocatedMachine> held = threads.submit(() -> submit(port, "held", "held"));
    assertTrue(TestedMatchmaker.CHOOSING.tryAcquire(30, TimeUnit.SECONDS), "no choice begins");
    Future<AllocatedMachine> behind = threads.submit(() -> submit(port, "behind", "behind"));
    Future<?> stopping =
        threads.submit(
            () -> {
              cluster.stop(server);
              return null;
            });
    // The answer of the stopped replica cannot be the one that counts: a new view has decided before it goes on.
    Condition.await("a view without replica " + server, () -> IntStream.rangeClosed(1, 3)
        .filter(number -> number != server).anyMatch(cluster::executesUpdates));
    TestedMatchmaker.GO.release();
    stopping.get(60, TimeUnit.SECONDS);
    AllocatedMachine one = held.get(60, TimeUnit.SECONDS);
    AllocatedMachine other = behind.get(60, TimeUnit.SECONDS);
    assertNotEquals(one.getResourceId(), other.getResourceId());
    MatchmakerPortType reader = client();
    assertEquals(one.getResourceId(), submit(reader, "held", "held").getResourceId());
    assertEquals(1, reader.balance("held"));
    assertEquals(1, reader.balance("behind"));
    // Two machines are free, and no third.
    submit(reader, "third", "third");
    submit(reader, "fourth", "fourth");
    assertNull(submit(reader, "fifth", "fifth"));
    for (String job : List.of("held", "behind", "third", "fourth")) {
      reader.release(job, job);
    }
    return server;
  }

  private void noMachineIsAllocatedTwice(ExecutorService threads) throws Exception {
    Set<String> held = ConcurrentHashMap.newKeySet();
    AtomicInteger allocations = new AtomicInteger();
    AtomicBoolean end = new AtomicBoolean();
    List<Future<Integer>> clients = new ArrayList<>();
    for (int i = 1; i <= CLIENTS; i++) {
      String client = "client-" + i;
      MatchmakerPortType port = client();
      Callable<Integer> load =
          () -> {
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
      clients.add(threads.submit(load));
    }
    awaitMore(clients, allocations);
    int stopped = cluster.nextServer();
    cluster.stop(stopped);
    awaitMore(clients, allocations);
    end.set(true);
    MatchmakerPortType reader = client();
    for (int i = 1; i <= CLIENTS; i++) {
      assertEquals((long) clients.get(i - 1).get(60, TimeUnit.SECONDS), reader.balance("client-" + i));
    }
  }

  private static void awaitMore(List<Future<Integer>> clients, AtomicInteger allocations) {
    int target = allocations.get() + 30;
    Condition.await("30 more allocations", () -> allocations.get() >= target || clients.stream().anyMatch(Future::isDone));
  }
}
