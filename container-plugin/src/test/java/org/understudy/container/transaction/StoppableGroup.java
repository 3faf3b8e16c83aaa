package org.understudy.container.transaction;

import java.util.concurrent.CompletableFuture;
import org.understudy.replication.runtime.Replica;
import org.understudy.test.Condition;
import org.understudy.test.cluster.Answer;
import org.understudy.test.cluster.PeerRelay;
import org.understudy.test.cluster.TestCluster;

/** A group, of which one replica may be stopped. */
final class StoppableGroup {
  /** No answer. */
  static final Answer NONE = new Answer(503, new byte[0], "");

  private static final String TYPE = "text/xml; charset=UTF-8";
  private static final int REPLICAS = 3;

  final String name;
  final TestCluster cluster;
  final PeerRelay relay;
  volatile int stopped;
  volatile CompletableFuture<Answer> stopping = new CompletableFuture<>();
  volatile Replica stoppedReplica;

  StoppableGroup(String name, TestCluster cluster, PeerRelay relay) {
    this.name = name;
    this.cluster = cluster;
    this.relay = relay;
  }

  /** Returns an unstopped primary's number, or 0. */
  int primary() {
    for (int number = 1; number <= REPLICAS; number++) {
      int candidate = number;
      if (number != stopped) {
        CompletableFuture<Answer> asked =
            CompletableFuture.supplyAsync(
                () -> new Answer(cluster.executesUpdates(candidate) ? 200 : 503, new byte[0], ""), task -> new Thread(task).start());
        if (unlessStopped(number, asked).status() == 200) {
          return number;
        }
      }
    }
    return 0;
  }

  Answer unlessStopped(int number, CompletableFuture<Answer> answer) {
    CompletableFuture<Answer> safe = answer.exceptionally(e -> NONE);
    CompletableFuture<Answer> stop = stopping;
    if (number == stopped) {
      return NONE;
    }
    return stopped == 0 ? (Answer) CompletableFuture.anyOf(safe, stop).join() : safe.join();
  }

  int awaitPrimary() {
    int[] found = new int[1];
    Condition.await("a primary of " + name, () -> (found[0] = primary()) != 0);
    return found[0];
  }

  /** Posts to the primary. Returns status 503 without a code when it stops meanwhile. */
  Answer post(String path, byte[] message) {
    int primary = awaitPrimary();
    return unlessStopped(primary, cluster.postLater(primary, path, message, TYPE));
  }
}
