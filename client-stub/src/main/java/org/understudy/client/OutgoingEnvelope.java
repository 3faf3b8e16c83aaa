package org.understudy.client;

import java.io.ByteArrayOutputStream;
import org.apache.cxf.message.Message;
import org.understudy.client.envelope.Envelope;

/** Buffers the marshalled envelope; closing it sends the message. */
final class OutgoingEnvelope extends ByteArrayOutputStream {
  private final ReplicaConduit conduit;
  private final Message message;
  private boolean sent;

  OutgoingEnvelope(ReplicaConduit conduit, Message message) {
    super(2_048);
    this.conduit = conduit;
    this.message = message;
  }

  /** Shares this buffer; nothing may be written afterwards. */
  Envelope envelope() {
    return Envelope.of(buf, count);
  }

  @Override
  public void close() {
    if (!sent && message.getContent(Exception.class) == null) {
      sent = true;
      conduit.send(message, this);
    }
  }
}
