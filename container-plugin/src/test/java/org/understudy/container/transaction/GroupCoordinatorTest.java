package org.understudy.container.transaction;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.understudy.container.SingleReplica;
import org.understudy.container.transaction.GroupCoordinator.Registration;
import org.understudy.notification.connection.TrustAnchors;
import org.understudy.replication.runtime.Replica;
import org.understudy.test.Condition;

class GroupCoordinatorTest {
  private static final TransactionSettings SETTINGS = new TransactionSettings("bank", null, true, 16, 600_000, 16, 1 << 20);
  private static final byte[] SECRET = "a secret of two groups".getBytes(StandardCharsets.UTF_8);

  /** Executes nothing before the test does. */
  private static final class Later extends ScheduledThreadPoolExecutor {
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

    Later() {
      super(1);
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
      tasks.add(task);
      return null;
    }

    void runUntil(BooleanSupplier condition) {
      Condition.await("the end of a task", () -> {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
          task.run();
        }
        return condition.getAsBoolean();
      });
    }
  }

  @Test
  void aRegistrationIsToBeRepeatedUntilThePrimaryCoordinates() throws Exception {
    Later later = new Later();
    try (Replica replica = SingleReplica.open(); OpenTransactions open = new OpenTransactions(SETTINGS, replica)) {
      Failpoint.Replicated failpoints = new Failpoint.Replicated("bank", replica);
      Map<String, List<URI>> addresses = Map.of("shop", List.of(URI.create("http://127.0.0.1:1/")));
      try (PeerGroups peers = new PeerGroups("bank", addresses, SECRET, TrustAnchors.ofJvm(), later, failpoints)) {
        GroupCoordinator coordinator = new GroupCoordinator(replica, open, peers, later, failpoints);
        open.coordinateBy(coordinator);
        String id = open.open(OpenTransactions.prefix("bank") + "1", "", "").id();
        assertEquals(Registration.REFUSED, coordinator.register(id + "2", "shop", "p"), "not open");
        assertEquals(Registration.RETRY, coordinator.register(id, "shop", "p"));
        coordinator.tick();
        assertEquals(Registration.RETRY, coordinator.register(id, "shop", "p"), "it asks whether it is the primary");
        later.runUntil(() -> coordinator.register(id, "shop", "p") == Registration.REGISTERED);
        assertEquals(Registration.REGISTERED, coordinator.register(id, "shop", "p"), "repeated");
        assertEquals(Registration.REFUSED, coordinator.register(id, "shop", "another"));
        coordinator.close();
        assertEquals(Registration.RETRY, coordinator.register(id, "shop", "p"));
        coordinator.tick();
        // What other groups took part in is lost.
        later.runUntil(() -> coordinator.register(id, "shop", "p") == Registration.REFUSED);
      }
    } finally {
      later.shutdownNow();
    }
  }
}
