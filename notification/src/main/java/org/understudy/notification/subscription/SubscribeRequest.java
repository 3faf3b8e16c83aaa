package org.understudy.notification.subscription;

import java.util.List;
import org.understudy.notification.filter.SubscriptionFilter;
import org.understudy.soap.addressing.EndpointReference;
import org.understudy.soap.envelope.SoapVersion;

/**
 * A consumer's Subscribe request (WS-BaseNotification 1.3, section 4.2). Immutable.
 *
 * @param consumer where notifications go
 * @param filters all must accept a message; none: every message on every topic
 * @param raw messages without Notify
 * @param termination the requested end
 * @param version of SOAP that the subscriber used
 */
public record SubscribeRequest(
    EndpointReference consumer,
    List<SubscriptionFilter> filters,
    boolean raw,
    RequestedTermination termination,
    SoapVersion version) {
  /** Copies the list. */
  public SubscribeRequest {
    filters = List.copyOf(filters);
  }
}
