package org.understudy.container.request;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.understudy.container.caller.Caller;
import org.understudy.container.operation.Operation;
import org.understudy.container.soap.RequestEnvelope;
import org.understudy.soap.mime.RequestMessage;
import org.understudy.wsrf.operation.Endpoint;

/**
 * A request for a replicated service, as far as it is known before it is submitted.
 *
 * @param transaction null outside of transactions
 * @param operation after CXF, the presumed one: the invoker knows which one CXF has selected
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
    TransactionalRequest transaction) {
  /** A request outside of transactions. */
  IncomingRequest(
      HttpServletRequest request,
      HttpServletResponse response,
      Caller caller,
      RequestMessage message,
      RequestEnvelope envelope,
      Endpoint endpoint,
      Operation operation,
      ReplicatedService service) {
    this(request, response, caller, message, envelope, endpoint, operation, service, null);
  }

  /** Returns the announced length of the body in bytes, or 0. */
  long length() {
    return Math.max(0, request.getContentLengthLong());
  }
}
