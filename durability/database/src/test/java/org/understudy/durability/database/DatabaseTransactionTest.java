package org.understudy.durability.database;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.understudy.replication.api.decision.DecidedRow;
import org.understudy.replication.api.decision.Decision;
import org.understudy.replication.api.decision.DecisionId;
import org.understudy.replication.api.decision.DecisionStoreException;
import org.understudy.replication.api.decision.ExecutedBeforeException;

class DatabaseTransactionTest {
  private static TestReplica replica(TestServer server) {
    TestReplica replica = new TestReplica(server.up().settings(TestServer.name("group")), TestServer.name("bills"));
    replica.createTable();
    assertEquals(1, replica.store().fence(1, null));
    return replica;
  }

  @ParameterizedTest
  @EnumSource
  void commitsTheStatementsWithTheRowOfTheDecision(TestServer server) {
    try (TestReplica replica = replica(server)) {
      DecisionId id = TestReplica.id(1, 7);
      byte[] key = "request".getBytes(UTF_8);
      assertEquals(Decision.COMMITTED, replica.bill(1).commit(id, key, TestReplica.response(id)));
      assertTrue(replica.hasBill(1));
      DecidedRow reply = replica.database().reply(key).orElseThrow();
      assertEquals(id, reply.id());
      assertArrayEquals(TestReplica.response(id), reply.response());
      assertEquals(Set.of(id), replica.store().committed(List.of(id, TestReplica.id(1, 8))));
    }
  }

  @ParameterizedTest
  @EnumSource
  void keepsALargeResponse(TestServer server) {
    try (TestReplica replica = replica(server)) {
      byte[] response = new byte[1_000_000];
      for (int i = 0; i < response.length; i++) {
        response[i] = (byte) i;
      }
      replica.begin().commit(TestReplica.id(1, 1), new byte[] {-1, 0, -128}, response);
      assertArrayEquals(response, replica.database().reply(new byte[] {-1, 0, -128}).orElseThrow().response());
    }
  }

  @ParameterizedTest
  @EnumSource
  void rollsBack(TestServer server) {
    try (TestReplica replica = replica(server)) {
      DatabaseTransaction transaction = replica.bill(1);
      transaction.rollback();
      transaction.rollback();
      assertFalse(transaction.isAborted());
      assertFalse(replica.hasBill(1));
      assertThrows(IllegalStateException.class, () -> transaction.update("DELETE FROM bills"));
    }
  }

  @ParameterizedTest
  @EnumSource
  void storesAndReadsValues(TestServer server) {
    try (TestReplica replica = replica(server)) {
      String table = TestServer.name("kinds");
      replica.sql().initialize(
          table, List.of("CREATE TABLE " + table + " (a INT, b BIGINT, c VARCHAR(20), d DECIMAL(9, 2), e DOUBLE, f VARBINARY(10), g INT)"));
      DatabaseTransaction transaction = replica.begin();
      String hostile = "a' OR '1'='1";
      transaction.update(
          "INSERT INTO " + table + " VALUES (?, ?, ?, ?, ?, ?, ?)", 1, 2L, hostile, new BigDecimal("3.25"), 0.5, new byte[] {1, 2}, null);
      List<Object[]> rows = transaction.query("SELECT a, b, c, d, e, f, g FROM " + table + " WHERE c = ?", hostile);
      assertEquals(1, rows.size());
      Object[] row = rows.get(0);
      assertEquals(
          Arrays.asList(1, 2L, hostile, new BigDecimal("3.25"), 0.5, null), Arrays.asList(row[0], row[1], row[2], row[3], row[4], row[6]));
      assertArrayEquals(new byte[] {1, 2}, (byte[]) row[5]);
      assertEquals(1, transaction.query("SELECT a FROM " + table).get(0)[0]);
      assertEquals(0, transaction.query("SELECT a FROM " + table + " WHERE c = ?", "1").size());
      transaction.rollback();
    }
  }

