package org.understudy.lab.torture.client;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.understudy.lab.cluster.Envelopes;
import org.understudy.lab.torture.history.ClientTransaction.Request;
import org.understudy.lab.torture.history.TransactionOutcome;

/** What a client that knows no stub sends and recognises of transactions. */
final class TransactionMessages {
  private static final Pattern ID = Pattern.compile("<(?:\\w+:)?Transaction>\\s*([^<\\s]+)\\s*<");
  private static final Pattern CODE = Pattern.compile("<(?:\\w+:)?Code>\\s*(\\w+)\\s*<");

  private TransactionMessages() {}

  static String begin() {
    return Envelopes.envelope("", "<ur:BeginTransaction/>");
  }

  /** The id in the answer to {@link #begin}; null if it is none. */
  static String id(String answer) {
    Matcher found = ID.matcher(answer);
    return answer.contains("BeginTransactionResponse") && found.find() ? found.group(1) : null;
  }

  /** The header of a call. */
  static String header(String messageId, String transaction) {
    return Envelopes.messageId(messageId) + "<ur:ReplicationHeader><ur:Transaction><ur:Id>" + transaction
        + "</ur:Id></ur:Transaction></ur:ReplicationHeader>";
  }

  static String end(Request request, String transaction) {
    String operation = request == Request.COMMIT ? "ur:CommitTransaction" : "ur:AbortTransaction";
    return Envelopes.envelope("", "<" + operation + "><ur:Transaction>" + transaction + "</ur:Transaction></" + operation + ">");
  }

  /** What an answer to a call, a commit or an abort states. */
  static TransactionOutcome outcome(String answer) {
    if (answer.contains("CommitTransactionResponse")) {
      return TransactionOutcome.COMMITTED;
    }
    boolean aborted = answer.contains("AbortTransactionResponse") || "TransactionAborted".equals(code(answer));
    return aborted ? TransactionOutcome.ABORTED : TransactionOutcome.UNKNOWN;
  }

  /** Whether it is of no use to ask again. */
  static boolean conclusive(String answer) {
    String code = code(answer);
    return outcome(answer) != TransactionOutcome.UNKNOWN || "TransactionOutcomeUnknown".equals(code) || "BadRequest".equals(code);
  }

  private static String code(String answer) {
    Matcher found = CODE.matcher(answer);
    return found.find() ? found.group(1) : null;
  }
}
