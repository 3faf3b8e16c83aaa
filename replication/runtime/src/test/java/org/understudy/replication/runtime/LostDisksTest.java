package org.understudy.replication.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.SurveyedReplica;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Reply;
import org.understudy.replication.core.request.Request;
import org.understudy.test.Condition;

/** Two of three replicas lose their directories; the operator lets the third continue. Over real sockets and files. */
class LostDisksTest {
  @TempDir Path directory;

  private void loseDirectory(int number) throws IOException {
    try (Stream<Path> files = Files.walk(directory.resolve("replica-" + number))) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  private static Object recover(Replica survivor, Map<ReplicaId, Long> lost) throws Exception {
    TestCall call = new TestCall(token -> {
      throw new AssertionError("A recovery executes nothing.");
    });
    survivor.recover(lost, call);
    return call.answer.get(30, TimeUnit.SECONDS);
  }

  @Test
  void operatorRecoversAGroupFromItsSurvivor() throws Exception {
    try (Group group = new Group(directory, 3)) {
      int first = group.awaitPrimary(3);
      assertInstanceOf(Reply.class, group.ask(first, null, Request.Kind.UPDATE, 1_000));
      Condition.await("the update everywhere", () -> group.replicas.values().stream()
          .allMatch(replica -> replica.state("counter") != null));
      Replica survivor = group.replicas.get(3);
      for (int lost = 1; lost <= 2; lost++) {
        group.stop(lost);
        loseDirectory(lost);
      }
      group.start(1);
      survivor.survey();
      Condition.await("an answer of replica 1", () -> life(survivor, 1) != 0);
      Failure refused = assertInstanceOf(Failure.class, recover(survivor, Map.of(new ReplicaId(1), life(survivor, 1))));
      assertTrue(refused.sentence().contains("Replica 2 does not answer"), refused.sentence());

      Map<ReplicaId, Long> lost = new TreeMap<>(Map.of(new ReplicaId(1), life(survivor, 1), new ReplicaId(2), 0L));
      Object recovered = recover(survivor, lost);
      while (recovered instanceof Failure failure && failure.sentence().contains("lease")) {
        recovered = recover(survivor, lost);
      }
      assertInstanceOf(Reply.class, recovered, recovered + " " + survivor.surveyed());
      int second = group.awaitPrimary(2);
      assertTrue(survivor.view().epoch() > 1_000_000, "an epoch above all that was seen: " + survivor.view());
      assertEquals(1_000, group.replicas.get(1).state("counter").length, "what the survivor held");
      assertInstanceOf(Reply.class, group.ask(second, null, Request.Kind.UPDATE, 2_000));

      group.start(2);
      group.awaitPrimary(3);
      group.stop(3);
      int third = group.awaitPrimary(2);
      assertEquals(2_000, group.replicas.get(third).state("counter").length);
    }
  }

  /** 0 while it has not answered. */
  private static long life(Replica survivor, int number) {
    return survivor.surveyed().stream()
        .filter(one -> one.replica().number() == number).mapToLong(SurveyedReplica::incarnation).findFirst().orElse(0);
  }
}