  @ParameterizedTest
  @EnumSource
  void storesAndReadsTimesTextsAndBooleansAlike(TestServer server) {
    try (TestReplica replica = replica(server)) {
      String table = TestServer.name("times");
      String timestamp = server == TestServer.H2 ? "TIMESTAMP(3)" : "DATETIME(3)";
      String text = server == TestServer.H2 ? "CLOB" : "LONGTEXT";
      replica.sql().initialize(
          table, List.of("CREATE TABLE " + table + " (a " + timestamp + ", b DATE, c TIME(3), d BOOLEAN, e " + text + ")"));
      // Zones of Europe skip this time.
      LocalDateTime time = LocalDateTime.parse("2026-03-29T02:30:00.123");
      Object[] values = {time, LocalDate.parse("2026-12-31"), LocalTime.parse("23:59:58.987"), true, "x".repeat(10_000)};
      DatabaseTransaction transaction = replica.begin();
      transaction.update("INSERT INTO " + table + " VALUES (?, ?, ?, ?, ?)", values);
      transaction.commit();
      replica.sql().read(queries -> assertArrayEquals(values, queries.query("SELECT a, b, c, d, e FROM " + table).get(0)));
    }
  }

  @ParameterizedTest
  @EnumSource
  void refusesArgumentsThatOnlyJavaSerializationCouldStore(TestServer server) {
    try (TestReplica replica = replica(server)) {
      DatabaseTransaction transaction = replica.begin();
      Exception refused = assertThrows(
          StatementFailedException.class, () -> transaction.update("INSERT INTO bills VALUES (?, 0)", new ArrayList<>(List.of(1))));
      assertTrue(refused.getMessage().contains("Argument 1"), refused.getMessage());
      transaction.rollback();
    }
  }

  @ParameterizedTest
  @EnumSource
  void aDuplicateRowFailsTheStatementWithoutItsValues(TestServer server) {
    try (TestReplica replica = replica(server)) {
      replica.bill(77_777).commit(TestReplica.id(1, 1), TestReplica.NO_KEY, new byte[0]);
      DatabaseTransaction transaction = replica.begin();
      Exception failed = assertThrows(StatementFailedException.class, () -> replica.bill(77_777));
      assertFalse(failed.getMessage().contains("77777"), failed.getMessage());
      assertFalse(transaction.isAborted());
      transaction.rollback();
    }
  }

  @ParameterizedTest
  @EnumSource
  void doesNotExecuteARequestTwice(TestServer server) {
    try (TestReplica replica = replica(server)) {
      byte[] key = "request".getBytes(UTF_8);
      assertEquals(Decision.COMMITTED, replica.bill(1).commit(TestReplica.id(1, 1), key, new byte[0]));
      DatabaseTransaction again = replica.bill(2);
      Exception refused = assertThrows(ExecutedBeforeException.class, () -> again.commit(TestReplica.id(1, 2), key, new byte[0]));
      assertTrue(refused.getMessage().contains("executed before"), refused.getMessage());
      assertEquals(Decision.ABORTED, replica.store().resolve(TestReplica.id(1, 2)), "nothing was committed");
      assertFalse(replica.hasBill(2));
      // Requests without an identity do not exclude each other.
      replica.bill(3).commit(TestReplica.id(1, 3), TestReplica.NO_KEY, new byte[0]);
      assertEquals(Decision.COMMITTED, replica.bill(4).commit(TestReplica.id(1, 4), TestReplica.NO_KEY, new byte[0]));
    }
  }

