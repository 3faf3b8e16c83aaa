package org.understudy.durability.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Actions and transactions of all three mechanisms together (Zhang 2006, section IV.C.2). */
class TransactionTest {
  private final FakeDatabase database = new FakeDatabase();
  private final HomeStub container = new HomeStub();
  private final Objects here = new Objects();
  private final Objects elsewhere = new Objects();

  /** The proxies of one replica. */
  private final class Objects {
    final DurableObjects all = new DurableObjects(container.home());
    final MachineQueueProxy machines = all.add(new MachineQueueProxy(new MachineQueueState()));
    final AccountSetProxy accounts = all.add(new AccountSetProxy(database));
    final MachineQueueReconstruction idle = all.add(new MachineQueueReconstruction());

    /** Changes all objects in one operation. */
    void operation(String name) {
      all.startA();
      machines.insert(new Machine(name, 1));
      accounts.insertBill(name, 1);
      idle.insert(new Machine(name, 1));
      all.commitA();
    }

    /** Changes all objects, and fails. */
    void failingOperation(String name) {
      all.startA();
      machines.insert(new Machine(name, 1));
      accounts.insertBill(name, 1);
      idle.insert(new Machine(name, 1));
      all.abortA();
    }
  }

  @BeforeEach
  void begin() {
    container.begin(here.all);
  }

  private byte[] commit() {
    byte[] update = container.end();
    database.actions.stream().filter(work -> !work.ended).forEach(FakeDatabase.Work::commit);
    return update;
  }

  /** The container rolls the branch of an aborted transaction back. */
  private void rollBackBranch() {
    database.actions.stream().filter(work -> !work.ended).forEach(FakeDatabase.Work::rollback);
  }

  @Test
  void commitFlushesWhatAllOperationsOfTheTransactionDid() {
    here.operation("before");
    commit();
    here.all.startTA("t");
    here.all.enter("t");
    here.operation("a");
    assertEquals(0, container.end().length, "nothing travels before the end");
    here.operation("b");
    assertEquals(0, container.end().length);
    here.all.leave();
    assertEquals(Map.of("before", 1), database.committed);

    here.all.commitTA("t");
    assertTrue(commit().length > 0);
    assertEquals(Map.of("before", 1, "a", 1, "b", 1), database.committed);
    container.restore(elsewhere.all);
    assertEquals(List.of("before", "a", "b"), elsewhere.machines.ids());
    assertEquals(1, elsewhere.accounts.balance("b"));
    assertEquals(List.of(), elsewhere.idle.ids(), "reconstructed by its users");
    assertEquals(2, database.actions.size(), "one for the operation before, and one for all of the transaction");
  }

  @Test
  void aReadAfterARejectedStatementShowsWhatIsWritten() throws Exception {
    here.all.startA();
    here.accounts.insertBill("a", 100);
    here.all.commitA();
    commit();
    here.all.startA();
    database.rejectsNext = true;
    assertThrows(IllegalStateException.class, () -> here.accounts.insertBill("a", 5));
    assertEquals(100, here.accounts.balance("a"), "not what the object's method did before the statement failed");
    here.accounts.charge("a", 5);
    assertEquals(105, here.accounts.balance("a"));
    here.all.commitA();
    commit();
    assertEquals(Map.of("a", 105), database.committed);
    assertEquals(105, here.accounts.balance("a"));
  }

  @Test
  void anOperationLoadsAStaleObjectInItsOwnDatabaseTransaction() {
    here.operation("a");
    commit();
    container.restore(elsewhere.all);
    elsewhere.all.startA();
    assertEquals(1, elsewhere.accounts.balance("a"));
    elsewhere.accounts.insertBill("b", 1);
    elsewhere.all.commitA();
    assertEquals(0, database.reads, "a lost connection would end no branch, and one connection would not suffice");
    assertEquals(2, database.actions.size());
    container.restore(here.all);
    assertEquals(1, here.accounts.balance("a"));
  }

  @Test
  void abortRestoresTheCheckpointOfEachObject() {
    here.operation("before");
    commit();
    here.all.startTA("t");
    here.all.enter("t");
    here.all.startA();
    here.machines.shuffle();
    here.all.commitA();
    here.operation("a");
    here.all.leave();
    here.all.abortTA("t");
    rollBackBranch();
    assertEquals(0, commit().length);
    assertEquals(List.of("before"), here.machines.ids());
    assertEquals(0, here.accounts.balance("a"));
    assertEquals(Map.of("before", 1), database.committed);
    assertEquals(List.of(), here.idle.ids(), "aborting a reconstruction object empties it");
    here.operation("after");
    commit();
    container.restore(elsewhere.all);
    assertEquals(List.of("before", "after"), elsewhere.machines.ids());
  }

