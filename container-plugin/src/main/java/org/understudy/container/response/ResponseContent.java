package org.understudy.container.response;

import jakarta.servlet.http.HttpServletRequest;
import org.understudy.container.caller.Caller;
import org.understudy.container.soap.RequestEnvelope;
import org.understudy.soap.envelope.MessageProperties;
import org.understudy.soap.envelope.MessageProperties.Target;

/**
 * Decides which responses to a request have an envelope and which are an HTTP status alone. The response of a one-way operation
 * has no envelope (Basic Profile 1.1, R2714). A response to the endpoint {@code none} is not sent (WS-Addressing 1.0 Core,
 * section 2.1). A client that sends the replication header receives the envelope of every fault, because it decides by the
 * envelope whether to retry.
 *
 * @param result whether a result has an envelope
 * @param fault whether a fault has an envelope, of the service or of the container
 */
public record ResponseContent(boolean result, boolean fault) {
  private static final ResponseContent ALL = new ResponseContent(true, true);

  /** Returns the content for the client. */
  public static ResponseContent of(RequestEnvelope envelope, boolean oneWay) {
    MessageProperties properties = envelope.properties();
    return new ResponseContent(
        !oneWay && properties.replyTo() != Target.NONE,
        envelope.header() != null || !oneWay && properties.faultTo() != Target.NONE);
  }

  /** Returns the content for the sender of the request. A forwarding replica receives all, and decides for its client. */
  public static ResponseContent of(HttpServletRequest request, RequestEnvelope envelope, boolean oneWay) {
    return Caller.isForwarded(request) ? ALL : of(envelope, oneWay);
  }
}
