package org.understudy.broker;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Predicate;
import org.understudy.notification.message.NotifyNames;
import org.understudy.notification.subscription.RequestedTermination;
import org.understudy.soap.addressing.EndpointReference;
import org.understudy.soap.envelope.FaultBody;
import org.understudy.soap.envelope.SoapFault;
import org.understudy.soap.envelope.SoapVersion;
import org.understudy.soap.xml.Elements;
import org.w3c.dom.Element;

/** Interprets the responses of publishers. */
final class PublisherAnswer {
  private static final String WSRF_R = "http://docs.oasis-open.org/wsrf/r-2";
  private static final int NOT_FOUND = 404;
  private static final int METHOD_NOT_ALLOWED = 405;
  private static final int GONE = 410;
  private static final int NOT_IMPLEMENTED = 501;

  private PublisherAnswer() {}

  static boolean isGood(PublisherConnections.Answer answer) {
    return answer.status() >= 200 && answer.status() < 300;
  }

  /** Whether the publisher does not know the subscription (any more). */
  static boolean isUnknown(PublisherConnections.Answer answer) {
    if (answer.status() == NOT_FOUND || answer.status() == GONE) {
      return true;
    }
    if (answer.status() < 400) {
      return false;
    }
    try {
      return tree(answer).getElementsByTagNameNS(WSRF_R, "ResourceUnknownFault").getLength() > 0;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /**
   * Whether the publisher does not support the operation: a fault of the sender without a fault that the contract declares.
   */
  static boolean isUnknownOperation(PublisherConnections.Answer answer) {
    if (answer.status() == METHOD_NOT_ALLOWED || answer.status() == NOT_IMPLEMENTED) {
      return true;
    }
    if (answer.status() < 400) {
      return false;
    }
    try {
      FaultBody fault = FaultBody.ofEnvelope(version(answer), answer.text().getBytes(StandardCharsets.UTF_8));
      boolean declared =
          fault.detail() != null
              && (fault.detail().getNamespaceURI().equals(NotifyNames.NAMESPACE)
                  || fault.detail().getNamespaceURI().equals(WSRF_R));
      return !declared && (fault.code() == SoapFault.Code.SENDER || answer.text().contains("ActionNotSupported"));
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** @throws IllegalArgumentException when the response is not XML */
  private static Element tree(PublisherConnections.Answer answer) {
    return Elements.readForeign(answer.text().getBytes(StandardCharsets.UTF_8));
  }

  /** @throws IllegalArgumentException when the response is not XML */
  private static SoapVersion version(PublisherConnections.Answer answer) {
    SoapVersion version = SoapVersion.ofNamespace(tree(answer).getNamespaceURI());
    return version == null ? SoapVersion.SOAP11 : version;
  }

  /**
   * The subscription in a SubscribeResponse.
   *
   * @param allowed where requests may be sent
   * @throws IllegalArgumentException when it is missing or not allowed; the message is a sentence
   */
  static DemandSubscription subscription(PublisherConnections.Answer answer, Predicate<URI> allowed) {
    Element response = element(tree(answer), "SubscribeResponse");
    Element written = response == null ? null : element(response, "SubscriptionReference");
    if (written == null) {
      throw new IllegalArgumentException("The publisher's response has no SubscriptionReference.");
    }
    EndpointReference reference = WrittenReference.read(written);
    if (!allowed.test(reference.address())) {
      throw new IllegalArgumentException(
          "The publisher's SubscriptionReference names the host " + reference.address().getHost() + ", which is not allowed.");
    }
    Instant end = time(Elements.child(response, NotifyNames.NAMESPACE, "TerminationTime"));
    Instant now = time(Elements.child(response, NotifyNames.NAMESPACE, "CurrentTime"));
    long seconds = end == null ? 0 : Math.max(1, Duration.between(now == null ? Instant.now() : now, end).toSeconds());
    return new DemandSubscription(reference, seconds, false);
  }

  private static Element element(Element in, String name) {
    return (Element) in.getElementsByTagNameNS(NotifyNames.NAMESPACE, name).item(0);
  }

  /** Null: never, or not stated. */
  private static Instant time(Element element) {
    return element != null && !element.getTextContent().isBlank()
            && RequestedTermination.parse(element.getTextContent()) instanceof RequestedTermination.At at
        ? at.time()
        : null;
  }
}
