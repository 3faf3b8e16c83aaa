package org.understudy.outbox;

import java.net.URI;
import org.understudy.soap.addressing.Addressing;
import org.understudy.soap.envelope.EnvelopeWriter;
import org.understudy.soap.xml.XmlText;

/** Writes the envelope of a call. */
final class CallEnvelope {
  private static final String WSA = " xmlns:wsa=\"" + Addressing.NAMESPACE + "\">";

  private CallEnvelope() {}

  static byte[] of(StoredCall call, URI address) {
    EnvelopeWriter writer = new EnvelopeWriter(call.version());
    StringBuilder header = writer.header();
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
