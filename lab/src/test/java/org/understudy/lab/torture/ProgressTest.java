package org.understudy.lab.torture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.understudy.lab.torture.history.ClientTransaction;
import org.understudy.lab.torture.history.ClientTransaction.Answer;
import org.understudy.lab.torture.history.ClientTransaction.Call;
import org.understudy.lab.torture.history.ClientTransaction.Request;
import org.understudy.lab.torture.history.History;
import org.understudy.lab.torture.history.Level;
import org.understudy.lab.torture.history.Operation;
import org.understudy.lab.torture.history.Outcome;
import org.understudy.lab.torture.history.TransactionOutcome;

class ProgressTest {
  private static ClientTransaction transaction(TransactionOutcome outcome, long invoked) {
    return new ClientTransaction("t", invoked, List.of(new Call(0, 5, 5, invoked, invoked), new Call(1, 5, 5, invoked, invoked)),
        List.of(new Answer(Request.COMMIT, outcome, 0, invoked, invoked + 10)));
  }

  @Test
  void updatesAndCommitsCount() {
    History history = new History();
    history.add(transaction(TransactionOutcome.ABORTED, 30));
    assertFalse(history.acknowledgedSince(0));
    history.add(transaction(TransactionOutcome.COMMITTED, 40));
    assertTrue(history.acknowledgedSince(40));
    assertFalse(history.acknowledgedSince(41));
    history.add(new Operation("a", Level.UPDATE, 0, 3, 8, 80, 90, Outcome.OK, 0));
    Progress progress = new Progress(history.recorded());
    assertEquals(2, progress.count(0, 100));
    assertEquals(50, progress.longestSilence(0, 100));
  }
}
