package org.understudy.lab.durability;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.understudy.lab.cluster.Cluster;
import org.understudy.thread.DaemonThreads;

/** Failures of a group that {@code scripts/cluster} runs. */
final class ClusterFailures implements RecoveredGroup {
  /** More often takes processor time from the recovery. */
  private static final long POLL_MS = 5;
  private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(2);

  private final Deployment deployment;
  private final Cluster cluster;
  private final int replicas;

  ClusterFailures(Deployment deployment) {
    this.deployment = deployment;
    this.cluster = deployment.cluster();
    this.replicas = deployment.services().size();
  }

  @Override
  public int killPrimary() throws IOException, InterruptedException {
    int primary = cluster.awaitWhole();
    kill(primary);
    return primary;
  }

  @Override
  public void killAll() throws IOException, InterruptedException {
    cluster.awaitWhole();
    for (int replica = 1; replica <= replicas; replica++) {
      kill(replica);
    }
    for (int replica = 1; replica <= replicas; replica++) {
      awaitEnd(replica);
    }
  }

  /** A killed process has its ports until its last thread ends. Then it may remain as a zombie with one. */
  private void awaitEnd(int replica) throws IOException, InterruptedException {
    Path process = Path.of("/proc", Long.toString(cluster.pid(replica)));
    long end = System.nanoTime() + LONGEST_NANOS;
    while (isAlive(process)) {
      if (System.nanoTime() > end) {
        throw new IOException("Replica " + replica + " does not end after it was killed.");
      }
      TimeUnit.MILLISECONDS.sleep(POLL_MS);
    }
  }

  private static boolean isAlive(Path process) {
    try (Stream<Path> threads = Files.list(process.resolve("task"))) {
      String state = Files.readString(process.resolve("stat"));
      return state.charAt(state.lastIndexOf(')') + 2) != 'Z' || threads.count() > 1;
    } catch (IOException | UncheckedIOException e) {
      return false;
    }
  }

  /** Not by the script, which takes longer than a failover. */
  private void kill(int replica) throws IOException {
    long pid = cluster.pid(replica);
    ProcessHandle process =
        ProcessHandle.of(pid).orElseThrow(() -> new IOException("Replica " + replica + " ended before it was killed."));
    if (!process.destroyForcibly()) {
      throw new IOException("Replica " + replica + ", process " + pid + ", cannot be killed.");
    }
  }

  @Override
  public void awaitViewWithout(int replica) throws IOException, InterruptedException {
    await("no view without replica " + replica, number -> number != replica && leadsWithout(cluster.health(number), replica));
  }

  private static boolean leadsWithout(JsonNode health, int replica) {
    for (JsonNode member : health.path("members")) {
      if (member.asInt() == replica) {
        return false;
      }
    }
    return health.path("role").asText().equals("PRIMARY");
  }

  @Override
  public void awaitProcess() throws IOException, InterruptedException {
    await("no health check answered", number -> !cluster.health(number).path("ready").isMissingNode());
  }

  private interface Check {
    boolean of(int replica) throws IOException, InterruptedException;
  }

  private void await(String missing, Check check) throws IOException, InterruptedException {
    long end = System.nanoTime() + LONGEST_NANOS;
    while (System.nanoTime() < end) {
      for (int number = 1; number <= replicas; number++) {
        try {
          if (check.of(number)) {
            return;
          }
        } catch (IOException e) {
          // Not up, killed, or still starting: it is asked again.
        }
      }
      TimeUnit.MILLISECONDS.sleep(POLL_MS);
    }
    throw new IOException("There was " + missing + " for " + TimeUnit.NANOSECONDS.toMinutes(LONGEST_NANOS) + " minutes.");
  }

  @Override
  public void restart(int replica) throws IOException, InterruptedException {
    awaitEnd(replica);
    deployment.restart(replica);
  }

  @Override
  public void restartAll() throws IOException, InterruptedException {
    ExecutorService starters = Executors.newFixedThreadPool(replicas, task -> DaemonThreads.daemon("restart", task));
    try {
      List<Callable<Void>> restarts = new ArrayList<>();
      for (int replica = 1; replica <= replicas; replica++) {
        int number = replica;
        restarts.add(() -> {
          restart(number);
          return null;
        });
      }
      for (var one : starters.invokeAll(restarts)) {
        one.get();
      }
    } catch (ExecutionException e) {
      throw new IOException(e.getCause().getMessage(), e.getCause());
    } finally {
      starters.shutdownNow();
    }
    cluster.awaitWhole();
  }
}
