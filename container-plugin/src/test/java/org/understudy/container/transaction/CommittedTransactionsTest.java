package org.understudy.container.transaction;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.understudy.replication.core.update.StateChange;

class CommittedTransactionsTest {
  private long epoch = 3;
  private final CommittedTransactions first = new CommittedTransactions(() -> epoch);
  private final CommittedTransactions second = new CommittedTransactions(() -> epoch);

  private void apply(List<StateChange> changes) {
    for (StateChange change : changes) {
      first.onChange(change.resource(), change.state());
      second.onChange(change.resource(), change.state());
    }
  }

  /** The next primary has committed others when the coordinator decides it. */
  @Test
  void anUpdateInDoubtSharesItsNumberWithNoOther() {
    apply(first.changes("a"));
    List<StateChange> inDoubt = first.changes("in doubt");
    epoch = 4;
    apply(second.changes("b"));
    apply(inDoubt);
    for (int i = 1; i < CommittedTransactions.MAX; i++) {
      apply(second.changes("c" + i));
    }
    assertFalse(second.contains("a"));
    assertFalse(second.contains("in doubt"), "it was begun before the others");
    assertTrue(second.contains("b"));
    apply(second.changes("d"));
    assertFalse(second.contains("b"));
  }

  @Test
  void commitsThatAreOnTheirWayTogetherExceedTheLimitOnlyUntilTheNext() {
    for (int i = 0; i < CommittedTransactions.MAX; i++) {
      apply(first.changes("a" + i));
    }
    List<StateChange> one = first.changes("one");
    List<StateChange> other = first.changes("other");
    apply(one);
    apply(other);
    assertTrue(first.contains("a1"));
    apply(first.changes("next"));
    assertFalse(first.contains("a1"));
    assertFalse(first.contains("a2"));
    assertTrue(first.contains("a3"));
    assertEquals(2, first.changes("last").size());
  }
}
