package org.understudy.durability.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.understudy.replication.api.decision.Decision;
import org.understudy.replication.api.decision.DecisionId;
import org.understudy.replication.api.decision.DecisionStoreException;
import org.understudy.replication.api.decision.FencedException;
import org.understudy.replication.api.decision.OutcomeUnknownException;
import org.understudy.replication.api.decision.StaleStoreException;
import org.understudy.test.Condition;

/** Two replicas of a group at one database: the old primary reaches it through a relay, which can be cut. */
class FencingTest {
  private static final DecisionId FIRST = TestReplica.id(1, 1);
  private static final ExecutorService THREADS = Executors.newCachedThreadPool();

  private final String group = TestServer.name("group");
  private final String table = TestServer.name("bills");

  @AfterAll
  static void endThreads() {
    THREADS.shutdownNow();
  }

  private TestReplica primary(TestServer server, Relay relay) {
    TestReplica primary = new TestReplica(server.settings(group, relay.port()), table);
    primary.createTable();
    primary.store().fence(1, null);
    return primary;
  }

  private TestReplica successor(TestServer server) {
    return new TestReplica(server.settings(group), table);
  }

  @ParameterizedTest
  @EnumSource
  void anOldPrimaryCommitsNothingAfterTheFence(TestServer server) throws IOException {
    try (Relay relay = new Relay(server.up().port()); TestReplica old = primary(server, relay); TestReplica next = successor(server)) {
      DatabaseTransaction open = old.bill(1);
      next.store().fence(2, null);
      Exception refused = assertThrows(FencedException.class, () -> open.commit(FIRST, TestReplica.NO_KEY, new byte[0]));
      assertTrue(refused.getMessage().contains("is 2, and this replica has 1"), refused.getMessage());
      assertThrows(FencedException.class, () -> old.store().fence(1, null));
      DatabaseTransaction several = old.bill(2);
      assertThrows(FencedException.class, several::commit);
      assertFalse(next.hasBill(1) || next.hasBill(2));
      assertEquals(Set.of(), next.store().committed(List.of(FIRST)));
    }
  }

  @ParameterizedTest
  @EnumSource
  void theFenceWaitsForACommitInProgress(TestServer server) throws Exception {
    try (Relay relay = new Relay(server.up().port()); TestReplica old = primary(server, relay); TestReplica next = successor(server)) {
      next.store().fence(1, null);
      CountDownLatch asked = new CountDownLatch(1);
      Future<?>[] fence = new Future<?>[1];
      old.at(Failpoint.BEFORE_COMMIT, () -> {
        fence[0] = THREADS.submit(() -> {
          asked.countDown();
          next.store().fence(2, null);
          return null;
        });
        await(asked);
        assertFalse(fence[0].isDone());
      });
      Decision decision = old.bill(1).commit(FIRST, TestReplica.NO_KEY, new byte[0]);
      fence[0].get();
      assertEquals(Decision.COMMITTED, decision);
      assertEquals(Set.of(FIRST), next.store().committed(List.of(FIRST)));
      assertTrue(next.hasBill(1));
    }
  }

  @ParameterizedTest
  @EnumSource
  void theFenceEndsTheTransactionOfAStoppedPrimary(TestServer server) throws Exception {
    try (Relay relay = new Relay(server.up().port()); TestReplica old = primary(server, relay); TestReplica next = successor(server)) {
      // The fence returns while the old primary is stopped before COMMIT: its COMMIT then fails.
      old.at(Failpoint.BEFORE_COMMIT, () -> next.store().fence(2, null));
      assertThrows(OutcomeUnknownException.class, () -> old.bill(1).commit(FIRST, TestReplica.NO_KEY, new byte[0]));
      assertEquals(Set.of(), next.store().committed(List.of(FIRST)));
      assertFalse(next.hasBill(1));
      assertEquals(Decision.COMMITTED, next.bill(1).commit(TestReplica.id(2, 1), TestReplica.NO_KEY, new byte[0]));
    }
  }

  /** Its transaction has executed a statement, and holds nothing that the fence waits for. */
  @ParameterizedTest
  @EnumSource
  void aNewPrimaryEndsTheRowLocksOfAStoppedOne(TestServer server) throws IOException {
    try (Relay relay = new Relay(server.up().port()); TestReplica old = primary(server, relay); TestReplica next = successor(server)) {
      old.bill(1).commit(FIRST, TestReplica.NO_KEY, new byte[0]);
      String update = "UPDATE " + table + " SET balance = balance + 1 WHERE client = 1";
      old.begin().update(update);
      next.store().fence(2, null);
      Decision decided = null;
      for (int run = 1; run <= 5 && decided == null; run++) {
        DatabaseTransaction again = next.begin();
        try {
          again.update(update);
          decided = again.commit(TestReplica.id(2, 1), TestReplica.NO_KEY, new byte[0]);
        } catch (DecisionStoreException e) {
          assertTrue(again.isAborted(), e.getMessage());
          again.rollback();
        }
      }
      assertEquals(Decision.COMMITTED, decided, "a request is run again five times");
    }
  }

