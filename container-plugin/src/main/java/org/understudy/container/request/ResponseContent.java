package org.understudy.container.request;

import jakarta.servlet.http.HttpServletRequest;
import org.understudy.container.soap.RequestEnvelope;
import org.understudy.soap.envelope.MessageProperties;
import org.understudy.soap.envelope.MessageProperties.Target;

/**
 * Which answers to a request have an envelope, and which are an HTTP status alone: what is one-way has no envelope in its
 * response (Basic Profile 1.1, R2714), and a response to the endpoint {@code none} is not sent (WS-Addressing
 * 1.0 Core, section 2.1). A client
 * that sends our header gets every fault whole: it knows by the envelope whether to send the request again.
 *
 * @param result whether a result has
 * @param fault whether a fault has, of the operation or of ours
 */
record ResponseContent(boolean result, boolean fault) {
  /** The request header that names the forwarding replica. */
  static final String FORWARDED = "Understudy-Forwarded";

  private static final ResponseContent ALL = new ResponseContent(true, true);

  /** What the client gets. */
  static ResponseContent of(RequestEnvelope envelope, boolean oneWay) {
    MessageProperties properties = envelope.properties();
    return new ResponseContent(
        !oneWay && properties.replyTo() != Target.NONE,
        envelope.header() != null || !oneWay && properties.faultTo() != Target.NONE);
  }

  /** What the one gets whose request this is: a replica that forwards gets all, and decides for its client. */
  static ResponseContent of(HttpServletRequest request, RequestEnvelope envelope, boolean oneWay) {
    return request.getHeader(FORWARDED) == null ? of(envelope, oneWay) : ALL;
  }
}
