package org.understudy.notification.soap;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import javax.xml.XMLConstants;
import javax.xml.namespace.QName;
import javax.xml.stream.XMLStreamException;
import org.codehaus.stax2.XMLStreamWriter2;
import org.understudy.notification.fault.FaultType;
import org.understudy.notification.fault.NotificationFault;
import org.understudy.soap.addressing.Addressing;
import org.understudy.soap.addressing.EndpointReference;
import org.understudy.soap.xml.Fragment;

/** The element in the detail of a declared fault, with the content of WS-BaseFaults 1.2, section 2. */
public final class FaultDetail {
  private static final String WSRF_BF = "http://docs.oasis-open.org/wsrf/bf-2";
  private static final String WSNT = NotifyNames.NAMESPACE;
  /** How long a client may take to ask again with the time that the fault names. */
  private static final Duration TO_ASK_AGAIN = Duration.ofMinutes(1);

  private FaultDetail() {}

  /**
   * The element, in UTF-8; it declares every prefix it uses.
   *
   * @param now {@code Timestamp}
   * @param originator the resource that raised it; empty: not told
   */
  public static byte[] of(NotificationFault fault, Instant now, Optional<EndpointReference> originator) {
    return Fragment.of(out -> {
      QName element = fault.type().element();
      out.writeStartElement(element.getPrefix(), element.getLocalPart(), element.getNamespaceURI());
      out.writeNamespace(element.getPrefix(), element.getNamespaceURI());
      out.writeNamespace("wsrf-bf", WSRF_BF);
      text(out, "wsrf-bf", WSRF_BF, "Timestamp", dateTime(now));
      if (originator.isPresent()) {
        out.writeStartElement("wsrf-bf", "Originator", WSRF_BF);
        out.writeNamespace("wsa", Addressing.NAMESPACE);
        originator.get().writeTo(out);
        out.writeEndElement();
      }
      out.writeStartElement("wsrf-bf", "Description", WSRF_BF);
      out.writeAttribute("xml", XMLConstants.XML_NS_URI, "lang", "en");
      out.writeCharacters(fault.getMessage());
      out.writeEndElement();
      names(out, fault);
      times(out, fault, now);
      out.writeEndElement();
    });
  }

  private static void names(XMLStreamWriter2 out, NotificationFault fault) throws XMLStreamException {
    String nameElement = switch (fault.type()) {
      case INVALID_FILTER -> "UnknownFilter";
      case UNSUPPORTED_POLICY_REQUEST -> "UnsupportedPolicy";
      case UNRECOGNIZED_POLICY_REQUEST -> "UnrecognizedPolicy";
      default -> null;
    };
    for (QName name : fault.particulars().names()) {
      out.writeStartElement("wsnt", nameElement, WSNT);
      if (name.getNamespaceURI().isEmpty()) {
        out.writeCharacters(name.getLocalPart());
      } else {
        out.writeNamespace("n", name.getNamespaceURI());
        out.writeCharacters("n:" + name.getLocalPart());
      }
      out.writeEndElement();
    }
  }

  private static void times(XMLStreamWriter2 out, NotificationFault fault, Instant now) throws XMLStreamException {
    NotificationFault.Particulars particulars = fault.particulars();
    if (fault.type() == FaultType.UNACCEPTABLE_INITIAL_TERMINATION_TIME
        || fault.type() == FaultType.UNACCEPTABLE_TERMINATION_TIME) {
      // The schema insists on it, even when the time could not be read.
      text(out, "wsnt", WSNT, "MinimumTime", dateTime(minimum(particulars, now)));
    }
    if (particulars.maximumTime() != null) {
      text(out, "wsnt", WSNT, "MaximumTime", dateTime(particulars.maximumTime()));
    }
  }

  /** Late enough to be in the future still when the client asks for it, and early enough to be granted. */
  private static Instant minimum(NotificationFault.Particulars particulars, Instant now) {
    Instant earliest = particulars.minimumTime() == null ? now : particulars.minimumTime();
    Instant usable = earliest.plus(TO_ASK_AGAIN);
    Instant latest = particulars.maximumTime();
    return latest != null && latest.isBefore(usable) ? latest : usable;
  }

  private static void text(XMLStreamWriter2 out, String prefix, String namespace, String name, String value)
      throws XMLStreamException {
    out.writeStartElement(prefix, name, namespace);
    out.writeCharacters(value);
    out.writeEndElement();
  }

  /** Whole milliseconds: some clients' parsers know no finer ones. */
  private static String dateTime(Instant time) {
    return time.truncatedTo(ChronoUnit.MILLIS).toString();
  }
}