  @ParameterizedTest
  @EnumSource
  void aPrimaryKilledAtAnyStepHasCommittedBothOrNeither(TestServer server) throws IOException {
    for (Failpoint step : List.of(Failpoint.BEFORE_ROW, Failpoint.BEFORE_COMMIT, Failpoint.AFTER_COMMIT)) {
      String bills = TestServer.name("bills");
      String name = TestServer.name("group");
      try (Relay relay = new Relay(server.up().port()); TestReplica old = new TestReplica(server.settings(name, relay.port()), bills);
          TestReplica next = new TestReplica(server.settings(name), bills)) {
        old.createTable();
        old.store().fence(1, null);
        old.at(step, () -> {
          try {
            relay.kill();
          } catch (IOException e) {
            throw new AssertionError(e);
          }
        });
        Decision known = null;
        try {
          known = old.bill(1).commit(FIRST, TestReplica.NO_KEY, new byte[0]);
        } catch (OutcomeUnknownException e) {
          assertEquals(Failpoint.BEFORE_COMMIT, step);
        }
        next.store().fence(2, null);
        boolean isCommitted = next.store().committed(List.of(FIRST)).contains(FIRST);
        assertEquals(step == Failpoint.AFTER_COMMIT, isCommitted, step.toString());
        assertEquals(isCommitted, next.hasBill(1), step.toString());
        assertTrue(known == null || (known == Decision.COMMITTED) == isCommitted, step.toString());
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void resolvesACommitWhoseOutcomeIsUnknown(TestServer server) throws IOException {
    for (Relay.Cut cut : List.of(Relay.Cut.BEFORE_SERVER, Relay.Cut.SERVER_UNAWARE, Relay.Cut.AFTER_SERVER)) {
      String bills = TestServer.name("bills");
      try (Relay relay = new Relay(server.up().port());
          TestReplica primary = new TestReplica(server.settings(TestServer.name("group"), relay.port(), 2), bills)) {
        primary.createTable();
        primary.store().fence(1, null);
        primary.at(Failpoint.BEFORE_COMMIT, () -> {
          // Else the relay might cut a connection that the pool opens, and not the one that commits.
          HikariDataSource pool = primary.database().opened().connections().pool();
          Condition.await("the pool", () -> pool.getHikariPoolMXBean().getTotalConnections() == 2);
          relay.next(cut);
        });
        assertThrows(OutcomeUnknownException.class, () -> primary.bill(1).commit(FIRST, TestReplica.NO_KEY, new byte[0]), cut.toString());
        Decision expected = cut == Relay.Cut.AFTER_SERVER ? Decision.COMMITTED : Decision.ABORTED;
        assertEquals(expected, primary.store().resolve(FIRST), cut.toString());
        assertEquals(expected, primary.store().resolve(FIRST), cut.toString());
        assertEquals(expected == Decision.COMMITTED, primary.hasBill(1), cut.toString());
        assertEquals(expected == Decision.COMMITTED, primary.store().committed(List.of(FIRST)).contains(FIRST));
        // It goes on with the same pool.
        assertEquals(Decision.COMMITTED, primary.bill(2).commit(TestReplica.id(1, 2), TestReplica.NO_KEY, new byte[0]));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void refusesADatabaseThatIsOlderThanTheGroup(TestServer server) throws IOException {
    try (Relay relay = new Relay(server.up().port()); TestReplica old = primary(server, relay); TestReplica next = successor(server)) {
      old.bill(1).commit(FIRST, TestReplica.NO_KEY, new byte[0]);
      DecisionId lost = TestReplica.id(1, 2);
      Exception missing = assertThrows(StaleStoreException.class, () -> next.store().fence(2, lost));
      assertTrue(missing.getMessage().contains("does not have the decision 1.2"), missing.getMessage());
      DecisionId later = TestReplica.id(3, 1);
      Exception lower = assertThrows(StaleStoreException.class, () -> next.store().fence(4, later));
      assertTrue(lower.getMessage().contains("has the epoch 1, and the group has had the epoch 3"), lower.getMessage());
      // Neither has raised the epoch.
      assertEquals(Decision.COMMITTED, old.bill(2).commit(lost, TestReplica.NO_KEY, new byte[0]));
      assertEquals(2, next.store().fence(2, lost));
      TestReplica restored = new TestReplica(server.settings(TestServer.name("group")), table);
      assertThrows(StaleStoreException.class, () -> restored.store().fence(3, lost));
      restored.close();
    }
  }

  @ParameterizedTest
  @EnumSource
  void aRestoredDatabaseStopsItsPrimary(TestServer server) throws Exception {
    try (Relay relay = new Relay(server.up().port()); TestReplica primary = primary(server, relay)) {
      primary.store().fence(5, null);
      try (Connection operator = DriverManager.getConnection(server.url(server.port()), server.user(), "");
          PreparedStatement restore = operator.prepareStatement("UPDATE understudy_epoch SET epoch = 4 WHERE group_name = ?")) {
        restore.setString(1, group);
        restore.executeUpdate();
      }
      Exception refused = assertThrows(
          FencedException.class, () -> primary.bill(1).commit(TestReplica.id(5, 1), TestReplica.NO_KEY, new byte[0]));
      assertTrue(refused.getMessage().contains("older than the group"), refused.getMessage());
      assertThrows(StaleStoreException.class, () -> primary.store().fence(6, null));
    }
  }

  @ParameterizedTest
  @EnumSource
  void aReplicaWithoutRecordsRaisesTheEpochItself(TestServer server) {
    server.up();
    try (TestReplica one = successor(server); TestReplica two = successor(server)) {
      assertEquals(1, one.store().fence(0, null));
      assertEquals(2, one.store().fence(0, null));
      assertEquals(3, two.store().fence(0, null));
      one.createTable();
      assertThrows(FencedException.class, () -> one.bill(1).commit(TestReplica.id(2, 1), TestReplica.NO_KEY, new byte[0]));
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      assertTrue(latch.await(30, TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
