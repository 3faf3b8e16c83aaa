package org.understudy.container.request;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.understudy.container.caller.Caller;
import org.understudy.container.operation.Operation;
import org.understudy.container.soap.RequestEnvelope;
import org.understudy.replication.runtime.share.Reservation;
import org.understudy.soap.mime.RequestMessage;
import org.understudy.wsrf.operation.Endpoint;

/**
 * A request for a replicated service, as far as it is known before it is submitted.
 *
 * @param transaction null outside of transactions
 * @param operation after CXF, the presumed one: the invoker knows which one CXF has selected
 * @param reservation of the memory that the request takes
 */
record IncomingRequest(
    HttpServletRequest request,
    HttpServletResponse response,
    Caller caller,
    RequestMessage message,
    RequestEnvelope envelope,
    Endpoint endpoint,
    Operation operation,
    ReplicatedService service,
    TransactionalRequest transaction,
    Reservation reservation) {
  /** A request outside of transactions. */
  IncomingRequest(
      HttpServletRequest request,
      HttpServletResponse response,
      Caller caller,
      RequestMessage message,
      RequestEnvelope envelope,
      Endpoint endpoint,
      Operation operation,
      ReplicatedService service,
      Reservation reservation) {
    this(request, response, caller, message, envelope, endpoint, operation, service, null, reservation);
  }
}
