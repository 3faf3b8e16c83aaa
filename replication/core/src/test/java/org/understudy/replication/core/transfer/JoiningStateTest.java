package org.understudy.replication.core.transfer;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.understudy.replication.core.transfer.TransferMessage.Snapshot;

/** A joiner does not end the transfer that runs because of a question that the transfer has overtaken. */
class JoiningStateTest {
  private static final long STUCK = 1_000;

  private final JoiningState joining = new JoiningState();

  @Test
  void questionOfBeforeTheTransferIsOvertaken() {
    assertFalse(joining.hasOvertaken(0, 4, 77, STUCK));
    joining.take(100, new Snapshot(4, 1, 0, false, 77, 0, List.of(), 1));
    assertTrue(joining.hasOvertaken(200, 4, 76, STUCK));
    assertTrue(joining.hasOvertaken(200, 4, 77, STUCK), "asked when the sender's state was the same");
    assertTrue(joining.hasOvertaken(100_000, 4, 76, STUCK), "no sender goes back");
  }

  @Test
  void senderThatBeginsAnewIsAnswered() {
    joining.take(100, new Snapshot(4, 1, 0, false, 77, 0, List.of(), 1));
    assertFalse(joining.hasOvertaken(200, 4, 78, STUCK), "its state has changed since");
    assertFalse(joining.hasOvertaken(1_100, 4, 77, STUCK), "nothing has come for as long as a sender waits");
    assertFalse(joining.hasOvertaken(200, 5, 77, STUCK), "another view");
  }
}
