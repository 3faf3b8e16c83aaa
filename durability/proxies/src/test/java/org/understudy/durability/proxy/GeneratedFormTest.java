package org.understudy.durability.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A service in the form that the compiler generates: replicated and database objects in one operation. */
class GeneratedFormTest {
  private final FakeDatabase database = new FakeDatabase();
  private final HomeStub container = new HomeStub();
  private final DurablePool primary = new DurablePool(container.home(), database);
  private final DurablePool backup = new DurablePool(container.home(), database);

  @BeforeEach
  void begin() {
    container.begin(primary);
  }

  /** Commits the database part as the container does. */
  private byte[] commit() {
    byte[] update = container.end();
    database.actions.forEach(work -> {
      if (!work.ended) {
        work.commit();
      }
    });
    return update;
  }

  @Test
  void oneObjectTwiceAndAnotherOneInOneMethod() {
    assertEquals(2, primary.advertise(List.of(new Machine("a", 1), new Machine("b", 2))));
    byte[] update = commit();

    assertEquals(1, database.actions.size(), "one transaction an operation");
    assertEquals(List.of("INSERT INTO bills VALUES (?, ?)"), database.actions.get(0).statements);
    assertTrue(update.length < 60, update.length + " bytes");
    container.restore(backup);
    assertEquals(List.of("a", "b"), backup.list());
    assertEquals(2, ((AccountSetProxy) proxy(backup, 1)).balance("advertisers"), "loaded from the database");
  }

  private static Object proxy(DurablePool pool, int number) {
    return pool.durableObjects().proxy(number);
  }

  @Test
  void aDeclaredFaultKeepsWhatWasDone() {
    assertThrows(UnknownMachineException.class, () -> primary.release("x"));
    assertFalse(container.isDiscarded());
    commit();
    assertEquals(Map.of("x", 1), database.committed);
    container.restore(backup);
    assertEquals(1, ((MachineQueueState) ((MachineQueueProxy) proxy(backup, 0)).object()).changes(), "changed before it threw");
  }

  @Test
  void anotherExceptionUndoesAllObjects() {
    primary.advertise(List.of(new Machine("a", 1)));
    commit();
    assertThrows(IllegalArgumentException.class, () -> primary.fail(new Machine("b", 2)));
    database.actions.get(1).rollback();
    assertEquals(0, commit().length);
    assertEquals(List.of("a"), primary.list());
    assertEquals(0, ((AccountSetProxy) proxy(primary, 1)).balance("nobody"));
  }

  @Test
  void aReadNeedsNoActionAndAnUpdateInOneIsRefused() {
    assertEquals(List.of(), primary.list());
    IllegalStateException refused = assertThrows(IllegalStateException.class, () -> primary.changeInRead(new Machine("a", 1)));
    assertTrue(refused.getMessage().contains("machines"), refused.getMessage());
    assertEquals(List.of(), primary.list());
    assertEquals(0, commit().length);
  }

  @Test
  void theTablesAreCreatedByTheReplicaThatTakesOver() {
    backup.reload();
    assertEquals(1, database.initialized.size());
    assertEquals(1, database.reads);
  }

  @Test
  void aBackupPreparesWhatNeedsNoFence() {
    assertFalse(backup.prepareDatabase(), "the tables do not exist");
    assertEquals(0, database.initialized.size(), "a backup creates none");
    primary.reload();
    assertTrue(backup.prepareDatabase());
    backup.reload();
    backup.reload();
    assertEquals(1, database.initialized.size());
    assertEquals(2, database.checks, "once at each replica");
    assertEquals(3, database.reads, "the object is loaded at each promotion");
  }
}
