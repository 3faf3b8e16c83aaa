package org.understudy.durability.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.understudy.replication.api.decision.BranchId;
import org.understudy.replication.api.decision.BranchStore;
import org.understudy.replication.api.decision.Decision;
import org.understudy.replication.api.decision.DecisionStoreException;
import org.understudy.replication.api.decision.FencedException;
import org.understudy.replication.api.decision.KnownBranch;
import org.understudy.replication.api.decision.ParticipantRecord;
import org.understudy.replication.api.decision.StaleStoreException;

/** Branches that the coordinator of a transaction decides, at a primary and its successor. */
class BranchTest {
  /** MariaDB lost one of some two hundred commits, where a session was still being closed. */
  private static final int ROUNDS = 60;
  private static final ParticipantRecord PARTICIPANT = new ParticipantRecord("urn:t", "bank p1".getBytes(StandardCharsets.UTF_8));
  private static final ParticipantRecord OTHER = new ParticipantRecord("urn:t", "bank p2".getBytes(StandardCharsets.UTF_8));

  private static final int POOL = 4;

  private final String group = TestServer.name("group");
  private final String table = TestServer.name("bills");

  private TestReplica primary(TestServer server, int port) {
    TestReplica primary = new TestReplica(server.settings(group, port), table);
    primary.createTable();
    primary.store().fence(1, null);
    return primary;
  }

  private static BranchId id(TestServer server, ParticipantRecord participant) {
    return BranchId.of(1, server.schema(), participant);
  }

  private static DatabaseTransaction branch(TestReplica replica, ParticipantRecord participant, int client) {
    DatabaseTransaction branch = replica.begin();
    branch.coordinate(participant);
    branch.update("INSERT INTO " + replica.table() + " VALUES (?, ?)", client, 0);
    return branch;
  }

  @ParameterizedTest
  @EnumSource
  void aSuccessorEndsWhatIsPrepared(TestServer server) {
    server.up();
    try (TestReplica next = new TestReplica(server.settings(group), table)) {
      BranchId first;
      BranchId second;
      try (TestReplica old = primary(server, server.port())) {
        first = branch(old, PARTICIPANT, 1).prepare();
        second = branch(old, OTHER, 2).prepare();
        assertEquals(id(server, PARTICIPANT), first);
        assertFalse(old.hasBill(1), "prepared");
      }
      assertEquals(2, next.store().fence(2, null), "the fence does not wait for what is prepared");
      assertFalse(next.hasBill(1));
      assertEquals(
          List.of(false, false), next.store().branches().known(null).stream().map(KnownBranch::committed).toList());
      next.store().branches().end(first, Decision.COMMITTED);
      next.store().branches().end(first, Decision.COMMITTED);
      next.store().branches().end(second, Decision.ABORTED);
      next.store().branches().end(second, Decision.ABORTED);
      assertTrue(next.hasBill(1));
      assertFalse(next.hasBill(2));
      assertThrows(DecisionStoreException.class, () -> next.store().branches().end(first, Decision.ABORTED), "it is committed");
      assertEquals(List.of(new KnownBranch(first, PARTICIPANT, true)), next.store().branches().known(null));
      next.store().branches().forget(first);
      assertEquals(List.of(), next.store().branches().known(null));
      assertEquals(Decision.COMMITTED, next.bill(2).commit(TestReplica.id(2, 1), TestReplica.NO_KEY, new byte[0]), "no lock is left");
    }
  }

  @ParameterizedTest
  @EnumSource
  void coordinatedTransactionsLeaveConnectionsForOthers(TestServer server) {
    server.up();
    try (TestReplica primary = new TestReplica(server.settings(group, server.port(), POOL), table)) {
      primary.createTable();
      primary.store().fence(1, null);
      List<DatabaseTransaction> open = new ArrayList<>();
      DecisionStoreException full = null;
      for (int client = 0; full == null && client < POOL; client++) {
        try {
          open.add(branch(primary, participant(client), client));
        } catch (DecisionStoreException e) {
          full = e;
        }
      }
      assertNotNull(full, "all connections are taken");
      assertTrue(full.getMessage().contains("understudy.database.pool"), full.getMessage());
      for (DatabaseTransaction one : open) {
        assertNotNull(one.prepare(), "its row needs another connection");
      }
      assertEquals(Decision.COMMITTED, primary.bill(POOL).commit(TestReplica.id(1, 1), TestReplica.NO_KEY, new byte[0]));
      for (int client = 0; client < open.size(); client++) {
        primary.store().branches().end(id(server, participant(client)), Decision.ABORTED);
      }
      branch(primary, participant(0), 0).rollback();
    }
  }

