package org.understudy.container.request;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.understudy.container.response.Answers;
import org.understudy.container.soap.RequestEnvelope;
import org.understudy.container.transaction.OpenTransactions;
import org.understudy.container.transaction.PeerTransactions;
import org.understudy.container.transaction.RefusedCallException;
import org.understudy.container.transaction.TransactionOperation;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Response;
import org.understudy.replication.runtime.Proposal;
import org.understudy.soap.mime.RequestMessage;

/** Executes an operation on a transaction, and reports its result to the replica. */
final class TransactionAnswer {
  private static final Failure UNANSWERED =
      new Failure(FailureCode.StillPending, "The decision is not stable here yet. Send the message again.");

  private TransactionAnswer() {}

  /** Refuses a message of another group before it costs this group a read, unless a listed group has sent it. */
  static boolean isRefused(ReplicatedService service, RequestMessage message, HttpServletResponse response, RequestEnvelope envelope)
      throws IOException {
    try {
      service.execution().peers().check(message.envelope());
      return false;
    } catch (RefusedCallException e) {
      service.answers().refuse(response, envelope.version(), e.failure());
      return true;
    }
  }

  static void give(Exchange exchange, long token, TransactionOperation operation, OpenTransactions transactions, PeerTransactions peers) {
    byte format = Answers.format(exchange.envelope.version(), null);
    byte[] message = exchange.message.envelope();
    String principal = exchange.caller.principal();
    try {
      switch (operation) {
        case BEGIN ->
            transactions.begin(
                message, principal, exchange.caller.owner(), body -> report(exchange, token, new Response(format, body)),
                e -> refuse(exchange, token, e.failure()));
        case ABORT -> report(exchange, token, new Response(format, transactions.abort(message, principal)));
        case COMMIT -> transactions.commit(message, principal, format, token, e -> refuse(exchange, token, e.failure()));
        case MESSAGE ->
            peers.handle(
                message, body -> report(exchange, token, new Response(format, body)), () -> refuse(exchange, token, UNANSWERED));
      }
    } catch (RefusedCallException e) {
      refuse(exchange, token, e.failure());
    }
  }

  /** Of a read, the refusal is its answer: a replaced primary, which may not know that a transaction is committed, cannot give it. */
  private static void refuse(Exchange exchange, long token, Failure why) {
    if (exchange.operation.read() != null) {
      exchange.replica.executed(token, Map.of(), why, List.of(), Proposal.NOTHING);
    } else {
      exchange.refuse(why);
      exchange.replica.abandoned(token);
    }
  }

  private static void report(Exchange exchange, long token, Response response) {
    exchange.replica.executed(token, Map.of(), response, List.of(), Proposal.NOTHING);
  }
}
