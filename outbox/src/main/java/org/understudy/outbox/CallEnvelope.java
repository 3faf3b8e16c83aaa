package org.understudy.outbox;

import java.net.URI;
import org.understudy.soap.addressing.Addressing;
import org.understudy.soap.envelope.EnvelopeWriter;
import org.understudy.soap.envelope.SoapVersion;
import org.understudy.soap.xml.XmlText;

/** Writes the envelope of a call. */
final class CallEnvelope {
  static final String REPLICATION = "urn:understudy:replication:1";
  private static final String WSA = " xmlns:wsa=\"" + Addressing.NAMESPACE + "\">";

  /** For SOAPAction. */
  static final String OPEN_SESSION = "urn:understudy:replication:1/OpenSession";

  private CallEnvelope() {}

  static byte[] of(StoredCall call, URI address) {
    return of(call, address, "");
  }

  /**
   * The envelope of a call to a group.
   *
   * @param attempt from 1
   */
  static byte[] of(StoredCall call, URI address, GroupSession session, int attempt) {
    // One call of a session is on its way at a time: all before it are answered.
    String sequence = Long.toString(session.next());
    return of(
        call, address,
        replicationHeader(
            element("Session", session.id()) + element("Sequence", sequence) + element("AckBelow", sequence)
                + element("Attempt", Integer.toString(attempt))));
  }

  /**
   * A request for a session.
   *
   * @param nonce 32 hexadecimal digits
   */
  static byte[] openSession(SoapVersion version, String nonce) {
    return new EnvelopeWriter(version)
        .blocks(replicationHeader(""))
        .body("<ur:OpenSession xmlns:ur=\"" + REPLICATION + "\">" + element("Nonce", nonce) + "</ur:OpenSession>");
  }

  /** Any replica that is reached forwards what it does not serve. */
  private static String replicationHeader(String content) {
    return "<ur:ReplicationHeader xmlns:ur=\"" + REPLICATION + "\">" + content + element("Forward", "true")
        + "</ur:ReplicationHeader>";
  }

  private static String element(String name, String text) {
    return "<ur:" + name + ">" + XmlText.escape(text) + "</ur:" + name + ">";
  }

  private static byte[] of(StoredCall call, URI address, String replication) {
    EnvelopeWriter writer = new EnvelopeWriter(call.version());
    StringBuilder header = writer.header();
    header.append(replication);
    block(header, "To", address.toString());
    if (!call.action().isEmpty()) {
      block(header, "Action", call.action());
    }
    block(header, "MessageID", call.messageId());
    header.append("<wsa:ReplyTo").append(WSA).append("<wsa:Address>").append(Addressing.ANONYMOUS)
        .append("</wsa:Address></wsa:ReplyTo>");
    return writer.body(call.body());
  }

  private static void block(StringBuilder to, String name, String text) {
    to.append("<wsa:").append(name).append(WSA).append(XmlText.escape(text)).append("</wsa:").append(name).append('>');
  }
}
