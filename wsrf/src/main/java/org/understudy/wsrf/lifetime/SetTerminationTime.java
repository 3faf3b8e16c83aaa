package org.understudy.wsrf.lifetime;

import java.time.DateTimeException;
import java.time.Instant;
import javax.xml.XMLConstants;
import javax.xml.namespace.QName;
import org.understudy.notification.subscription.RequestedTermination;
import org.understudy.soap.basefault.DeclaredFault;
import org.understudy.soap.basefault.ResourceFaultType;
import org.understudy.soap.envelope.XsBoolean;
import org.understudy.soap.xml.Elements;
import org.understudy.wsrf.operation.Invocation;
import org.understudy.wsrf.property.ResourceDocument;
import org.understudy.wsrf.property.ResourceOperation;
import org.w3c.dom.Element;

/** Sets or removes the termination time of a resource (WS-ResourceLifetime 1.2, section 5.2). */
final class SetTerminationTime extends ResourceOperation {
  /** Later times have no common written form. */
  private static final Instant LAST = Instant.parse("9999-12-31T23:59:59Z");

  private final Lifetimes lifetimes;

  SetTerminationTime(ResourceDocument document, Lifetimes lifetimes) {
    super(
        document,
        new QName(LifetimeOperations.NAMESPACE, "SetTerminationTime"),
        LifetimeOperations.ACTIONS + "ScheduledResourceTermination/SetTerminationTimeResponse",
        null);
    this.lifetimes = lifetimes;
  }

  @Override
  protected String answer(Invocation invocation) throws DeclaredFault {
    Element request = invocation.body();
    Element at = Elements.child(request, LifetimeOperations.NAMESPACE, "RequestedTerminationTime");
    Element after = Elements.child(request, LifetimeOperations.NAMESPACE, "RequestedLifetimeDuration");
    if ((at == null) == (after == null) || Elements.children(request).size() > 1) {
      throw DeclaredFault.badMessage(
          "SetTerminationTime must hold either RequestedTerminationTime or RequestedLifetimeDuration.");
    }
    String key = invocation.transaction().key();
    if (!Lifetimes.canEnd(key)) {
      throw fault(
          ResourceFaultType.UNABLE_TO_SET_TERMINATION_TIME, invocation,
          "The service has a single state, which ends with its deployment.").declared();
    }
    Instant now = invocation.now();
    Instant requested = time(at, after, invocation);
    if (requested != null && (!requested.isAfter(now) || requested.isAfter(LAST))) {
      throw fault(
          ResourceFaultType.TERMINATION_TIME_CHANGE_REJECTED, invocation,
          "The termination time " + requested + " is not after now, which is " + now + ", and before the year 10000.").declared();
    }
    Instant time = requested == null ? null : RequestedTermination.granted(requested);
    lifetimes.set(invocation.transaction(), key, time);
    StringBuilder response = new StringBuilder(256);
    response.append("<rl:SetTerminationTimeResponse xmlns:rl=\"").append(LifetimeOperations.NAMESPACE).append("\">");
    LifetimeOperations.time("NewTerminationTime", time, response);
    LifetimeOperations.time("CurrentTime", now, response);
    return response.append("</rl:SetTerminationTimeResponse>").toString();
  }

  /** Returns null for never. */
  private Instant time(Element at, Element after, Invocation invocation) throws DeclaredFault {
    try {
      Element given = at == null ? after : at;
      boolean nil = XsBoolean.isTrue(given.getAttributeNS(XMLConstants.W3C_XML_SCHEMA_INSTANCE_NS_URI, "nil"));
      RequestedTermination requested = RequestedTermination.parse(Elements.text(given), nil);
      if (at != null && requested == RequestedTermination.NEVER) {
        return null;
      } else if (at != null && requested instanceof RequestedTermination.At absolute) {
        return absolute.time();
      } else if (after != null && requested instanceof RequestedTermination.After relative) {
        return relative.from(invocation.now());
      }
    } catch (IllegalArgumentException | DateTimeException | ArithmeticException e) {
      throw fault(
          ResourceFaultType.TERMINATION_TIME_CHANGE_REJECTED, invocation,
          "The termination time is invalid: " + e.getMessage()).declared();
    }
    throw DeclaredFault.badMessage(
        "RequestedTerminationTime must be an xs:dateTime, and RequestedLifetimeDuration an xs:duration.");
  }
}