  @Test
  void anAbortKeepsWhatTheTransactionDidNotTouch() {
    here.all.startA();
    here.idle.insert(new Machine("i", 1));
    here.all.commitA();
    commit();
    here.all.startTA("t");
    here.all.enter("t");
    here.all.startA();
    here.machines.insert(new Machine("a", 1));
    here.all.commitA();
    here.all.abortTA("t");
    assertEquals(List.of("i"), here.idle.ids());
    assertEquals(List.of(), here.machines.ids());
  }

  @Test
  void anObjectInATransactionIsLockedForOthers() {
    here.all.startTA("t");
    assertThrows(LockedObjectException.class, () -> here.operation("a"));
    assertThrows(LockedObjectException.class, () -> here.all.startTA("other"));
    here.all.enter("other");
    assertThrows(LockedObjectException.class, () -> here.operation("a"));
    here.all.enter("t");
    here.operation("b");
    here.all.startTA("t");
    here.all.leave();
    assertThrows(IllegalStateException.class, () -> here.all.commitTA("other"));
    here.all.abortTA("other");
    here.all.commitTA("t");
    assertEquals(List.of("b"), here.machines.ids());
    here.operation("c");
    assertEquals(List.of("b", "c"), here.machines.ids());
  }

  @Test
  void anOperationOfATransactionThatHasEndedIsRefused() {
    here.all.startTA("t");
    here.all.commitTA("t");
    here.all.enter("t");
    assertThrows(IllegalStateException.class, () -> here.operation("late"));
    assertEquals(List.of(), here.machines.ids());
  }

  @Test
  void afterAFailedOperationTheTransactionCanOnlyAbort() {
    here.operation("before");
    commit();
    here.all.startTA("t");
    here.all.enter("t");
    here.operation("a");
    here.failingOperation("b");
    assertFalse(container.isDiscarded(), "the transaction undoes it");
    assertThrows(IllegalStateException.class, () -> here.all.commitTA("t"));
    here.all.leave();
    assertThrows(LockedObjectException.class, () -> here.operation("c"), "until the coordinator ends it");
    here.all.abortTA("t");
    assertEquals(List.of("before"), here.machines.ids());
    here.operation("d");
    assertEquals(List.of("before", "d"), here.machines.ids());
  }

  /** A failover or a rollback by the container: what no replica has committed is gone, here too. */
  @Test
  void aRestoredStateEndsTheTransaction() {
    here.operation("before");
    commit();
    here.all.startTA("t");
    here.all.enter("t");
    here.operation("a");
    here.all.leave();
    rollBackBranch();
    container.restore(here.all);
    assertEquals(List.of("before"), here.machines.ids());
    assertThrows(IllegalStateException.class, () -> here.all.commitTA("t"));
    here.operation("b");
    commit();
    assertEquals(Map.of("before", 1, "b", 1), database.committed);
  }

  /** The container may want the whole state at any time: it must not see what a transaction has not committed. */
  @Test
  void aWholeStateDoesNotHoldAnOpenTransaction() {
    here.operation("before");
    commit();
    here.all.startTA("t");
    here.all.enter("t");
    here.operation("a");
    elsewhere.all.restoreState(here.all.captureState());
    assertEquals(List.of("before"), elsewhere.machines.ids());
    here.all.commitTA("t");
    elsewhere.all.applyUpdate(here.all.captureUpdate());
    assertEquals(List.of("before", "a"), elsewhere.machines.ids());
  }

  @Test
  void anActionWithinAnActionJoinsIt() {
    here.all.startA();
    here.operation("inner");
    here.machines.insert(new Machine("outer", 1));
    here.all.commitA();
    commit();
    container.restore(elsewhere.all);
    assertEquals(List.of("inner", "outer"), elsewhere.machines.ids());
    assertEquals(1, database.actions.size());
  }

  @Test
  void anInnerActionThatFailedUndoesTheOuterOne() {
    here.all.startA();
    here.machines.insert(new Machine("outer", 1));
    here.failingOperation("inner");
    assertThrows(IllegalStateException.class, here.all::commitA);
    assertTrue(container.isDiscarded());
    commit();
    assertEquals(List.of(), here.machines.ids());
    assertThrows(IllegalStateException.class, here.all::commitA);
    here.operation("next");
    assertEquals(List.of("next"), here.machines.ids());
  }

