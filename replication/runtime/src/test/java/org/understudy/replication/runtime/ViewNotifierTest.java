package org.understudy.replication.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.VersionHandle;
import org.understudy.replication.api.View;
import org.understudy.replication.core.Input;
import org.understudy.replication.core.Role;
import org.understudy.replication.core.Timing;
import org.understudy.replication.core.limit.Limits;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.runtime.peer.Channels;
import org.understudy.test.strategy.StepStrategy;

class ViewNotifierTest {
  private static final ReplicaId SELF = new ReplicaId(1);

  @Test
  void listenersReceiveViewsInOrderFromAnyThread() throws Exception {
    RuntimeSettings settings =
        new RuntimeSettings(
            SELF, List.of(SELF), Path.of("unused"), Timing.of(Duration.ofMillis(50), Duration.ofSeconds(1)),
            Limits.DEFAULTS, Duration.ofSeconds(20));
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    List<Long> heard = new CopyOnWriteArrayList<>();
    AtomicLong epoch = new AtomicLong();
    StepStrategy viewOnRequest = new StepStrategy((input, out) -> {
      if (input instanceof Input.Requested) {
        long next = epoch.incrementAndGet();
        out.changed(next % 2 == 1 ? Role.PRIMARY : Role.BACKUP, new View(next, List.of(SELF)));
      }
    });
    try (Replica replica = Replica.open(settings, viewOnRequest, Channels.NONE)) {
      replica.listen(assignment -> {
        if (assignment.epoch() == 1) {
          entered.countDown();
          try {
            assertTrue(goOn.await(30, TimeUnit.SECONDS));
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        }
      });
      replica.listen(assignment -> heard.add(assignment.epoch()));
      Thread slow = new Thread(() -> another(replica));
      slow.start();
      assertTrue(entered.await(30, TimeUnit.SECONDS));
      // The second and third view begin while the first is being announced.
      another(replica);
      another(replica);
      assertEquals(List.of(), heard);
      goOn.countDown();
      slow.join();
      assertEquals(List.of(1L, 2L, 3L), heard);
    }
  }

  @Test
  void rolesAreLoggedAsSentences() {
    assertEquals(
        "Replica 1 takes part in an election; last known: no view has begun yet.",
        ViewNotifier.sentence(SELF.toString(), Role.CHANGING, View.NONE));
    assertEquals(
        "Replica 1 is the primary: view 3 has primary 1 and members [1, 2].",
        ViewNotifier.sentence(SELF.toString(), Role.PRIMARY, new View(3, List.of(SELF, new ReplicaId(2)))));
  }

  private static void another(Replica replica) {
    replica.submit(
        new Request(null, 0, Request.Kind.UPDATE, null, VersionHandle.INITIAL, 0, ""), new TestCall(token -> {}));
  }
}
