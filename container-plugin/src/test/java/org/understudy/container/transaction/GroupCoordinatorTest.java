package org.understudy.container.transaction;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.understudy.container.SingleReplica;
import org.understudy.container.transaction.GroupCoordinator.Registration;
import org.understudy.notification.connection.TrustAnchors;
import org.understudy.replication.core.update.StateChange;
import org.understudy.replication.runtime.Replica;
import org.understudy.test.Condition;
import org.understudy.test.LogRecorder;
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
        assertEquals(Registration.LOST, coordinator.register(id + "2", "shop", "p"), "of no life of the group");
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

  /** A coordinator at a primary, and a transaction that the group shop takes part in. */
  private static final class Bank implements AutoCloseable {
    private final Later later = new Later();
    private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1);
    private final Replica replica = SingleReplica.open();
    private final OpenTransactions open = new OpenTransactions(SETTINGS, replica);
    private final PeerRelay shop = new PeerRelay();
    private final PeerGroups peers;
    private final GroupCoordinator coordinator;
    private final String id;

    /** @param answers of the shop */
    Bank(Function<byte[], Answer> answers) throws Exception {
      shop.to(answers);
      Failpoint.Replicated failpoints = new Failpoint.Replicated("bank", replica);
      Map<String, List<URI>> addresses = Map.of("shop", List.of(URI.create(shop.address())));
      peers = new PeerGroups("bank", addresses, SECRET, TrustAnchors.ofJvm(), timer, failpoints);
      coordinator = new GroupCoordinator(replica, open, peers, later, failpoints);
      id = open.open(OpenTransactions.prefix("bank") + "1", "", "").id();
    }

    /** Returns the record of the decision when the shop has voted. */
    StateChange prepare() {
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
      return record.get();
    }

    void store(StateChange record) throws Exception {
      assertNull(new OwnRequests(replica).update(record).get(10, TimeUnit.SECONDS));
    }

    /** Runs tasks, and ticks like the timer of production. */
    void tickUntil(BooleanSupplier condition) {
      later.runUntil(() -> {
        coordinator.tick();
        return condition.getAsBoolean();
      });
    }

    @Override
    public void close() {
      Failpoint.listen(Failpoint.Listener.NONE);
      peers.close();
      shop.close();
      open.close();
      replica.close();
      later.shutdownNow();
      timer.shutdownNow();
    }
  }

  /** Returns the first message to the participant, which has voted, after this replica has rolled the decision back. */
  private static Failpoint firstAfterRefusal(boolean committed) throws Exception {
    Queue<Failpoint> sent = new ConcurrentLinkedQueue<>();
    Failpoint.listen((point, group, replica, transaction) -> {
      if (point == Failpoint.ABORT_SENDING || point == Failpoint.COMMIT_SENDING) {
        sent.add(point);
      }
    });
    try (Bank bank = new Bank(envelope -> answer(envelope, "prepared"))) {
      StateChange record = bank.prepare();
      if (committed) {
        bank.store(record);
      }
      bank.coordinator.refused(bank.id);
      bank.tickUntil(() -> !sent.isEmpty());
      return sent.peek();
    }
  }

  /** An operator of the shop has aborted: it answers so whenever it gets the decision. */
  @Test
  void anOperatorsOtherDecisionIsLoggedOnce() throws Exception {
    AtomicInteger answered = new AtomicInteger();
    AtomicBoolean asked = new AtomicBoolean();
    CountDownLatch replaced = new CountDownLatch(1);
    Failpoint.listen((point, group, replica, transaction) -> {
      if (point == Failpoint.answered(PeerMessage.Kind.COMMIT)) {
        answered.incrementAndGet();
      }
    });
    Function<byte[], Answer> shop =
        envelope -> {
          if (!isCommit(envelope)) {
            return answer(envelope, "prepared");
          }
          asked.set(true);
          await(replaced);
          return answer(envelope, "heuristic");
        };
    try (LogRecorder log = LogRecorder.of(Level.SEVERE, GroupCoordinator.class.getName()); Bank bank = new Bank(shop)) {
      bank.store(bank.prepare());
      bank.coordinator.appended(bank.id);
      bank.tickUntil(asked::get);
      bank.coordinator.close();
      replaced.countDown();
      bank.later.runUntil(() -> answered.get() >= 1);
      assertEquals(List.of(), log.lines(), "the next primary gets such an answer too");
      bank.tickUntil(() -> answered.get() >= 3);
      assertEquals(1, log.lines().size(), () -> log.lines().toString());
      assertEquals(Set.of("shop"), bank.coordinator.contradicting(bank.id));
      // The same replica loses its role, and becomes the primary again.
      bank.coordinator.close();
      assertEquals(Set.of(), bank.coordinator.contradicting(bank.id), "only the primary knows");
      bank.tickUntil(() -> answered.get() >= 5);
      assertEquals(1, log.lines().size(), () -> log.lines().toString());
      assertEquals(Set.of("shop"), bank.coordinator.contradicting(bank.id));
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      assertTrue(latch.await(60, TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static boolean isCommit(byte[] envelope) {
    try {
      return PeerMessage.read(envelope, SECRET, "shop").kind() == PeerMessage.Kind.COMMIT;
    } catch (RefusedCallException e) {
      throw new AssertionError(e);
    }
  }

  private static Answer answer(byte[] envelope, String word) {
    try {
      String content = new String(PeerMessage.read(envelope, SECRET, "shop").answer(SECRET, word), StandardCharsets.UTF_8);
      String answer =
          "<e:Envelope xmlns:e='http://schemas.xmlsoap.org/soap/envelope/'><e:Body>" + content + "</e:Body></e:Envelope>";
      return new Answer(200, answer.getBytes(StandardCharsets.UTF_8), "text/xml; charset=UTF-8");
    } catch (RefusedCallException e) {
      throw new AssertionError(e);
    }
  }
}
