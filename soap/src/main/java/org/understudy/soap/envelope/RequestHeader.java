package org.understudy.soap.envelope;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.xml.namespace.QName;
import javax.xml.stream.XMLStreamException;
import org.codehaus.stax2.XMLStreamReader2;
import org.understudy.soap.addressing.Addressing;
import org.understudy.soap.envelope.MessageProperties.Target;
import org.understudy.soap.xml.ChildElements;

/**
 * Reads the header blocks of a request: WS-Addressing's, and the names of others that must be understood. Skips blocks for
 * other nodes. Errors are recorded instead of thrown, so that a fault can still relate to the message. One thread, one
 * pass.
 */
final class RequestHeader {
  private static final Set<String> AT_MOST_ONCE = Set.of("To", "Action", "MessageID", "ReplyTo", "FaultTo", "From");
  private static final String RELATES_TO = "RelatesTo";
  private static final int MAX_MESSAGE_ID_CHARS = 512;
  private static final Set<String> OUR_ROLES =
      Set.of(
          "",
          "http://schemas.xmlsoap.org/soap/actor/next",
          "http://www.w3.org/2003/05/soap-envelope/role/next",
          "http://www.w3.org/2003/05/soap-envelope/role/ultimateReceiver");

  private final SoapVersion version;
  private final Set<QName> known;
  private final Set<String> seen = new HashSet<>();
  private final List<QName> notUnderstood = new ArrayList<>(0);
  private boolean used;
  private String messageId;
  private String action;
  private Target replyTo;
  private Target faultTo;
  private SoapFault invalid;

  /** @param known the header blocks that the caller understands, beside WS-Addressing's */
  RequestHeader(SoapVersion version, Set<QName> known) {
    this.version = version;
    this.known = known;
  }

  /**
   * Reads the block on whose start the reader stands, or part of it.
   *
   * @return false when the block is one of those that the caller knows, and for this node: the caller reads it then, and the
   *     reader has not moved
   */
  boolean read(XMLStreamReader2 in) throws XMLStreamException {
    if (!isForUs(in)) {
      return true;
    }
    String local = in.getLocalName();
    if (known.contains(in.getName())) {
      return false;
    }
    if (Addressing.NAMESPACE.equals(in.getNamespaceURI())) {
      used = true;
      if (AT_MOST_ONCE.contains(local) || local.equals(RELATES_TO)) {
        addressing(in, local);
        return true;
      }
    }
    if (mustUnderstand(in)) {
      notUnderstood.add(in.getName());
    }
    return true;
  }

  /** WS-Addressing's properties, once all blocks were read. */
  MessageProperties properties() {
    Target reply = replyTo == null ? Target.ANONYMOUS : replyTo;
    return used
        ? new MessageProperties(true, messageId, reply, faultTo == null ? reply : faultTo, invalid, action)
        : MessageProperties.UNUSED;
  }

  /** The blocks for this node that must be understood and are not known. */
  List<QName> notUnderstood() {
    return notUnderstood;
  }

  /** Whether a block is addressed to the ultimate receiver or the next node, not to another intermediary. */
  private boolean isForUs(XMLStreamReader2 in) {
    String target = in.getAttributeValue(version.namespace(), version == SoapVersion.SOAP11 ? "actor" : "role");
    return target == null || OUR_ROLES.contains(target.strip());
  }

  private boolean mustUnderstand(XMLStreamReader2 in) {
    return XsBoolean.isTrue(in.getAttributeValue(version.namespace(), "mustUnderstand"));
  }

  private void addressing(XMLStreamReader2 in, String local) throws XMLStreamException {
    if (AT_MOST_ONCE.contains(local) && !seen.add(local)) {
      invalid("InvalidCardinality", local, "The header block wsa:" + local + " may occur only once in a message.");
      return;
    }
    switch (local) {
      case "MessageID" -> {
        String id = in.getElementText().strip();
        if (id.length() > MAX_MESSAGE_ID_CHARS) {
          invalid(
              "InvalidAddress", local, "The wsa:MessageID is longer than " + MAX_MESSAGE_ID_CHARS + " characters.");
        } else if (!id.isEmpty()) {
          messageId = id;
        }
      }
      case "Action" -> action = in.getElementText().strip();
      case "ReplyTo" -> replyTo = target(in, local);
      case "FaultTo" -> faultTo = target(in, local);
      default -> {
        // It does not decide about the answer.
      }
    }
  }

  private Target target(XMLStreamReader2 in, String header) throws XMLStreamException {
    String address = null;
    ChildElements parts = new ChildElements(in);
    while (parts.next()) {
      if (address == null && parts.is(Addressing.NAMESPACE, "Address")) {
        address = in.getElementText().strip();
      }
    }
    if (address == null) {
      invalid("MissingAddressInEPR", header, "The endpoint reference wsa:" + header + " has no Address.");
      return Target.ANONYMOUS;
    }
    if (address.isEmpty()) {
      invalid("InvalidAddress", header, "The Address in wsa:" + header + " is empty.");
      return Target.ANONYMOUS;
    }
    return switch (address) {
      case Addressing.ANONYMOUS -> Target.ANONYMOUS;
      case Addressing.NONE -> Target.NONE;
      default -> Target.ELSEWHERE;
    };
  }

  private void invalid(String subsubcode, String header, String reason) {
    if (invalid == null) {
      invalid = SoapFault.invalidAddressing(subsubcode, header, reason);
    }
  }
}
