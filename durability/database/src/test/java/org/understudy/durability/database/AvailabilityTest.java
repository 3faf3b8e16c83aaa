package org.understudy.durability.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.understudy.durability.proxy.SqlAction;
import org.understudy.durability.proxy.SqlDatabase;
import org.understudy.durability.proxy.SqlDatabaseProvider;
import org.understudy.replication.api.ResourceHome;
import org.understudy.replication.api.decision.Branch;
import org.understudy.replication.api.decision.Decision;
import org.understudy.replication.api.decision.DecisionStoreException;
import org.understudy.replication.api.decision.OutcomeUnknownException;
import org.understudy.test.Condition;
import org.understudy.test.network.FreePorts;

class AvailabilityTest {
  @ParameterizedTest
  @EnumSource
  void goesOnAfterARestartOfTheServer(TestServer server) throws Exception {
    try (TestReplica replica = new TestReplica(server.up().settings(TestServer.name("group")), TestServer.name("bills"))) {
      replica.createTable();
      replica.store().fence(1, null);
      assertEquals(Decision.COMMITTED, replica.bill(1).commit(TestReplica.id(1, 1), TestReplica.NO_KEY, new byte[0]));
      DatabaseTransaction open = replica.bill(2);
      server.stop();
      server.start();
      // What was open is gone, and certainly not committed; what begins afterwards finds a connection.
      assertEquals(Decision.ABORTED, open.commit(TestReplica.id(1, 2), TestReplica.NO_KEY, new byte[0]));
      assertFalse(replica.hasBill(2));
      assertTrue(replica.hasBill(1));
      assertEquals(Decision.COMMITTED, replica.bill(2).commit(TestReplica.id(1, 3), TestReplica.NO_KEY, new byte[0]));
      assertEquals(2, replica.store().fence(2, TestReplica.id(1, 3)));
    }
  }

  @ParameterizedTest
  @EnumSource
  void aDatabaseThatIsDownExecutesNothingAndIsNamed(TestServer server) {
    DatabaseSettings here = server.up().settings("group", FreePorts.next());
    DatabaseSettings settings =
        new DatabaseSettings(here.group(), here.url(), here.user(), "secret-word", 2, here.tls(), null, null, 100, 300);
    try (TestReplica replica = new TestReplica(settings, "bills")) {
      Exception unfenced = assertThrows(DecisionStoreException.class, () -> replica.store().fence(1, null));
      assertTrue(unfenced.getMessage().contains(settings.place()), unfenced.getMessage());
      DatabaseTransaction transaction = replica.begin();
      Exception failed = assertThrows(DecisionStoreException.class, () -> transaction.update("DELETE FROM bills"));
      assertTrue(failed.getMessage().contains(settings.place()), failed.getMessage());
      assertFalse(failed.getMessage().contains("secret-word"), failed.getMessage());
      assertTrue(transaction.isAborted());
      assertEquals(Decision.ABORTED, transaction.commit(TestReplica.id(1, 1), TestReplica.NO_KEY, new byte[0]));
    }
  }

  /** As when the network drops packets: no connection ends by itself. */
  @ParameterizedTest
  @EnumSource
  void anAnswerThatNeverComesEndsAStatementAndACommit(TestServer server) throws Exception {
    try (Relay relay = new Relay(server.up().port())) {
      DatabaseSettings here = server.settings(TestServer.name("group"), relay.port());
      // MySQL waits for locks by whole seconds.
      int timeoutMs = server == TestServer.H2 ? 500 : 1_500;
      DatabaseSettings settings = new DatabaseSettings(
          here.group(), here.url(), here.user(), here.password(), 4, here.tls(), null, null, 100, timeoutMs);
      try (TestReplica replica = new TestReplica(settings, TestServer.name("bills"))) {
        replica.createTable();
        replica.store().fence(1, null);
        DatabaseTransaction open = replica.bill(1);
        relay.next(Relay.Cut.BLACK_HOLE);
        assertThrows(DecisionStoreException.class, () -> open.update("DELETE FROM understudy_decision WHERE epoch = 0"));
        assertEquals(Decision.ABORTED, open.commit(TestReplica.id(1, 1), TestReplica.NO_KEY, new byte[0]));
        relay.next(Relay.Cut.NONE);
        DatabaseTransaction[] next = {null};
        Condition.await("a connection", () -> {
          next[0] = replica.begin();
          try {
            next[0].update("DELETE FROM understudy_decision WHERE epoch = 0");
          } catch (DecisionStoreException e) {
            return false;
          }
          return true;
        });
        replica.at(Failpoint.BEFORE_COMMIT, () -> relay.next(Relay.Cut.BLACK_HOLE));
        assertThrows(
            OutcomeUnknownException.class, () -> next[0].commit(TestReplica.id(1, 2), TestReplica.NO_KEY, new byte[0]));
        relay.next(Relay.Cut.NONE);
        // The server has not seen COMMIT, and takes the client for alive: its session is ended.
        Condition.await("the decision", () -> isAborted(replica, 2));
      }
    }
  }

