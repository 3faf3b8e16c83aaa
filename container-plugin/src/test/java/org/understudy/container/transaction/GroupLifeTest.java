package org.understudy.container.transaction;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.update.StateChange;

class GroupLifeTest {
  private static final String IDS = "urn:understudy:transaction:a.bank:";

  private final List<StateChange> updates = new ArrayList<>();
  private final List<String> ids = new ArrayList<>();
  private CompletableFuture<Failure> stored = new CompletableFuture<>();
  private byte[] state;
  private long epoch = 1;
  private final CommittedTransactions committed = new CommittedTransactions(() -> 0);

  private final GroupLife life =
      new GroupLife(
          new GroupLife.Group() {
            @Override
            public byte[] life() {
              return state;
            }

            @Override
            public long epoch() {
              return epoch;
            }

            @Override
            public CompletableFuture<Failure> update(StateChange change) {
              assertEquals(GroupLife.KEY, change.resource());
              updates.add(change);
              return stored;
            }
          },
          IDS, committed);

  private void commit(String id) {
    committed.changes(id).forEach(change -> committed.onChange(change.resource(), change.state()));
  }

  private void begin() {
    life.next(Runnable::run, ids::add);
  }

  private void store() {
    state = updates.get(updates.size() - 1).state();
    stored.complete(null);
    stored = new CompletableFuture<>();
  }

  private String begun() {
    begin();
    if (ids.isEmpty()) {
      store();
    }
    return ids.remove(0);
  }

  @Test
  void noIdIsGivenOutBeforeTheLifeIsStable() {
    begin();
    begin();
    assertEquals(List.of(), ids);
    assertEquals(1, updates.size(), "drawn once");
    store();
    assertEquals(2, ids.size());
    assertNotEquals(ids.get(0), ids.get(1));
    for (String id : ids) {
      assertTrue(id.startsWith(IDS) && id.length() < 120, id);
      assertFalse(life.hasLost(id), id);
    }
    begin();
    assertEquals(3, ids.size());
    assertEquals(1, updates.size());
  }

  @Test
  void aLifeThatIsNotStoredIsDrawnAgain() {
    begin();
    CompletableFuture<Failure> first = stored;
    stored = new CompletableFuture<>();
    first.complete(new Failure(FailureCode.NoQuorum, "No majority."));
    assertNull(ids.remove(0));
    assertFalse(life.hasLost(begun()));
    assertEquals(2, updates.size());
  }

  @Test
  void anIdOfAnotherMemoryIsLost() {
    String id = begun();
    state = null;
    assertTrue(life.hasLost(id), "the group has no life yet");
    assertFalse(life.hasLost(begun()));
    assertTrue(life.hasLost(id));
    assertFalse(life.hasLost("urn:understudy:transaction:shop:1"), "begun elsewhere");
    assertEquals(FailureCode.TransactionOutcomeUnknown, life.unknown(id).failure().code());
    assertEquals(FailureCode.TransactionAborted, life.unknown(begun()).failure().code());
  }

  /** By its epoch a group may have been recovered from a replica that lacked the last updates. */
  @Test
  void anOperatorsRecoveryBeginsAnotherLife() {
    String id = begun();
    epoch = 400;
    assertFalse(life.hasLost(id), "failovers");
    assertFalse(life.hasLost(begun()));
    epoch = 1_000_000;
    assertTrue(life.hasLost(id));
    String next = begun();
    assertFalse(life.hasLost(next));
    assertTrue(life.hasLost(id));
  }

  /** What an earlier version has begun, without a life. */
  @Test
  void idsWithoutALifeAreOfAMemoryThatKnowsACommit() {
    String old = IDS + "0123456789abcdef0123456789abcdef";
    assertTrue(life.hasLost(old));
    commit("t");
    assertFalse(life.hasLost(old));
    begun();
    assertFalse(life.hasLost(old));
    state = null;
    committed.onReset();
    begun();
    commit("t");
    assertTrue(life.hasLost(old));
  }

  @Test
  void anIdOfBeforeWhatIsForgottenIsUnknown() {
    String old = begun();
    String unmarked = old.substring(0, old.lastIndexOf('.') - 2) + old.substring(old.lastIndexOf('.'));
    commit("t");
    String second = begun();
    for (int i = 2; i <= CommittedTransactions.MAX; i++) {
      commit("t" + i);
    }
    assertTrue(committed.contains("t"));
    assertEquals(FailureCode.TransactionAborted, life.unknown(old).failure().code(), "all commits are known");
    assertEquals(FailureCode.TransactionAborted, life.unknown(unmarked).failure().code());
    commit("later");
    assertFalse(committed.contains("t"));
    assertEquals(FailureCode.TransactionOutcomeUnknown, life.unknown(old).failure().code(), "it may be the one that is forgotten");
    assertEquals(FailureCode.TransactionOutcomeUnknown, life.unknown(unmarked).failure().code(), "begun by an earlier version");
    assertEquals(FailureCode.TransactionAborted, life.unknown(second).failure().code(), "it was begun after the one that is forgotten");
    assertEquals(FailureCode.TransactionAborted, life.unknown("urn:understudy:transaction:shop:1").failure().code(), "begun elsewhere");
    commit("last");
    assertEquals(FailureCode.TransactionOutcomeUnknown, life.unknown(second).failure().code());
    assertEquals(FailureCode.TransactionAborted, life.unknown(begun()).failure().code());
  }
}
