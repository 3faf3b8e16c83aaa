package org.understudy.container.transaction;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.understudy.container.SingleReplica;
import org.understudy.container.transaction.GroupCoordinator.Registration;
import org.understudy.notification.connection.TrustAnchors;
import org.understudy.replication.core.update.StateChange;
import org.understudy.replication.runtime.Replica;
import org.understudy.test.Condition;
import org.understudy.test.cluster.Answer;
import org.understudy.test.cluster.PeerRelay;

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

  /** The database has committed the row of a decision, and this replica was replaced before it knew. */
  @Test
  void whatASuccessorHasCommittedIsNotAborted() throws Exception {
    assertEquals(Failpoint.COMMIT_SENDING, firstAfterRefusal(true));
  }

  @Test
  void whatIsRefusedIsAborted() throws Exception {
    assertEquals(Failpoint.ABORT_SENDING, firstAfterRefusal(false));
  }

  /** Returns the first message to the participant, which has voted, after this replica has rolled the decision back. */
  private static Failpoint firstAfterRefusal(boolean committed) throws Exception {
    Later later = new Later();
    Queue<Failpoint> sent = new ConcurrentLinkedQueue<>();
    Failpoint.listen((point, group, replica, transaction) -> {
      if (point == Failpoint.ABORT_SENDING || point == Failpoint.COMMIT_SENDING) {
        sent.add(point);
      }
    });
    ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1);
    try (Replica replica = SingleReplica.open();
        OpenTransactions open = new OpenTransactions(SETTINGS, replica);
        PeerRelay shop = new PeerRelay()) {
      shop.to(GroupCoordinatorTest::vote);
      Failpoint.Replicated failpoints = new Failpoint.Replicated("bank", replica);
      Map<String, List<URI>> addresses = Map.of("shop", List.of(URI.create(shop.address())));
      try (PeerGroups peers = new PeerGroups("bank", addresses, SECRET, TrustAnchors.ofJvm(), timer, failpoints)) {
        GroupCoordinator coordinator = new GroupCoordinator(replica, open, peers, later, failpoints);
        String id = open.open(OpenTransactions.prefix("bank") + "1", "", "").id();
        coordinator.tick();
        later.runUntil(() -> coordinator.register(id, "shop", "p") == Registration.REGISTERED);
        AtomicReference<StateChange> record = new AtomicReference<>();
        coordinator.commit(id, new GroupCoordinator.Commit() {
          @Override
          public void propose(StateChange decision) {
            record.set(decision);
          }

          @Override
          public void aborted(String why) {
            throw new AssertionError(why);
          }
        });
        later.runUntil(() -> record.get() != null);
        if (committed) {
          assertNull(new OwnRequests(replica).update(record.get()).get(10, TimeUnit.SECONDS));
        }
        coordinator.refused(id);
        later.runUntil(() -> {
          coordinator.tick();
          return !sent.isEmpty();
        });
        return sent.peek();
      }
    } finally {
      Failpoint.listen(Failpoint.Listener.NONE);
      later.shutdownNow();
      timer.shutdownNow();
    }
  }

  private static Answer vote(byte[] envelope) {
    try {
      String content = new String(PeerMessage.read(envelope, SECRET, "shop").answer(SECRET, "prepared"), StandardCharsets.UTF_8);
      String answer =
          "<e:Envelope xmlns:e='http://schemas.xmlsoap.org/soap/envelope/'><e:Body>" + content + "</e:Body></e:Envelope>";
      return new Answer(200, answer.getBytes(StandardCharsets.UTF_8), "text/xml; charset=UTF-8");
    } catch (RefusedCallException e) {
      throw new AssertionError(e);
    }
  }
}