  /** After refused connections, the pool pauses for up to five seconds; what waits gets its connection when the database answers. */
  @ParameterizedTest
  @EnumSource
  void whatWaitsForTheDatabaseGoesOnWhenItAnswers(TestServer server) throws Exception {
    DatabaseSettings here = server.up().settings(TestServer.name("group"));
    try (TestReplica replica = new TestReplica(here, TestServer.name("bills"))) {
      replica.createTable();
      replica.store().fence(1, null);
      assertTrue(replica.store().answers());
      server.stop();
      Condition.await("a probe without an answer", () -> !replica.store().answers());
      // Several failures later, the pause of the pool is at its longest.
      FutureTask<Decision> waiting = new FutureTask<>(() -> committed(replica));
      new Thread(waiting).start();
      long failing = System.nanoTime();
      Condition.await("a long pause of the pool", () -> System.nanoTime() - failing > TimeUnit.SECONDS.toNanos(3));
      server.start();
      Condition.await("an answer", () -> replica.store().answers());
      assertEquals(Decision.COMMITTED, waiting.get(60, TimeUnit.SECONDS));
    }
  }

  private static Decision committed(TestReplica replica) {
    while (true) {
      try {
        return replica.bill(1).commit(TestReplica.id(1, 1), TestReplica.NO_KEY, new byte[0]);
      } catch (DecisionStoreException e) {
        // It waits for a connection again.
      }
    }
  }

  @Test
  void anEmbeddedDatabaseAlwaysAnswers() {
    DatabaseSettings settings = DatabaseSettings.of(key -> key.equals("understudy.database.url") ? "jdbc:h2:mem:answers" : null);
    try (TestReplica replica = new TestReplica(settings, "bills")) {
      assertTrue(replica.store().answers());
    }
  }

  /** As when the network drops packets. */
  @ParameterizedTest
  @EnumSource
  void aProbeWithoutAnswerEnds(TestServer server) throws Exception {
    try (Relay relay = new Relay(server.up().port())) {
      try (TestReplica replica = new TestReplica(server.settings(TestServer.name("group"), relay.port()), TestServer.name("bills"))) {
        assertTrue(replica.store().answers());
        relay.next(Relay.Cut.BLACK_HOLE);
        assertFalse(replica.store().answers());
        relay.next(Relay.Cut.NONE);
        Condition.await("an answer", () -> replica.store().answers());
      }
    }
  }

  private static boolean isAborted(TestReplica replica, long index) {
    try {
      assertEquals(Decision.ABORTED, replica.store().resolve(TestReplica.id(1, index)));
      return true;
    } catch (DecisionStoreException e) {
      return false;
    }
  }

  @Test
  void aClosedDatabaseExecutesNothing() {
    DatabaseSettings settings = DatabaseSettings.of(key -> key.equals("understudy.database.url") ? "jdbc:h2:mem:closed" : null);
    TestReplica replica = new TestReplica(settings, "bills");
    replica.createTable();
    replica.store().fence(0, null);
    DatabaseTransaction open = replica.bill(1);
    replica.close();
    replica.close();
    assertEquals(Decision.ABORTED, open.commit(TestReplica.id(1, 1), TestReplica.NO_KEY, new byte[0]));
    assertThrows(DecisionStoreException.class, () -> replica.store().fence(0, null));
    assertThrows(DecisionStoreException.class, () -> replica.bill(2));
  }

  @Test
  void theProviderOpensTheDatabaseThatTheHomeNamesAndEnlistsBranches() {
    List<Branch> enlisted = new ArrayList<>();
    ResourceHome<?> home = (ResourceHome<?>) Proxy.newProxyInstance(
        getClass().getClassLoader(), new Class<?>[] {ResourceHome.class}, (proxy, method, arguments) -> {
          if (method.getName().equals("enlist")) {
            enlisted.add((Branch) arguments[0]);
          }
          return "understudy.database.url".equals(arguments[0]) ? "jdbc:h2:mem:one" : null;
        });
    SqlDatabase database = SqlDatabaseProvider.openDatabase(home);
    try (DecisionTable store = (DecisionTable) database.decisionStore()) {
      assertEquals(1, store.fence(0, null));
      database.initialize("bills", List.of("CREATE TABLE bills (client INT PRIMARY KEY, balance INT)"));
      SqlAction action = database.begin();
      assertEquals(1, action.update("INSERT INTO bills VALUES (?, ?)", 1, 5));
      assertEquals(List.of(action), enlisted);
      assertEquals(Decision.COMMITTED, enlisted.get(0).commit(TestReplica.id(1, 1), TestReplica.NO_KEY, new byte[0]));
      database.read(queries -> assertEquals(5, queries.query("SELECT balance FROM bills").get(0)[0]));
    }
  }
}
