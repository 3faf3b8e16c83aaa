package org.understudy.soap.envelope;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.xml.namespace.QName;
import javax.xml.stream.XMLStreamException;
import org.codehaus.stax2.XMLStreamReader2;
import org.understudy.soap.addressing.Addressing;
import org.understudy.soap.envelope.MessageProperties.ReplyEndpoint;
import org.understudy.soap.envelope.MessageProperties.Target;
import org.understudy.soap.xml.ChildElements;
import org.understudy.soap.xml.ElementText;

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
  private final Map<String, String> scope;
  private final Set<String> seen = new HashSet<>();
  private final List<QName> notUnderstood = new ArrayList<>(0);
  private boolean used;
  private String messageId;
  private String action;
  private ReplyEndpoint replyTo;
  private ReplyEndpoint faultTo;
  private SoapFault invalid;

  /**
   * @param known the header blocks that the caller understands, beside WS-Addressing's
   * @param scope every prefix in scope around a header block
   */
  RequestHeader(SoapVersion version, Set<QName> known, Map<String, String> scope) {
    this.version = version;
    this.scope = scope;
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
    ReplyEndpoint reply = replyTo == null ? ReplyEndpoint.ANONYMOUS : replyTo;
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
      case "ReplyTo" -> replyTo = endpoint(in, local);
      case "FaultTo" -> faultTo = endpoint(in, local);
      default -> {
        // It does not decide about the answer.
      }
    }
  }

  private ReplyEndpoint endpoint(XMLStreamReader2 in, String header) throws XMLStreamException {
    Map<String, String> inner = new LinkedHashMap<>(scope);
    ElementText.noteScope(in, inner);
    String address = null;
    String parameters = "";
    ChildElements parts = new ChildElements(in);
    while (parts.next()) {
      if (address == null && parts.is(Addressing.NAMESPACE, "Address")) {
        address = in.getElementText().strip();
      } else if (parts.is(Addressing.NAMESPACE, "ReferenceParameters")) {
        parameters = parameters(in, inner, header);
      }
    }
    if (address == null) {
      invalid("MissingAddressInEPR", header, "The endpoint reference wsa:" + header + " has no Address.");
      return ReplyEndpoint.ANONYMOUS;
    }
    if (address.isEmpty()) {
      invalid("InvalidAddress", header, "The Address in wsa:" + header + " is empty.");
      return ReplyEndpoint.ANONYMOUS;
    }
    return switch (address) {
      case Addressing.ANONYMOUS -> new ReplyEndpoint(Target.ANONYMOUS, parameters);
      case Addressing.NONE -> new ReplyEndpoint(Target.NONE, "");
      default -> new ReplyEndpoint(Target.ELSEWHERE, "");
    };
  }

  /** Returns them as header blocks of the answer. */
  private String parameters(XMLStreamReader2 in, Map<String, String> inner, String header) throws XMLStreamException {
    try {
      return ReferenceReader.parameters(in, inner, known).headerBlocks();
    } catch (IllegalArgumentException e) {
      invalid("InvalidEPR", header, "The endpoint reference wsa:" + header + " is invalid: " + e.getMessage());
      return "";
    }
  }

  private void invalid(String subsubcode, String header, String reason) {
    if (invalid == null) {
      invalid = SoapFault.invalidAddressing(subsubcode, header, reason);
    }
  }
}
