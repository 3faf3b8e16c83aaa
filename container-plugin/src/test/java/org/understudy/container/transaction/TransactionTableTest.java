package org.understudy.container.transaction;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.understudy.container.transaction.TransactionTable.Fate;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.core.update.StateChange;
import org.understudy.test.Condition;

class TransactionTableTest {
  private static final String IDS = "urn:understudy:transaction:bank:";

  private long epoch = 3;
  private final TransactionTable first = new TransactionTable(IDS, () -> epoch);
  private final TransactionTable second = new TransactionTable(IDS, () -> epoch);

  private void apply(List<StateChange> changes) {
    for (StateChange change : changes) {
      first.onChange(change.resource(), change.state());
      second.onChange(change.resource(), change.state());
    }
  }

  private static boolean isCommitted(TransactionTable table, String id) {
    return table.find(id).fate() == Fate.COMMITTED;
  }

  /** The next primary has committed others when the coordinator decides it. */
  @Test
  void anUpdateInDoubtSharesItsNumberWithNoOther() {
    apply(first.changes("a"));
    List<StateChange> inDoubt = first.changes("in doubt");
    epoch = 4;
    apply(second.changes("b"));
    apply(inDoubt);
    for (int i = 1; i < TransactionTable.MAX; i++) {
      apply(second.changes("c" + i));
    }
    assertFalse(isCommitted(second, "a"));
    assertFalse(isCommitted(second, "in doubt"), "it was begun before the others");
    assertTrue(isCommitted(second, "b"));
    apply(second.changes("d"));
    assertFalse(isCommitted(second, "b"));
  }

  @Test
  void commitsThatAreOnTheirWayTogetherExceedTheLimitOnlyUntilTheNext() {
    for (int i = 0; i < TransactionTable.MAX; i++) {
      apply(first.changes("a" + i));
    }
    List<StateChange> one = first.changes("one");
    List<StateChange> other = first.changes("other");
    apply(one);
    apply(other);
    assertTrue(isCommitted(first, "a1"));
    apply(first.changes("next"));
    assertFalse(isCommitted(first, "a1"));
    assertFalse(isCommitted(first, "a2"));
    assertTrue(isCommitted(first, "a3"));
    assertEquals(2, first.changes("last").size());
  }

  private OpenTransaction open(String id) {
    TransactionSettings settings = new TransactionSettings("bank", null, true, 16, 600_000, 16, 1 << 20);
    return new OpenTransaction(id, "ann", "ann", settings, 0, gone -> {});
  }

  /** Between these steps, other threads ask. */
  @Test
  void aCommitIsKnownAtEachStepOfIt() throws RefusedCallException {
    first.onChange(TransactionTable.LIFE, first.nextLife("life").state());
    OpenTransaction transaction = open(first.life().id(IDS, "1"));
    assertNull(first.add(transaction));
    assertSame(transaction, first.find(transaction.id()).open());
    assertFalse(first.find(transaction.id()).mayCommit());
    assertNotNull(transaction.beginCommit());
    assertTrue(first.find(transaction.id()).mayCommit());
    assertEquals(FailureCode.StillPending, assertThrows(RefusedCallException.class, transaction::beginCommit).failure().code());
    assertFalse(transaction.abort("too late"));

    for (StateChange change : first.changes(transaction.id())) {
      first.onChange(change.resource(), change.state());
      assertTrue(isCommitted(first, transaction.id()));
    }
    assertFalse(transaction.abort("too late"), "the log has its commit");
    transaction.committed();
    assertTrue(isCommitted(first, transaction.id()));
    assertNull(transaction.beginCommit(), "who has found it open commits again");
    assertFalse(transaction.abort("too late"), "who has found it open aborts it");
    assertEquals(List.of(transaction), first.open(), "its place is not free yet");
    assertTrue(first.remove(transaction));
    assertFalse(first.remove(transaction));
    assertTrue(isCommitted(first, transaction.id()));
    assertEquals(List.of(), first.open());
  }

  /** A database has it, or the log of the next primary. */
  @Test
  void whatIsRolledBackMayBeCommittedElsewhere() throws RefusedCallException {
    OpenTransaction transaction = open(IDS + "1");
    transaction.beginCommit();
    transaction.rolledBack();
    assertEquals(FailureCode.StillPending, assertThrows(RefusedCallException.class, transaction::beginCommit).failure().code());
    assertFalse(transaction.abort("too late"));
    OpenTransaction undone = open(IDS + "2");
    undone.beginCommit();
    undone.undone("it was not proposed");
    assertEquals(FailureCode.TransactionAborted, assertThrows(RefusedCallException.class, undone::beginCommit).failure().code());
    assertTrue(undone.abort("again"));
  }

  @Test
  void theStateOfAnotherReplicaReplacesCommitsInOneStep() {
    first.onChange(TransactionTable.LIFE, first.nextLife("life").state());
    String id = first.life().id(IDS, "1");
    apply(first.changes(id));
    Map<String, byte[]> state = Map.of(TransactionTable.LIFE, first.life().state(), TransactionTable.PREFIX + id, new byte[Long.BYTES]);
    CompletableFuture<Fate> found = new CompletableFuture<>();
    first.replaced(taker -> {
      Thread asking = new Thread(() -> found.complete(first.find(id).fate()));
      asking.start();
      Condition.await("the question to wait", () -> asking.getState() == Thread.State.BLOCKED || found.isDone());
      state.forEach(taker);
    });
    assertEquals(Fate.COMMITTED, found.join());
  }

  @Test
  void onlyWhatWasBegunInThisLifeIsAborted() {
    assertEquals(Fate.LOST, first.find(IDS + "life.1").fate());
    first.onChange(TransactionTable.LIFE, first.nextLife("life").state());
    assertEquals(Fate.ABORTED, first.find(IDS + "life.1").fate());
    assertEquals(Fate.LOST, first.find(IDS + "other.1").fate());
    OpenTransaction transaction = open(IDS + "other.2");
    first.add(transaction);
    assertTrue(first.abort(transaction));
    assertEquals(Fate.ABORTED, first.find(IDS + "other.2").fate(), "it ended here");
    assertEquals(Fate.ABORTED, first.add(transaction).fate(), "so its coordinator cannot begin it anew");
    first.forget(IDS + "other.2");
    assertEquals(Fate.LOST, first.find(IDS + "other.2").fate());
  }
}
