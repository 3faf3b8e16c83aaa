package org.understudy.container.soap;

import java.nio.charset.StandardCharsets;
import java.util.List;
import javax.xml.namespace.QName;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.core.Failure;
import org.understudy.replication.core.Reply;
import org.understudy.soap.addressing.Addressing;
import org.understudy.soap.envelope.MessageProperties;
import org.understudy.soap.envelope.SoapFault;
import org.understudy.soap.envelope.SoapVersion;
import org.understudy.soap.xml.XmlText;

/** Puts envelopes around bodies. The prefix of SOAP is always {@code soap}: stored fault bodies rely on it. */
public final class EnvelopeWriter {
  private static final String UR = " xmlns:ur=\"" + ReplicationHeader.NAMESPACE + "\"";

  private static final byte[] END = "</soap:Body></soap:Envelope>".getBytes(StandardCharsets.UTF_8);

  private EnvelopeWriter() {}

  /**
   * A result: the stored body, byte for byte, under headers made anew for this attempt.
   *
   * @param action of the response as the contract says; null for that of a fault that the contract gives none
   * @param request the answer has WS-Addressing's header blocks when the request has
   * @param headerBlocks further ones, ready as text; may be empty
   */
  public static byte[] reply(
      SoapVersion version, Reply reply, String action, MessageProperties request, String headerBlocks) {
    StringBuilder head = new StringBuilder(640);
    begin(head, version).append("<soap:Header><ur:ReplicationHeader").append(UR).append("><ur:Status>");
    head.append(
        switch (reply.status()) {
          case EXECUTED -> "executed";
          case REPLAYED -> "replayed";
          case READ -> "read";
        });
    // Stubs that know no scopes read VersionHandle alone.
    String handle = reply.handle().isOfGroup() ? "ur:VersionHandle>" : "ur:ScopedHandle>";
    head.append("</ur:Status><").append(handle).append(reply.handle()).append("</").append(handle);
    head.append("<ur:Epoch>").append(reply.epoch());
    head.append("</ur:Epoch></ur:ReplicationHeader>");
    addressing(head, action, request).append(headerBlocks).append("</soap:Header><soap:Body>");
    return join(head, reply.response().body());
  }

  /**
   * A message of ours.
   *
   * @param body the content of its body, ready as text
   * @param action as for {@link #reply}
   */
  public static byte[] message(SoapVersion version, String body, String action, MessageProperties request) {
    return message(version, body, action, request, "");
  }

  private static byte[] message(
      SoapVersion version, String body, String action, MessageProperties request, String headerBlocks) {
    StringBuilder text = new StringBuilder(512 + body.length());
    begin(text, version);
    if (request.used() || !headerBlocks.isEmpty()) {
      text.append("<soap:Header>");
      addressing(text, action, request).append(headerBlocks).append("</soap:Header>");
    }
    return join(text.append("<soap:Body>").append(body), new byte[0]);
  }

  /**
   * A request without result. The response header says so too: by that a client tells it from a fault of a service that
   * quotes a {@code ReplicationFault} in its detail.
   *
   * @param standard what SOAP or WS-Addressing call it; null: no more than whose fault it is
   * @param view the children of Alternatives, from {@link Replicas}
   * @param declared an element that stands in the detail before our own, ready as text; empty for none. Clients made from
   *     a contract know a fault by the first
   * @param action of the fault; null for that of a fault of SOAP's own
   */
  public static byte[] fault(
      SoapVersion version,
      Failure failure,
      SoapFault standard,
      long epoch,
      List<Replicas.Address> view,
      String declared,
      String action,
      MessageProperties request) {
    SoapFault fault = standard != null ? standard : SoapFault.of(code(failure), 0, failure.sentence());
    StringBuilder detail = new StringBuilder(512 + declared.length());
    detail.append(declared).append(fault.detail(version));
    detail.append("<ur:ReplicationFault").append(UR).append("><ur:Code>").append(failure.code());
    detail.append("</ur:Code><ur:Executed>").append(executed(failure.code())).append("</ur:Executed><ur:Epoch>");
    detail.append(epoch).append("</ur:Epoch><ur:Alternatives>");
    Replicas.append(detail, view);
    detail.append("</ur:Alternatives></ur:ReplicationFault>");
    String body =
        faultBody(version, fault.code().in(version), fault.subcodes(), failure.sentence(), detail.toString());
    String blocks =
        "<ur:ReplicationHeader" + UR + "><ur:Status>refused</ur:Status><ur:Epoch>" + epoch
            + "</ur:Epoch></ur:ReplicationHeader>" + fault.headerBlocks(version);
    return message(version, body, action == null ? fault.action() : action, request, blocks);
  }

