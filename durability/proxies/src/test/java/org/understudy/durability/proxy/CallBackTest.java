package org.understudy.durability.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An update of a database object calls another object, which calls it back. */
class CallBackTest {
  private final FakeDatabase database = new FakeDatabase();
  private final HomeStub container = new HomeStub();
  private final DurableObjects objects = new DurableObjects(container.home());
  private final AccountSetProxy accounts = objects.add(new AccountSetProxy(database));

  @BeforeEach
  void begin() {
    container.begin(objects);
    objects.startA();
    accounts.insertBill("before", 1);
  }

  private void commit() {
    objects.commitA();
    container.end();
    database.actions.stream().filter(work -> !work.ended).forEach(FakeDatabase.Work::commit);
  }

  @Test
  void aReadShowsWhatTheUpdateHasChangedSoFar() {
    int[] seen = new int[1];
    accounts.insertBillWith("a", 5, () -> seen[0] = accounts.balance("a") + accounts.balance("before"));
    assertEquals(6, seen[0]);
    commit();
    assertEquals(Map.of("before", 1, "a", 5), database.committed);
    assertEquals(5, accounts.balance("a"), "memory and database agree");
  }

  @Test
  void anUpdateIsRefused() {
    IllegalStateException refusal =
        assertThrows(IllegalStateException.class, () -> accounts.insertBillWith("a", 5, () -> accounts.insertBill("a", 7)));
    assertEquals(
        "An update method of the state object accounts was called while another one of it is running, by an object that this one calls. The"
            + " inner call changed nothing, because the database would get its statements first. Let the service call both methods, one"
            + " after the other.",
        refusal.getMessage());
    assertEquals(0, accounts.balance("a"), "the outer method has thrown");
    accounts.insertBill("a", 9);
    commit();
    assertEquals(Map.of("before", 1, "a", 9), database.committed);
    assertEquals(9, accounts.balance("a"));
  }

  @Test
  void aRefusalThatTheObjectCatchesLeavesMemoryAndDatabaseEqual() {
    accounts.insertBillWith("a", 5, () -> assertThrows(IllegalStateException.class, () -> accounts.insertBill("a", 7)));
    assertEquals(5, accounts.balance("a"));
    commit();
    assertEquals(Map.of("before", 1, "a", 5), database.committed);
    assertEquals(5, accounts.balance("a"));
  }
}