  @ParameterizedTest
  @EnumSource
  void oneOfTwoDeadlockedTransactionsIsAborted(TestServer server) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try (TestReplica replica = replica(server)) {
      DatabaseTransaction setup = replica.begin();
      String table = TestServer.name("locks");
      replica.sql().initialize(table, List.of("CREATE TABLE " + table + " (id INT PRIMARY KEY, n INT)"));
      setup.update("INSERT INTO " + table + " VALUES (1, 0)");
      setup.update("INSERT INTO " + table + " VALUES (2, 0)");
      setup.commit();
      CyclicBarrier both = new CyclicBarrier(2);
      List<Future<Decision>> ends = new ArrayList<>();
      for (int i = 1; i <= 2; i++) {
        int first = i;
        ends.add(threads.submit(() -> {
          DatabaseTransaction transaction = replica.begin();
          String add = "UPDATE " + table + " SET n = n + 1 WHERE id = ?";
          transaction.update(add, first);
          both.await(30, TimeUnit.SECONDS);
          try {
            transaction.update(add, 3 - first);
          } catch (DecisionStoreException e) {
            assertTrue(transaction.isAborted());
          }
          return transaction.commit(TestReplica.id(1, first), TestReplica.NO_KEY, new byte[0]);
        }));
      }
      List<Decision> decisions = List.of(ends.get(0).get(), ends.get(1).get());
      assertTrue(decisions.contains(Decision.ABORTED), decisions.toString());
      Set<DecisionId> committed = new HashSet<>();
      for (int i = 0; i < 2; i++) {
        if (decisions.get(i) == Decision.COMMITTED) {
          committed.add(TestReplica.id(1, i + 1));
        }
      }
      assertEquals(committed, replica.store().committed(List.of(TestReplica.id(1, 1), TestReplica.id(1, 2))));
    } finally {
      threads.shutdownNow();
    }
  }

  @ParameterizedTest
  @EnumSource
  void transactionsShareTheLockOnTheEpoch(TestServer server) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(16);
    DatabaseSettings here = server.up().settings(TestServer.name("group"));
    // No lock and no connection runs into a limit, however slow the machine is.
    DatabaseSettings patient =
        new DatabaseSettings(here.group(), here.url(), here.user(), here.password(), 16, here.tls(), null, null, 60_000, 120_000);
    try (TestReplica replica = new TestReplica(patient, TestServer.name("bills"))) {
      replica.createTable();
      replica.store().fence(1, null);
      CyclicBarrier all = new CyclicBarrier(16);
      replica.atEach(Failpoint.BEFORE_COMMIT, () -> {
        try {
          all.await(60, TimeUnit.SECONDS);
        } catch (Exception e) {
          throw new AssertionError("The transactions do not hold the lock at once.", e);
        }
      });
      List<Future<Decision>> ends = new ArrayList<>();
      for (int i = 1; i <= 16; i++) {
        int client = i;
        ends.add(threads.submit(() -> replica.bill(client).commit(TestReplica.id(1, client), TestReplica.NO_KEY, new byte[0])));
      }
      for (Future<Decision> end : ends) {
        assertEquals(Decision.COMMITTED, end.get());
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @ParameterizedTest
  @EnumSource
  void findsStatementsThatDoNotParseBeforeTheyRun(TestServer server) {
    try (TestReplica replica = replica(server)) {
      replica.database().check("bills", List.of("SELECT group_name FROM understudy_epoch WHERE epoch = ?"));
      for (String wrong : List.of("SELEKT 1", "SELECT nothing FROM understudy_epoch", "INSERT INTO no_such_table VALUES (?)")) {
        Exception refused =
            assertThrows(StatementFailedException.class, () -> replica.database().check("bills", List.of(wrong)));
        assertTrue(refused.getMessage().contains(wrong) && refused.getMessage().contains("bills"), refused.getMessage());
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void initializesOnceAndRefusesOtherStatements(TestServer server) throws Exception {
    String group = TestServer.name("group");
    String table = TestServer.name("bills");
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try (TestReplica one = new TestReplica(server.up().settings(group), table);
        TestReplica two = new TestReplica(server.settings(group), table)) {
      List<Future<?>> ends = List.of(threads.submit(one::createTable), threads.submit(two::createTable));
      for (Future<?> end : ends) {
        end.get();
      }
      one.createTable();
      Exception refused = assertThrows(
          StatementFailedException.class, () -> two.sql().initialize(table, List.of("CREATE TABLE " + table + " (client BIGINT)")));
      assertTrue(refused.getMessage().contains("have changed"), refused.getMessage());
      assertTrue(refused.getMessage().contains("Applied to database") && refused.getMessage().contains("Resolved locally"));
    } finally {
      threads.shutdownNow();
    }
  }

  @ParameterizedTest
  @EnumSource
  void aBackupFindsTheTablesThatThePrimaryHasCreatedAndCreatesNone(TestServer server) {
    String group = TestServer.name("group");
    String table = TestServer.name("bills");
    List<String> statements = List.of("CREATE TABLE " + table + " (client INT PRIMARY KEY, balance INT)");
    try (TestReplica primary = new TestReplica(server.up().settings(group), table);
        TestReplica backup = new TestReplica(server.settings(group), table)) {
      assertFalse(backup.sql().isInitialized(table, statements), "nothing exists");
      assertFalse(backup.sql().isInitialized(table, statements), "nothing was created");
      primary.createTable();
      assertTrue(backup.sql().isInitialized(table, statements));
      assertFalse(backup.sql().isInitialized(table, List.of("CREATE TABLE " + table + " (client BIGINT)")), "others have run");
      primary.store().fence(1, null);
      assertEquals(2, backup.store().fence(2, null));
    }
  }

  @ParameterizedTest
  @EnumSource
  void forgetsLowerDecisions(TestServer server) {
    try (TestReplica replica = replica(server)) {
      List<DecisionId> ids = List.of(TestReplica.id(1, 1), TestReplica.id(1, 2), TestReplica.id(1, 3));
      ids.forEach(id -> replica.begin().commit(id, TestReplica.NO_KEY, new byte[0]));
      replica.store().forget(TestReplica.id(1, 3), null);
      assertEquals(Set.of(TestReplica.id(1, 3)), replica.store().committed(ids));
      assertEquals(2, replica.store().fence(2, TestReplica.id(1, 3)));
    }
  }

  private static DecisionId onePhase(long number) {
    return TestReplica.id(1, DecisionId.ONE_PHASE + number);
  }

  @ParameterizedTest
  @EnumSource
  void forgetsRowsOfOneKindAndKeepsSomeKeys(TestServer server) {
    try (TestReplica replica = replica(server)) {
      List<DecisionId> ids = List.of(TestReplica.id(1, 1), TestReplica.id(1, 2), onePhase(1), onePhase(2), onePhase(3));
      for (int i = 0; i < ids.size(); i++) {
        replica.begin().commit(ids.get(i), new byte[] {(byte) (i % 2 == 0 ? 1 : 2), (byte) (i + 200)}, new byte[] {(byte) i});
      }
      assertEquals(Decision.ABORTED, replica.store().resolve(TestReplica.id(1, 9)));
      replica.store().forget(onePhase(3), new byte[] {2});
      assertEquals(Set.of(ids.get(0), ids.get(1), ids.get(3), ids.get(4)), replica.store().committed(ids));
      replica.store().forget(onePhase(3), null);
      replica.store().forget(TestReplica.id(1, 10), new byte[] {2});
      assertEquals(Set.of(ids.get(1), ids.get(4)), replica.store().committed(ids));
      DatabaseTransaction late = replica.bill(9);
      assertThrows(DecisionStoreException.class, () -> late.commit(TestReplica.id(1, 9), TestReplica.NO_KEY, new byte[0]));
      replica.store().forget(TestReplica.id(2, 1), null);
      assertEquals(Set.of(), replica.store().committed(ids));
    }
  }

  @ParameterizedTest
  @EnumSource
  void readsRowsInPages(TestServer server) {
    try (TestReplica replica = replica(server)) {
      byte[] large = new byte[3 << 20];
      replica.begin().commit(onePhase(1), new byte[] {1}, large);
      replica.begin().commit(TestReplica.id(1, 2), new byte[] {2, -1}, large);
      replica.begin().commit(onePhase(2), TestReplica.NO_KEY, new byte[1]);
      replica.begin().commit(onePhase(3), new byte[] {3}, new byte[1]);
      replica.store().resolve(TestReplica.id(1, 3));
      List<DecidedRow> first = replica.store().rows(null);
      assertEquals(List.of(TestReplica.id(1, 2)), first.stream().map(DecidedRow::id).toList(), "as much as a page holds");
      assertArrayEquals(new byte[] {2, -1}, first.get(0).key());
      assertArrayEquals(large, first.get(0).response());
      List<DecidedRow> rest = replica.store().rows(first.get(0).id());
      assertEquals(List.of(onePhase(1), onePhase(3)), rest.stream().map(DecidedRow::id).toList());
      assertEquals(List.of(), replica.store().rows(onePhase(3)));
    }
  }
}
