package org.understudy.lab.torture.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.understudy.lab.cluster.Envelopes;
import org.understudy.lab.torture.history.TransactionOutcome;

class TransactionMessagesTest {
  private static String fault(String code) {
    return Envelopes.envelope("", "<soap:Fault><detail><ur:ReplicationFault><ur:Code>" + code
        + "</ur:Code><ur:Executed>no</ur:Executed></ur:ReplicationFault></detail></soap:Fault>");
  }

  @Test
  void theIdOfABegunTransaction() {
    String begun = Envelopes.envelope("",
        "<ur:BeginTransactionResponse><ur:Transaction>urn:t:1</ur:Transaction></ur:BeginTransactionResponse>");
    assertEquals("urn:t:1", TransactionMessages.id(begun));
    assertNull(TransactionMessages.id(fault("Overloaded")));
  }

  @Test
  void onlyCertainAnswersStateAnOutcome() {
    String committed = Envelopes.envelope("", "<ur:CommitTransactionResponse/>");
    String aborted = Envelopes.envelope("", "<ur:AbortTransactionResponse/>");
    assertEquals(TransactionOutcome.COMMITTED, TransactionMessages.outcome(committed));
    assertEquals(TransactionOutcome.ABORTED, TransactionMessages.outcome(aborted));
    assertEquals(TransactionOutcome.ABORTED, TransactionMessages.outcome(fault("TransactionAborted")));
    for (String code : new String[] {"TransactionOutcomeUnknown", "StillPending", "Overloaded", "BadRequest", "OutcomeUnknown"}) {
      assertEquals(TransactionOutcome.UNKNOWN, TransactionMessages.outcome(fault(code)), code);
    }
  }

  @Test
  void aRequestIsRepeatedUntilItIsOfNoUse() {
    assertTrue(TransactionMessages.conclusive(fault("TransactionOutcomeUnknown")));
    assertTrue(TransactionMessages.conclusive(fault("BadRequest")), "an abort of what is committed");
    assertFalse(TransactionMessages.conclusive(fault("StillPending")));
    assertFalse(TransactionMessages.conclusive(fault("NotPrimary")));
    assertFalse(TransactionMessages.conclusive("<html>502</html>"));
  }
}