  /** Whose fault it is that a request has no result. */
  public static SoapFault.Code code(Failure failure) {
    return isOfClient(failure.code()) ? SoapFault.Code.SENDER : SoapFault.Code.RECEIVER;
  }

  /** Whether the request was wrong, rather than this replica unable. */
  public static boolean isOfClient(FailureCode code) {
    return switch (code) {
      case BadRequest, DigestMismatch, StaleSequence, SessionExpired -> true;
      default -> false;
    };
  }

  private static String executed(FailureCode code) {
    return switch (code.certainty()) {
      case NOT_EXECUTED -> "no";
      case EXECUTED -> "yes";
      case PENDING -> "pending";
      case UNKNOWN -> "unknown";
    };
  }

  /**
   * The content of the body of a fault.
   *
   * @param code the local name of a fault code of this version
   * @param detail elements that declare every prefix they use; may be empty
   */
  public static String faultBody(SoapVersion version, String code, String reason, String detail) {
    return faultBody(version, code, List.of(), reason, detail);
  }

  /** The same with subcodes, each within the one before. */
  private static String faultBody(
      SoapVersion version, String code, List<QName> subcodes, String reason, String detail) {
    StringBuilder body = new StringBuilder(256 + detail.length());
    if (version == SoapVersion.SOAP11) {
      body.append("<soap:Fault><faultcode");
      if (subcodes.isEmpty()) {
        body.append(">soap:").append(code);
      } else {
        // It has room for one: the most precise.
        prefixed(body, subcodes.get(subcodes.size() - 1));
      }
      body.append("</faultcode><faultstring>").append(XmlText.escape(reason)).append("</faultstring>");
      return body.append(detail.isEmpty() ? "" : "<detail>" + detail + "</detail>").append("</soap:Fault>").toString();
    }
    body.append("<soap:Fault><soap:Code><soap:Value>soap:").append(code).append("</soap:Value>");
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

  private static StringBuilder begin(StringBuilder text, SoapVersion version) {
    return text.append("<soap:Envelope xmlns:soap=\"").append(version.namespace()).append("\">");
  }

  private static StringBuilder addressing(StringBuilder text, String action, MessageProperties request) {
    if (request.used()) {
      text.append("<wsa:Action xmlns:wsa=\"").append(Addressing.NAMESPACE).append("\">");
      text.append(action == null ? Addressing.SOAP_FAULT_ACTION : XmlText.escape(action)).append("</wsa:Action>");
    }
    if (request.messageId() != null) {
      text.append("<wsa:RelatesTo xmlns:wsa=\"").append(Addressing.NAMESPACE).append("\">");
      text.append(XmlText.escape(request.messageId())).append("</wsa:RelatesTo>");
    }
    return text;
  }

  private static byte[] join(StringBuilder head, byte[] body) {
    byte[] first = head.toString().getBytes(StandardCharsets.UTF_8);
    byte[] all = new byte[first.length + body.length + END.length];
    System.arraycopy(first, 0, all, 0, first.length);
    System.arraycopy(body, 0, all, first.length, body.length);
    System.arraycopy(END, 0, all, first.length + body.length, END.length);
    return all;
  }
}
