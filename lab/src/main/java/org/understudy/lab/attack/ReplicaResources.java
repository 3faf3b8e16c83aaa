package org.understudy.lab.attack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.understudy.lab.cluster.Cluster;
import org.understudy.lab.cluster.DirectBuffers;
import org.understudy.lab.cluster.Footprint;

/** What the replicas take beside the requests that they serve: memory, and temporary files. For one thread. */
final class ReplicaResources implements AutoCloseable {
  /** For files whose requests are just being ended. CXF deletes a forgotten one after half an hour. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(50);

  private final Cluster cluster;
  private final int replicas;
  private final List<DirectBuffers> buffers = new ArrayList<>();
  private Set<Path> files;

  /**
   * What is measured at one time.
   *
   * @param heapBytes the largest reachable heap of a replica
   * @param directBytes the most that direct buffers of a replica take
   * @param newFiles temporary files that have come since the last measurement and stay
   */
  record Measured(long heapBytes, long directBytes, int newFiles) {}

  ReplicaResources(Cluster cluster, int replicas) throws IOException {
    this.cluster = cluster;
    this.replicas = replicas;
    try {
      for (int n = 1; n <= replicas; n++) {
        buffers.add(new DirectBuffers(cluster.pid(n)));
      }
    } catch (IOException e) {
      close();
      throw e;
    }
    files = files();
  }

  Measured measure() throws IOException, InterruptedException {
    Set<Path> left = newFiles();
    Deadline deadline = Deadline.in(PATIENCE);
    while (!left.isEmpty() && !deadline.passed()) {
      deadline.pause(BETWEEN_LOOKS);
      left = newFiles();
    }
    files.addAll(left);
    long heap = 0;
    long direct = 0;
    for (int n = 1; n <= replicas; n++) {
      heap = Math.max(heap, Footprint.of(cluster.pid(n)).heapBytes());
      direct = Math.max(direct, buffers.get(n - 1).bytes());
    }
    return new Measured(heap, direct, left.size());
  }

  private Set<Path> newFiles() throws IOException {
    Set<Path> all = files();
    all.removeAll(files);
    return all;
  }

  private Set<Path> files() throws IOException {
    Set<Path> all = new HashSet<>();
    for (int n = 1; n <= replicas; n++) {
      try (Stream<Path> tree = Files.walk(cluster.temporary(n))) {
        all.addAll(tree.filter(Files::isRegularFile).collect(Collectors.toSet()));
      } catch (UncheckedIOException e) {
        // A directory was deleted meanwhile: the next look finds what is there.
      }
    }
    return all;
  }

  @Override
  public void close() {
    for (DirectBuffers one : buffers) {
      try {
        one.close();
      } catch (IOException e) {
        // The replica has ended.
      }
    }
  }
}
