package org.understudy.container.response;

import org.understudy.container.operation.Operation;
import org.understudy.container.soap.RequestEnvelope;
import org.understudy.container.transaction.TransactionOperation;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.core.request.Failure;

/** The end of the sentence of a failure whose request may have been executed: what the client can do depends on its request. */
public final class RetryAdvice {
  private static final String SEND_AGAIN = "The request needs no request id: send it again.";
  private static final String PENDING_CALL =
      "The call may have been executed and has no request id, so its transaction is aborted. Begin another one.";
  /** Where its transaction is open, that may go on. */
  private static final String UNKNOWN_CALL =
      "The call may have been executed and has no request id, so it cannot be repeated. Abort its transaction, and begin another one.";
  private static final String UNKNOWN =
      "The request has no request id, so a repetition would be executed as another request. It may have been executed, or may be executed "
          + "later: read the state before you send it again.";

  private RetryAdvice() {}

  /** Returns the failure for the client of this request: one without a request id cannot use it again. */
  public static Failure adapt(Failure failure, RequestEnvelope envelope, Operation operation) {
    String sentence = failure.sentence();
    if (!sentence.endsWith(Failure.RETRY_WITH_ID) || envelope.hasIdentity()) {
      return failure;
    }
    String reason = sentence.substring(0, sentence.length() - Failure.RETRY_WITH_ID.length());
    return new Failure(failure.code(), reason + advice(failure.code(), envelope, operation));
  }

  private static String advice(FailureCode code, RequestEnvelope envelope, Operation operation) {
    // A transaction is committed or aborted once, by its own id.
    if (operation.standard() instanceof TransactionOperation) {
      return SEND_AGAIN;
    }
    if (envelope.coordination() != null || envelope.header() != null && envelope.header().transaction() != null) {
      return code == FailureCode.OutcomeUnknown ? UNKNOWN_CALL : PENDING_CALL;
    }
    return operation.read() != null ? SEND_AGAIN : UNKNOWN;
  }
}