  @Test
  void argumentsTravelAsTheyWereBeforeTheCall() {
    List<Machine> more = new ArrayList<>(List.of(new Machine("a", 1), new Machine("b", 2)));
    here.all.startA();
    here.machines.insertAll(more);
    here.all.commitA();
    assertEquals(List.of(), more, "the method takes them out");
    commit();
    container.restore(elsewhere.all);
    assertEquals(List.of("a", "b"), elsewhere.machines.ids());
  }

  @Test
  void aCapturedMethodMakesTheWholeObjectTravel() {
    here.all.startA();
    for (int i = 0; i < 20; i++) {
      here.machines.insert(new Machine("m" + i, i));
    }
    here.machines.shuffle();
    here.machines.insert(new Machine("last", 1));
    here.all.commitA();
    commit();
    container.restore(elsewhere.all);
    assertEquals(here.machines.ids(), elsewhere.machines.ids());
  }

  @Test
  void veryManyCallsTravelAsTheWholeObject() {
    here.all.startA();
    for (int i = 0; i < 3_000; i++) {
      here.machines.insert(new Machine("m" + i, i));
    }
    here.all.commitA();
    commit();
    container.restore(elsewhere.all);
    assertEquals(3_000, elsewhere.machines.ids().size());
  }

  @Test
  void anUpdateOfASmallObjectHasTensOfBytes() {
    here.all.startA();
    here.machines.insert(new Machine("m1", 512));
    here.all.commitA();
    int bytes = commit().length;
    assertTrue(bytes < 30, bytes + " bytes");
  }

  /** A deposed primary has changed objects that the new one has changed otherwise. */
  @Test
  void aReplicaThatTakesOverAgainLoadsItsLocalObjects() {
    here.operation("lost");
    database.actions.get(0).rollback();
    assertEquals(List.of("lost"), here.idle.ids());
    container.restore(elsewhere.all);
    elsewhere.operation("won");
    database.actions.get(1).commit();
    byte[] update = elsewhere.all.captureUpdate();

    container.restore(here.all);
    here.all.applyUpdate(update);
    assertEquals(List.of("won"), here.machines.ids());
    assertEquals(List.of(), here.idle.ids());
    assertEquals(0, here.accounts.balance("lost"));
    assertEquals(1, here.accounts.balance("won"));
  }

  @Test
  void aMethodOfADatabaseObjectThatThrowsWritesNothing() {
    here.all.startA();
    assertThrows(UnknownMachineException.class, () -> here.accounts.charge("x", 5));
    here.all.commitA();
    commit();
    assertEquals(Map.of(), database.committed);
    assertEquals(0, here.accounts.balance("x"), "loaded again");
  }

  @Test
  void aMethodAfterOneThatThrewFindsWhatTheActionHasWritten() {
    for (String transaction : new String[] {null, "t"}) {
      if (transaction != null) {
        here.all.startTA(transaction);
        here.all.enter(transaction);
      }
      String client = "of " + transaction;
      here.all.startA();
      here.accounts.insertBill(client, 1);
      assertThrows(UnknownMachineException.class, () -> here.accounts.charge("unknown", 5));
      here.accounts.insertBill(client + " too", 2);
      assertEquals(0, here.accounts.balance("unknown"));
      assertEquals(1, here.accounts.balance(client));
      here.all.commitA();
      if (transaction != null) {
        here.all.leave();
        here.all.commitTA(transaction);
      }
      commit();
      assertEquals(0, here.accounts.balance("unknown"));
      assertEquals(2, here.accounts.balance(client + " too"));
    }
    assertEquals(Set.of("of null", "of null too", "of t", "of t too"), database.committed.keySet());
  }

  @Test
  void damagedAndForeignBytesAreRefused() {
    here.operation("a");
    byte[] update = here.all.captureUpdate();
    byte[] whole = here.all.captureState();
    for (byte[] bytes : List.of(update, whole)) {
      for (int i = 0; i < bytes.length; i++) {
        byte[] damaged = bytes.clone();
        damaged[i] ^= 0x41;
        try {
          if (bytes == update) {
            elsewhere.all.applyUpdate(damaged);
          } else {
            elsewhere.all.restoreState(damaged);
          }
        } catch (IllegalArgumentException expected) {
          assertFalse(expected.getMessage().isEmpty());
        }
        int length = i;
        if (length < 16) {
          assertThrows(IllegalArgumentException.class, () -> elsewhere.all.restoreState(java.util.Arrays.copyOf(whole, length)));
        }
      }
    }
    DurableObjects other = new DurableObjects(container.home());
    other.add(new MachineQueueProxy(new MachineQueueState()));
    assertThrows(IllegalArgumentException.class, () -> other.restoreState(whole));
    assertThrows(IllegalArgumentException.class, () -> other.applyUpdate(update));
  }
}
