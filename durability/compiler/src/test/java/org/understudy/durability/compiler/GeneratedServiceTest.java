package org.understudy.durability.compiler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.understudy.durability.compiler.shop.Declined;
import org.understudy.durability.compiler.shop.Item;
import org.understudy.durability.compiler.shop.OutOfStock;
import org.understudy.durability.proxy.DurableDatabaseService;

/** The generated shop behaves the same with every mapping, and another replica reaches the same state. */
class GeneratedServiceTest {
  private static final Map<String, Class<?>> TYPES = new HashMap<>();

  @TempDir private static Path directory;

  /** A primary and a backup of one group. */
  private static final class Group implements AutoCloseable {
    final String mapping;
    final TestDatabase database = new TestDatabase();
    final Replica container = new Replica(database);
    final GeneratedShop primary;
    final GeneratedShop backup;

    Group(String mapping) throws Exception {
      this.mapping = mapping;
      Class<?> type = TYPES.get(mapping);
      if (type == null) {
        type = GeneratedShop.compiled(mapping, directory.resolve(mapping));
        TYPES.put(mapping, type);
      }
      primary = GeneratedShop.of(type, container.home(), database);
      backup = GeneratedShop.of(type, new Replica(database).home(), database);
      primary.service().durableObjects().recover();
      container.begin(primary.service());
    }

    /** What the primary shows is what the backup shows after a failover. */
    void check(String expected) throws Exception {
      assertEquals(expected, primary.call("state", "ann"), "primary");
      container.restore(backup.service());
      if (backup.service() instanceof DurableDatabaseService loaded) {
        loaded.reload();
      }
      boolean lost = mapping.equals("captured") || mapping.equals("mixed");
      String visitors = lost ? expected.replaceAll("\\d+$", "0") : expected;
      assertEquals(visitors, backup.call("state", "ann"), "backup");
    }

    @Override
    public void close() throws SQLException {
      database.close();
    }
  }

  private static String names(Group group, String names) {
    return group.mapping.equals("captured") && !names.contains("bread")
        ? "[bread" + (names.equals("[]") ? "" : ", ") + names.substring(1)
        : names;
  }

  @ParameterizedTest
  @ValueSource(strings = {"replication", "captured", "mixed", "database"})
  void internalCallsSeveralObjectsAndOneObjectTwice(String mapping) throws Exception {
    try (Group group = new Group(mapping)) {
      assertEquals(7, group.primary.call("restock", "milk", 4));
      assertTrue(group.container.end());
      assertEquals(2L, group.primary.call("buy", "ann", "milk", 2));
      assertTrue(group.container.end());
      assertEquals(3L, group.primary.call("buy", "ann", "milk", 1));
      assertTrue(group.container.end());
      group.check(names(group, "[milk]") + " 3 2");
      assertEquals(4, group.backup.call("look", "milk"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"replication", "captured", "mixed", "database"})
  void aDeclaredFaultKeepsWhatWasDone(String mapping) throws Exception {
    try (Group group = new Group(mapping)) {
      OutOfStock fault = assertThrows(OutOfStock.class, () -> group.primary.call("buy", "ann", "beer", 1));
      assertEquals("The shop has not 1 beer.", fault.getMessage());
      assertTrue(group.container.end());
      group.check(names(group, "[]") + " 0 1");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"replication", "captured", "mixed", "database"})
  void theMappingUndoesADeclaredFault(String mapping) throws Exception {
    try (Group group = new Group(mapping)) {
      assertEquals("Not thirteen.", assertThrows(Declined.class, () -> group.primary.call("buy", "ann", "beer", 13)).getMessage());
      assertFalse(group.container.end());
      group.check(names(group, "[]") + " 0 0");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"replication", "captured", "mixed", "database"})
  void anyOtherExceptionUndoesAllObjects(String mapping) throws Exception {
    try (Group group = new Group(mapping)) {
      group.primary.call("restock", "milk", 4);
      group.container.end();
      assertThrows(IllegalArgumentException.class, () -> group.primary.call("lend", "ann", "milk"));
      assertFalse(group.container.end());
      assertEquals(7, group.primary.call("look", "milk"));
      // A reconstruction object that was changed is empty after an undo.
      boolean emptied = mapping.equals("captured") || mapping.equals("mixed");
      group.check(names(group, "[milk]") + " 0 " + (emptied ? 0 : 1));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"replication", "captured", "mixed", "database"})
  void theMappingKeepsAnExceptionThatIsNotDeclared(String mapping) throws Exception {
    try (Group group = new Group(mapping)) {
      assertThrows(IllegalStateException.class, () -> group.primary.call("visit", "ann"));
      assertTrue(group.container.end());
      group.check(names(group, "[flyer]").replace("[bread, flyer]", "[bread, flyer]") + " 0 1");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"replication", "captured", "mixed", "database"})
  void readsNeedNoActionAndAnUpdateInOneIsRefused(String mapping) throws Exception {
    try (Group group = new Group(mapping)) {
      assertEquals(0, group.primary.call("look", "milk"));
      assertEquals(group.mapping.equals("captured") ? List.of("bread") : List.of(), group.primary.call("list"));
      IllegalStateException refused = assertThrows(IllegalStateException.class, () -> group.primary.call("wrong", "milk"));
      assertTrue(refused.getMessage().contains("stock"), refused.getMessage());
      assertEquals(0, group.container.bytes());
      assertEquals(0, group.database.actions());
      group.check(names(group, "[]") + " 0 0");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"replication", "captured", "mixed", "database"})
  void anOperationThatChangesNothingWritesNothing(String mapping) throws Exception {
    try (Group group = new Group(mapping)) {
      assertEquals(false, group.primary.call("discard", "milk"));
      group.container.end();
      assertEquals(List.of(), group.database.statements());
      group.primary.call("restock", "milk", 4);
      group.container.end();
      assertEquals(true, group.primary.call("discard", "milk"));
      group.container.end();
      group.check(names(group, "[]") + " 0 1");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"mixed", "database"})
  void oneActionHasOneDatabaseTransaction(String mapping) throws Exception {
    try (Group group = new Group(mapping)) {
      group.primary.call("restock", "milk", 4);
      assertEquals(1, group.database.actions());
      long items = group.database.statements().stream().filter(each -> each.contains("items")).count();
      long bills = group.database.statements().stream().filter(each -> each.contains("bills")).count();
      assertEquals(mapping.equals("database") ? 4 : 0, items);
      assertEquals(1, bills);
    }
  }

  @ParameterizedTest
  @CsvSource({"mixed,6", "database,19"})
  void allStatementsAreCheckedBeforeTheService(String mapping, int arguments) throws Exception {
    try (Group group = new Group(mapping)) {
      assertEquals(arguments, group.database.checked());
      assertEquals(0, group.database.actions());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"database"})
  void valuesReachTheTables(String mapping) throws Exception {
    try (Group group = new Group(mapping)) {
      group.primary.call("restock", "milk", 4);
      group.container.end();
      Object[] row = group.database.query("SELECT name, amount, kind FROM items").get(0);
      assertEquals(List.of("milk", 7, Item.Kind.COLD.name()), List.of(row));
      group.primary.call("discard", "milk");
      group.container.end();
      assertEquals(List.of("milk", "COLD"), List.of(group.database.query("SELECT name, kind FROM removed").get(0)));
    }
  }
}
