package org.understudy.container.request;

import org.understudy.container.operation.Operation;
import org.understudy.container.soap.RequestEnvelope;
import org.understudy.container.transaction.CoordinatedTransactions;
import org.understudy.container.transaction.Coordinations;
import org.understudy.container.transaction.PeerTransactions;
import org.understudy.container.transaction.TransactionOperation;
import org.understudy.replication.api.ReadLevel;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.request.RequestKey;
import org.understudy.replication.soap.TransactionReference;
import org.understudy.soap.envelope.BadEnvelopeException;
import org.understudy.soap.envelope.SoapFault;

/**
 * A request that calls a service inside a transaction. For the replica it is a linearizable read: nothing of it enters the log before the
 * transaction is committed.
 *
 * @param id of the transaction
 * @param peer the reference, when another group with this protocol decides the transaction; else null
 * @param foreign null for a transaction that a client has begun at this group
 * @param key the identity by which a repetition is recognised within the transaction; null for none
 * @param digest of the request's content
 */
record TransactionalRequest(String id, TransactionReference peer, Coordinations.ForeignTransaction foreign, RequestKey key, long digest) {
  /** Whether a request must reach the primary although nothing of it enters the log. */
  static boolean isMeant(RequestEnvelope envelope, Operation operation) {
    return operation.standard() instanceof TransactionOperation || reference(envelope) != null || envelope.coordination() != null;
  }

  private static TransactionReference reference(RequestEnvelope envelope) {
    return envelope.header() == null ? null : envelope.header().transaction();
  }

  /**
   * Returns the call in a transaction that a request is; null outside of transactions.
   *
   * @param update the request as an update outside of transactions
   * @param transactions of coordinators outside the group
   * @param peers the other groups that decide transactions
   * @throws BadEnvelopeException for an operation that cannot be called inside a transaction
   */
  static TransactionalRequest of(
      RequestEnvelope envelope, Operation operation, Request update, CoordinatedTransactions transactions, PeerTransactions peers)
      throws BadEnvelopeException {
    TransactionReference reference = reference(envelope);
    Coordinations.ForeignTransaction foreign = foreign(envelope, transactions);
    if (reference == null && foreign == null || operation.standard() instanceof TransactionOperation) {
      return null;
    }
    if (reference != null && foreign != null) {
      throw refused(envelope, "The request names two transactions. Nothing was executed.");
    }
    if (operation.standard() != null) {
      throw refused(
          envelope,
          "The operation " + envelope.operation() + " is one of WSRF or WS-Notification, which cannot be called inside a transaction. "
              + "Nothing was executed. Call it without the header's Transaction.");
    }
    String id = reference == null ? foreign.context().id() : reference.id();
    return new TransactionalRequest(id, peers.isOfPeer(reference) ? reference : null, foreign, update.key(), update.digest());
  }

  private static Coordinations.ForeignTransaction foreign(RequestEnvelope envelope, CoordinatedTransactions transactions)
      throws BadEnvelopeException {
    try {
      return transactions.read(envelope.coordination());
    } catch (IllegalArgumentException e) {
      throw refused(envelope, e.getMessage());
    }
  }

  private static BadEnvelopeException refused(RequestEnvelope envelope, String why) {
    return new BadEnvelopeException(envelope.version(), SoapFault.sender(why), envelope.properties());
  }

  /** Returns the read that stands for a request in the replica. */
  static Request read(Request request) {
    RequestKey key = request.key() instanceof RequestKey.OfSession session ? session : null;
    return new Request(
        key, 0, Request.Kind.READ, ReadLevel.LINEARIZABLE, request.seen(), request.ackBelow(), request.principal(), request.owner());
  }
}
