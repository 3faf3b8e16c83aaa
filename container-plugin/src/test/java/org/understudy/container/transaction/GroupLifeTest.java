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
import org.understudy.container.transaction.TransactionTable.Fate;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.update.StateChange;

class GroupLifeTest {
  private static final String IDS = "urn:understudy:transaction:a.bank:";

  private final List<StateChange> updates = new ArrayList<>();
  private final List<String> ids = new ArrayList<>();
  private CompletableFuture<Failure> stored = new CompletableFuture<>();
  private long epoch = 1;
  private final TransactionTable table = new TransactionTable(IDS, () -> epoch);
  private final GroupLife life = new GroupLife(IDS, table, change -> {
    assertEquals(TransactionTable.LIFE, change.resource());
    updates.add(change);
    return stored;
  });

  private void commit(String id) {
    table.changes(id).forEach(change -> table.onChange(change.resource(), change.state()));
  }

  private boolean isCommitted(String id) {
    return table.find(id).fate() == Fate.COMMITTED;
  }

  private boolean isLost(String id) {
    return table.find(id).fate() == Fate.LOST;
  }

  private FailureCode code(String id) {
    return table.find(id).refusal(id, "").failure().code();
  }

  private void begin() {
    life.next(Runnable::run, ids::add);
  }

  private void store() {
    StateChange drawn = updates.get(updates.size() - 1);
    table.onChange(drawn.resource(), drawn.state());
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
      assertFalse(isLost(id), id);
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
    assertFalse(isLost(begun()));
    assertEquals(2, updates.size());
  }

  @Test
  void anIdOfAnotherMemoryIsLost() {
    String id = begun();
    table.onReset();
    assertTrue(isLost(id), "the group has no life yet");
    assertFalse(isLost(begun()));
    assertTrue(isLost(id));
    assertFalse(isLost("urn:understudy:transaction:shop:1"), "begun elsewhere");
    assertEquals(FailureCode.TransactionOutcomeUnknown, code(id));
    assertEquals(FailureCode.TransactionAborted, code(begun()));
  }

  /** By its epoch a group may have been recovered from a replica that lacked the last updates. */
  @Test
  void anOperatorsRecoveryBeginsAnotherLife() {
    String id = begun();
    epoch = 400;
    assertFalse(isLost(id), "failovers");
    assertFalse(isLost(begun()));
    epoch = 1_000_000;
    assertTrue(isLost(id));
    String next = begun();
    assertFalse(isLost(next));
    assertTrue(isLost(id));
  }

  /** What an earlier version has begun, without a life. */
  @Test
  void idsWithoutALifeAreOfAMemoryThatKnowsACommit() {
    String old = IDS + "0123456789abcdef0123456789abcdef";
    assertTrue(isLost(old));
    commit("t");
    assertFalse(isLost(old));
    begun();
    assertFalse(isLost(old));
    table.onReset();
    begun();
    commit("t");
    assertTrue(isLost(old));
  }

  @Test
  void anIdOfBeforeWhatIsForgottenIsUnknown() {
    begun();
    commit("first in the epoch");
    table.onChange(TransactionTable.PREFIX + "first in the epoch", null);
    String old = begun();
    String unmarked = old.substring(0, old.indexOf('.', IDS.length())) + old.substring(old.lastIndexOf('.'));
    commit("t");
    String second = begun();
    for (int i = 2; i <= TransactionTable.MAX; i++) {
      assertEquals(FailureCode.TransactionAborted, code(unmarked));
      commit("t" + i);
    }
    assertTrue(isCommitted("t"));
    assertEquals(FailureCode.TransactionAborted, code(old), "all commits are known");
    commit("later");
    assertFalse(isCommitted("t"));
    assertEquals(FailureCode.TransactionOutcomeUnknown, code(old), "it may be the one that is forgotten");
    assertEquals(FailureCode.TransactionOutcomeUnknown, code(unmarked), "begun by an earlier version");
    assertEquals(FailureCode.TransactionAborted, code(second), "it was begun after the one that is forgotten");
    assertEquals(FailureCode.TransactionAborted, code("urn:understudy:transaction:shop:1"), "begun elsewhere");
    commit("last");
    assertEquals(FailureCode.TransactionOutcomeUnknown, code(second));
    assertEquals(FailureCode.TransactionAborted, code(begun()));
  }
}
