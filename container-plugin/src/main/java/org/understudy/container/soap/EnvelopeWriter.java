package org.understudy.container.soap;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.core.Failure;
import org.understudy.replication.core.Reply;

/** Puts envelopes around bodies. The prefix of SOAP is always {@code soap}: stored fault bodies rely on it. */
public final class EnvelopeWriter {
  private static final String UR = " xmlns:ur=\"" + ReplicationHeader.NAMESPACE + "\"";

  private static final byte[] BODY = "<soap:Body".getBytes(StandardCharsets.UTF_8);
  private static final byte[] END = "</soap:Body></soap:Envelope>".getBytes(StandardCharsets.UTF_8);
  private static final byte[] EMPTY_END = "</soap:Envelope>".getBytes(StandardCharsets.UTF_8);
  /** The action of a fault that a contract gives none (WS-Addressing 1.0, SOAP binding, section 6). */
  private static final String FAULT_ACTION = "http://www.w3.org/2005/08/addressing/soap/fault";

  private EnvelopeWriter() {}

  /**
   * A result: the stored body, byte for byte, under headers made anew for this attempt.
   *
   * @param action of the response as the contract says, or null for a fault
   * @param relatesTo the request's {@code wsa:MessageID}; null when there was none, the response then has no
   *     WS-Addressing headers
   */
  public static byte[] reply(SoapVersion version, Reply reply, String action, String relatesTo) {
    StringBuilder head = new StringBuilder(640);
    begin(head, version).append("<soap:Header><ur:ReplicationHeader").append(UR).append("><ur:Status>");
    head.append(
        switch (reply.status()) {
          case EXECUTED -> "executed";
          case REPLAYED -> "replayed";
          case READ -> "read";
        });
    head.append("</ur:Status><ur:VersionHandle>").append(reply.handle().epoch()).append('.');
    head.append(reply.handle().index()).append("</ur:VersionHandle><ur:Epoch>").append(reply.epoch());
    head.append("</ur:Epoch></ur:ReplicationHeader>");
    addressing(head, action, relatesTo).append("</soap:Header><soap:Body>");
    return join(head, reply.response().body());
  }

  /**
   * A message of ours.
   *
   * @param body the content of its body, ready as text
   * @param action as for {@link #reply}
   */
  public static byte[] message(SoapVersion version, String body, String action, String relatesTo) {
    return message(version, "", body, action, relatesTo);
  }

  private static byte[] message(SoapVersion version, String block, String body, String action, String relatesTo) {
    StringBuilder text = new StringBuilder(512 + block.length() + body.length());
    begin(text, version);
    if (relatesTo != null || !block.isEmpty()) {
      text.append("<soap:Header>").append(block);
      addressing(text, action, relatesTo).append("</soap:Header>");
    }
    return join(text.append("<soap:Body>").append(body), new byte[0]);
  }

  /**
   * A request without result. The response header says so too: by that a client tells it from a fault of a service that
   * quotes a {@code ReplicationFault} in its detail.
   *
   * @param view the children of Alternatives, from {@link Replicas}
   * @param declared an element that stands in the detail before our own, ready as text; empty for none. Clients made from
   *     a contract know a fault by the first
   * @param action of the fault; null for that of a fault of SOAP's own
   */
  public static byte[] fault(
      SoapVersion version,
      Failure failure,
      long epoch,
      List<Replicas.Address> view,
      String declared,
      String action,
      String relatesTo) {
    boolean client = isOfClient(failure.code());
    StringBuilder detail = new StringBuilder(512 + declared.length());
    detail.append(declared);
    detail.append("<ur:ReplicationFault").append(UR).append("><ur:Code>").append(failure.code());
    detail.append("</ur:Code><ur:Executed>").append(executed(failure.code())).append("</ur:Executed><ur:Epoch>");
    detail.append(epoch).append("</ur:Epoch><ur:Alternatives>");
    Replicas.append(detail, view);
    detail.append("</ur:Alternatives></ur:ReplicationFault>");
    String body = faultBody(version, client ? version.sender() : version.receiver(), failure.sentence(), detail.toString());
    String block =
        "<ur:ReplicationHeader" + UR + "><ur:Status>refused</ur:Status><ur:Epoch>" + epoch
            + "</ur:Epoch></ur:ReplicationHeader>";
    return message(version, block, body, action, relatesTo);
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
    if (version == SoapVersion.SOAP11) {
      return "<soap:Fault><faultcode>soap:" + code + "</faultcode><faultstring>" + escape(reason) + "</faultstring>"
          + (detail.isEmpty() ? "" : "<detail>" + detail + "</detail>") + "</soap:Fault>";
    }
    return "<soap:Fault><soap:Code><soap:Value>soap:" + code
        + "</soap:Value></soap:Code><soap:Reason><soap:Text xml:lang=\"en\">" + escape(reason)
        + "</soap:Text></soap:Reason>" + (detail.isEmpty() ? "" : "<soap:Detail>" + detail + "</soap:Detail>")
        + "</soap:Fault>";
  }

  private static StringBuilder begin(StringBuilder text, SoapVersion version) {
    return text.append("<soap:Envelope xmlns:soap=\"").append(version.namespace()).append("\">");
  }

  private static StringBuilder addressing(StringBuilder text, String action, String messageId) {
    if (messageId != null) {
      text.append("<wsa:Action xmlns:wsa=\"http://www.w3.org/2005/08/addressing\">");
      text.append(action == null ? FAULT_ACTION : escape(action)).append("</wsa:Action>");
      text.append("<wsa:RelatesTo xmlns:wsa=\"http://www.w3.org/2005/08/addressing\">");
      text.append(escape(messageId)).append("</wsa:RelatesTo>");
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

  /** Text for element content or a double-quoted attribute. */
  public static String escape(String text) {
    StringBuilder escaped = new StringBuilder(text.length() + 16);
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '<' -> escaped.append("&lt;");
        case '>' -> escaped.append("&gt;");
        case '&' -> escaped.append("&amp;");
        case '"' -> escaped.append("&quot;");
        default -> escaped.append(c < ' ' && c != '\t' && c != '\n' && c != '\r' || c >= '\ufffe' ? '?' : c);
      }
    }
    return escaped.toString();
  }

  /**
   * The content of the Body of an envelope that CXF wrote.
   *
   * @throws IllegalArgumentException when it is none of that form, for example with another prefix than {@code soap}
   */
  public static byte[] bodyOf(byte[] envelope, int length) {
    int begin = indexOf(envelope, length, BODY);
    while (begin >= 0 && begin < length && envelope[begin++] != '>') {
      // To the end of the tag, attributes and all.
    }
    int end = length;
    while (end > 0 && Character.isWhitespace(envelope[end - 1])) {
      end--;
    }
    if (begin > 1 && envelope[begin - 2] == '/' && end - EMPTY_END.length == begin) {
      return new byte[0];
    }
    end -= END.length;
    if (begin < 1 || end < begin || !Arrays.equals(envelope, end, end + END.length, END, 0, END.length)) {
      throw new IllegalArgumentException("The service's response is no envelope with the prefix soap.");
    }
    return Arrays.copyOfRange(envelope, begin, end);
  }

  private static int indexOf(byte[] all, int length, byte[] sought) {
    outer:
    for (int i = 0; i <= length - sought.length; i++) {
      for (int j = 0; j < sought.length; j++) {
        if (all[i + j] != sought[j]) {
          continue outer;
        }
      }
      return i;
    }
    return -1;
  }
}
