package org.understudy.durability.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
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
