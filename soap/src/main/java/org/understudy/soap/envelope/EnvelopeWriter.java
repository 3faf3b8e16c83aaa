package org.understudy.soap.envelope;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import javax.xml.namespace.QName;
import org.understudy.soap.addressing.Addressing;
import org.understudy.soap.basefault.DeclaredFault;
import org.understudy.soap.xml.XmlText;

/**
 * Writes one envelope around a body of bytes. The prefix of SOAP is always {@code soap}, because stored fault bodies depend
 * on it. One thread, one message.
 */
public final class EnvelopeWriter {
  private static final byte[] END = "</soap:Body></soap:Envelope>".getBytes(StandardCharsets.UTF_8);

  private final StringBuilder head = new StringBuilder(640);
  private boolean hasHeader;

  /** An envelope without header blocks. */
  public EnvelopeWriter(SoapVersion version) {
    head.append("<soap:Envelope xmlns:soap=\"").append(version.namespace()).append("\">");
  }

  /** The Header. Callers append complete blocks as text that declare every prefix they use except {@code soap}. */
  public StringBuilder header() {
    if (!hasHeader) {
      head.append("<soap:Header>");
      hasHeader = true;
    }
    return head;
  }

  /**
   * Adds WS-Addressing's header blocks of a result, if the request has such: those that CXF writes, in its order.
   *
   * @param action of the answer; null for that of a fault of SOAP's own
   * @param id of the answer; null for a new one
   */
  public EnvelopeWriter addressing(String action, MessageProperties request, UUID id) {
    return addressing(action, request, request.reply().parameters(), id);
  }

  /** Like {@link #addressing}, of a fault. */
  public EnvelopeWriter faultAddressing(String action, MessageProperties request, UUID id) {
    return addressing(action, request, request.fault().parameters(), id);
  }

  private EnvelopeWriter addressing(String action, MessageProperties request, String parameters, UUID id) {
    if (request.used()) {
      block("Action", action == null ? Addressing.SOAP_FAULT_ACTION : XmlText.escape(action));
      block("MessageID", "urn:uuid:" + (id == null ? UUID.randomUUID() : id));
      block("To", Addressing.ANONYMOUS);
      if (request.messageId() != null) {
        block("RelatesTo", XmlText.escape(request.messageId()));
      }
      header().append(parameters);
    }
    return this;
  }

  private void block(String name, String content) {
    header().append("<wsa:").append(name).append(" xmlns:wsa=\"").append(Addressing.NAMESPACE).append("\">").append(content)
        .append("</wsa:").append(name).append('>');
  }

  /** Adds header blocks, like {@link #header}; an empty text adds nothing. */
  public EnvelopeWriter blocks(String blocks) {
    if (!blocks.isEmpty()) {
      header().append(blocks);
    }
    return this;
  }

  /**
   * The whole message.
   *
   * @param content of the Body, copied byte for byte
   */
  public byte[] body(byte[] content) {
    byte[] first = beginBody().toString().getBytes(StandardCharsets.UTF_8);
    byte[] all = new byte[first.length + content.length + END.length];
    System.arraycopy(first, 0, all, 0, first.length);
    System.arraycopy(content, 0, all, first.length, content.length);
    System.arraycopy(END, 0, all, first.length + content.length, END.length);
    return all;
  }

  /** The whole message, with a content that is text. */
  public byte[] body(String content) {
    return beginBody().append(content).append("</soap:Body></soap:Envelope>").toString().getBytes(StandardCharsets.UTF_8);
  }

  private StringBuilder beginBody() {
    return head.append(hasHeader ? "</soap:Header><soap:Body>" : "<soap:Body>");
  }

  /** The content of the Body of a fault that an operation declares. */
  public static String faultBody(SoapVersion version, DeclaredFault fault) {
    SoapFault.Code code = fault.sender() ? SoapFault.Code.SENDER : SoapFault.Code.RECEIVER;
    return faultBody(version, code, List.of(), fault.getMessage(), fault.detail());
  }

  /**
   * The content of the Body of a fault.
   *
   * @param subcodes from the outermost to the innermost; SOAP 1.1 has room for the last only
   * @param detail elements that declare every prefix they use; may be empty
   */
  public static String faultBody(
      SoapVersion version, SoapFault.Code code, List<QName> subcodes, String reason, String detail) {
    StringBuilder body = new StringBuilder(256 + detail.length());
    if (version == SoapVersion.SOAP11) {
      body.append("<soap:Fault><faultcode");
      if (subcodes.isEmpty()) {
        body.append(">soap:").append(code.in(version));
      } else {
        prefixed(body, subcodes.get(subcodes.size() - 1));
      }
      body.append("</faultcode><faultstring>").append(XmlText.escape(reason)).append("</faultstring>");
      return body.append(detail.isEmpty() ? "" : "<detail>" + detail + "</detail>").append("</soap:Fault>").toString();
    }
    body.append("<soap:Fault><soap:Code><soap:Value>soap:").append(code.in(version)).append("</soap:Value>");
    for (QName subcode : subcodes) {
      prefixed(body.append("<soap:Subcode><soap:Value"), subcode).append("</soap:Value>");
    }
    body.append("</soap:Subcode>".repeat(subcodes.size()));
    body.append("</soap:Code><soap:Reason><soap:Text xml:lang=\"en\">").append(XmlText.escape(reason));
    body.append("</soap:Text></soap:Reason>");
    body.append(detail.isEmpty() ? "" : "<soap:Detail>" + detail + "</soap:Detail>");
    return body.append("</soap:Fault>").toString();
  }

  private static StringBuilder prefixed(StringBuilder to, QName name) {
    to.append(" xmlns:").append(name.getPrefix()).append("=\"").append(name.getNamespaceURI()).append("\">");
    return to.append(name.getPrefix()).append(':').append(name.getLocalPart());
  }
}
