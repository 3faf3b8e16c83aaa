package org.understudy.container.response;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.understudy.container.operation.Operation;
import org.understudy.container.soap.RequestEnvelope;
import org.understudy.container.transaction.TransactionOperation;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.api.ReadLevel;
import org.understudy.replication.api.VersionHandle;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.soap.ReplicationHeader;
import org.understudy.replication.soap.TransactionReference;
import org.understudy.soap.envelope.MessageProperties;
import org.understudy.soap.envelope.SoapVersion;

class RetryAdviceTest {
  private static final Failure PENDING = new Failure(FailureCode.StillPending, "No result. " + Failure.RETRY_WITH_ID);
  private static final RequestEnvelope ANONYMOUS =
      new RequestEnvelope(SoapVersion.SOAP11, null, null, MessageProperties.UNUSED, List.of(), null, 0);
  private static final Operation UPDATE = new Operation(null, "answer", Map.of(), null);

  @Test
  void aFailureThatAdvisesNoRepetitionStays() {
    Failure failure = new Failure(FailureCode.Overloaded, "Nothing was executed. Retry later.");
    assertSame(failure, RetryAdvice.adapt(failure, ANONYMOUS, UPDATE));
  }

  @Test
  void aClientWithoutRequestIdLearnsWhatItCanDo() {
    assertEquals(
        new Failure(
            FailureCode.StillPending,
            "No result. The request has no request id, so a repetition would be executed as another request. It may have been executed, or "
                + "may be executed later: read the state before you send it again."),
        RetryAdvice.adapt(PENDING, ANONYMOUS, UPDATE));
    String again = "No result. The request needs no request id: send it again.";
    Operation read = new Operation(ReadLevel.LINEARIZABLE, "answer", Map.of(), null);
    assertEquals(again, RetryAdvice.adapt(PENDING, ANONYMOUS, read).sentence());
    Operation commit = new Operation(null, "answer", Map.of(), TransactionOperation.COMMIT);
    assertEquals(again, RetryAdvice.adapt(PENDING, ANONYMOUS, commit).sentence());
  }

  /** A replica that has forwarded a call does not know whether its transaction goes on. */
  @Test
  void anUnknownCallDoesNotAbortItsTransaction() {
    ReplicationHeader header =
        new ReplicationHeader(
            null, 0, 0, VersionHandle.INITIAL, 0, 0, null, false, null, new TransactionReference("urn:transaction", null));
    RequestEnvelope call = new RequestEnvelope(SoapVersion.SOAP11, null, header, MessageProperties.UNUSED, List.of(), null, 0);
    Failure unknown = new Failure(FailureCode.OutcomeUnknown, "No response. " + Failure.RETRY_WITH_ID);
    assertEquals(
        "No response. The call may have been executed and has no request id, so it cannot be repeated. Abort its transaction, and begin "
            + "another one.",
        RetryAdvice.adapt(unknown, call, UPDATE).sentence());
    assertEquals(
        "No result. The call may have been executed and has no request id, so its transaction is aborted. Begin another one.",
        RetryAdvice.adapt(PENDING, call, UPDATE).sentence());
  }
}
