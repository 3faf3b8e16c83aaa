package org.understudy.outbox;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.understudy.replication.api.VersionHandles;
import org.understudy.replication.soap.HeaderBlock;
import org.understudy.replication.soap.ReplicationHeader;
import org.understudy.replication.soap.ReplicationNames;
import org.understudy.soap.addressing.Addressing;
import org.understudy.soap.envelope.EnvelopeWriter;
import org.understudy.soap.envelope.SoapVersion;
import org.understudy.soap.xml.XmlText;

/** Writes the envelope of a call. */
final class CallEnvelope {
  private static final String WSA = " xmlns:wsa=\"" + Addressing.NAMESPACE + "\">";

  /** The SOAPAction of a request for a session. */
  static final String OPEN_SESSION = ReplicationNames.action("OpenSession");

  private CallEnvelope() {}

  static byte[] of(StoredCall call, URI address) {
    return of(call, address, "");
  }

  /**
   * The envelope of a call to a group. It requests that a replica forwards the call if it does not serve it.
   *
   * @param attempt from 1
   */
  static byte[] of(StoredCall call, URI address, GroupSession session, int attempt) {
    // One call of a session is in flight at a time, so all earlier calls are answered.
    HeaderBlock block = new HeaderBlock();
    block.write(session.id(), session.next(), session.next(), VersionHandles.NONE, 0, attempt, null, true);
    return of(call, address, new String(block.bytes(), 0, block.count(), StandardCharsets.US_ASCII));
  }

  /**
   * A request for a session.
   *
   * @param nonce 32 hexadecimal digits
   */
  static byte[] openSession(SoapVersion version, String nonce) {
    return new EnvelopeWriter(version)
        .blocks(ReplicationHeader.FORWARD_ONLY)
        .body(ReplicationNames.open("OpenSession") + "<ur:Nonce>" + nonce + "</ur:Nonce></ur:OpenSession>");
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