  private static ParticipantRecord participant(int client) {
    return new ParticipantRecord("urn:t", ("bank p" + client).getBytes(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @EnumSource
  void aBranchOrItsRowIsRequiredForACommit(TestServer server) {
    server.up();
    try (TestReplica primary = primary(server, server.port())) {
      Exception lost = assertThrows(
          StaleStoreException.class, () -> primary.store().branches().end(id(server, PARTICIPANT), Decision.COMMITTED));
      assertTrue(lost.getMessage().contains("restored from an old backup"), lost.getMessage());
      primary.store().branches().end(id(server, PARTICIPANT), Decision.ABORTED);
    }
  }

  @ParameterizedTest
  @EnumSource
  void anOldPrimaryPreparesNothingAfterTheFence(TestServer server) {
    server.up();
    try (TestReplica old = primary(server, server.port()); TestReplica next = new TestReplica(server.settings(group), table)) {
      DatabaseTransaction before = branch(old, PARTICIPANT, 1);
      next.store().fence(2, null);
      assertThrows(FencedException.class, before::prepare);
      assertEquals(List.of(), next.store().branches().known(null));
      next.bill(1).rollback();
    }
  }

  /** The old primary is stopped between the steps, and its successor ends what it finds. */
  @ParameterizedTest
  @EnumSource
  void anOldPrimaryPreparesNothingThatItsSuccessorHasEnded(TestServer server) {
    server.up();
    for (Failpoint step : List.of(Failpoint.BEFORE_MARK, Failpoint.BEFORE_PREPARE, Failpoint.AFTER_PREPARE)) {
      String bills = TestServer.name("bills");
      String name = TestServer.name("group");
      try (TestReplica old = new TestReplica(server.settings(name), bills);
          TestReplica next = new TestReplica(server.settings(name), bills)) {
        old.createTable();
        old.store().fence(1, null);
        old.at(step, () -> {
          next.store().fence(2, null);
          KnownBranch found = next.store().branches().known(null).get(0);
          next.store().branches().end(found.id(), Decision.ABORTED);
          assertEquals(List.of(), next.store().branches().known(null), step.toString());
        });
        DatabaseTransaction branch = branch(old, PARTICIPANT, 1);
        if (step == Failpoint.AFTER_PREPARE) {
          branch.prepare();
        } else {
          assertThrows(DecisionStoreException.class, branch::prepare, step.toString());
        }
        Decision own = next.bill(1).commit(TestReplica.id(2, 1), TestReplica.NO_KEY, new byte[0]);
        assertEquals(Decision.COMMITTED, own, "no lock is left " + step);
        assertThrows(StaleStoreException.class, () -> old.store().branches().end(id(server, PARTICIPANT), Decision.COMMITTED));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatIsNotPreparedIsRolledBack(TestServer server) throws IOException {
    server.up();
    try (Relay relay = new Relay(server.port()); TestReplica primary = primary(server, relay.port())) {
      DatabaseTransaction unchanged = primary.begin();
      unchanged.coordinate(PARTICIPANT);
      unchanged.query("SELECT * FROM " + table);
      assertNull(unchanged.prepare());
      branch(primary, PARTICIPANT, 1).rollback();
      primary.at(Failpoint.BEFORE_PREPARE, () -> {
        try {
          relay.kill();
        } catch (IOException e) {
          throw new AssertionError(e);
        }
      });
      assertThrows(DecisionStoreException.class, branch(primary, OTHER, 1)::prepare);
      try (TestReplica next = new TestReplica(server.settings(group), table)) {
        next.store().fence(2, null);
        next.store().branches().end(id(server, OTHER), Decision.ABORTED);
        assertEquals(Decision.COMMITTED, next.bill(1).commit(TestReplica.id(2, 1), TestReplica.NO_KEY, new byte[0]));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void thePoolGoesOnAfterBranches(TestServer server) {
    server.up();
    try (TestReplica primary = primary(server, server.port())) {
      for (int i = 1; i <= ROUNDS; i++) {
        ParticipantRecord participant = new ParticipantRecord("urn:t" + i, new byte[0]);
        BranchId id = branch(primary, participant, i).prepare();
        primary.store().branches().end(id, i % 2 == 0 ? Decision.COMMITTED : Decision.ABORTED);
        branch(primary, participant, ROUNDS + 1).rollback();
        assertEquals(i % 2 == 0, primary.hasBill(i), "bill " + i);
      }
      assertEquals(Decision.COMMITTED, primary.bill(ROUNDS + 1).commit(TestReplica.id(1, 1), TestReplica.NO_KEY, new byte[0]));
    }
  }

  @ParameterizedTest
  @EnumSource
  void groupsOfOneNameInTwoSchemasTakePartInOneTransaction(TestServer server) {
    server.up();
    try (TestReplica one = primary(server, server.port()); TestReplica other = inOtherSchema(server)) {
      BranchId first = branch(one, PARTICIPANT, 1).prepare();
      BranchId second = branch(other, PARTICIPANT, 1).prepare();
      assertNotEquals(first, second);
      one.store().branches().end(first, Decision.ABORTED);
      other.store().branches().end(second, Decision.COMMITTED);
      assertFalse(one.hasBill(1));
      assertTrue(other.hasBill(1));
    }
  }

  /** Their ids were the same for groups of one name in two schemas. */
  @ParameterizedTest
  @EnumSource
  void branchesOfAnEarlierVersionAreEndedByTheirGroupOnly(TestServer server) throws SQLException {
    server.up();
    try (TestReplica one = primary(server, server.port()); TestReplica other = inOtherSchema(server)) {
      BranchId first = former(one, PARTICIPANT, 1);
      BranchId second = former(one, OTHER, 2);
      DecisionTable.inTransaction(
          other.database().opened(), connection -> other.database().opened().branches().insert(connection, first, 0, PARTICIPANT));
      other.store().branches().end(first, Decision.ABORTED);
      assertEquals(List.of(), other.store().branches().known(null));
      one.store().branches().end(first, Decision.COMMITTED);
      one.store().branches().end(second, Decision.ABORTED);
      assertTrue(one.hasBill(1));
      assertFalse(one.hasBill(2));
    }
  }

  private TestReplica inOtherSchema(TestServer server) {
    TestReplica other = new TestReplica(server.settingsInOtherSchema(group), table);
    other.createTable();
    other.store().fence(1, null);
    return other;
  }

  /** Prepares a branch as versions did that did not distinguish schemas. */
  private static BranchId former(TestReplica replica, ParticipantRecord participant, int client) throws SQLException {
    BranchId id = BranchId.of(1, participant);
    Database.Opened opened = replica.database().opened();
    DecisionTable.inTransaction(opened, connection -> opened.branches().insert(connection, id, 0, participant));
    // In H2 it stays open.
    @SuppressWarnings("resource")
    Connection connection = opened.connections().connection();
    opened.prepared().start(connection, id);
    try (Statement insert = connection.createStatement()) {
      insert.execute("INSERT INTO " + replica.table() + " VALUES (" + client + ", 0)");
    }
    opened.branches().mark(connection, id);
    opened.prepared().prepare(connection, id);
    if (opened.connections().product() != Product.H2) {
      opened.connections().detach(connection);
    }
    return id;
  }

  /** H2 lets every user prepare branches, and administrators alone end them. Another user is refused when the database is opened. */
  @Test
  void aUserOfH2ThatCouldNotEndBranchesIsRefused() throws SQLException {
    DatabaseSettings settings = TestServer.H2.up().settings(group);
    try (Connection administrator = DriverManager.getConnection(settings.url(), settings.user(), "");
        Statement statement = administrator.createStatement()) {
      statement.execute("CREATE USER IF NOT EXISTS CLERK PASSWORD ''");
    }
    DatabaseSettings clerk =
        new DatabaseSettings(group, settings.url(), "CLERK", "", 16, DatabaseSettings.Tls.DISABLED, null, null, 100, 500);
    try (TestReplica replica = new TestReplica(clerk, table)) {
      Exception refused = assertThrows(DecisionStoreException.class, () -> replica.store().fence(1, null));
      assertTrue(refused.getMessage().contains("ALTER USER"), refused.getMessage());
    }
  }

  /** A successor reads them in pages. */
  @ParameterizedTest
  @EnumSource
  void manyBranchesAreReadInPages(TestServer server) throws SQLException {
    server.up();
    try (TestReplica primary = primary(server, server.port())) {
      Database.Opened opened = primary.database().opened();
      int count = 2 * BranchStore.PAGE + 1;
      DecisionTable.inTransaction(opened, connection -> {
        for (int i = 0; i < count; i++) {
          opened.branches().insert(connection, id(server, participant(i)), 0, participant(i));
        }
        return true;
      });
      Set<BranchId> found = new HashSet<>();
      BranchStore branches = primary.store().branches();
      for (List<KnownBranch> page = branches.known(null); !page.isEmpty(); page = branches.known(page.get(page.size() - 1).id())) {
        assertTrue(page.size() <= BranchStore.PAGE);
        page.forEach(one -> assertTrue(found.add(one.id())));
      }
      assertEquals(count, found.size());
    }
  }
}
