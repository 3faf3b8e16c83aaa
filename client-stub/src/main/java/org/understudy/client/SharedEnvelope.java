package org.understudy.client;

import java.io.IOException;
import java.io.OutputStream;
import org.understudy.client.connection.Content;
import org.understudy.client.envelope.Envelope;
import org.understudy.replication.soap.HeaderBlock;

/** A message that is marshalled once: all attempts send the same bytes with other header blocks. */
record SharedEnvelope(Envelope envelope, String contentType, HttpFields http) implements OutgoingMessage {
  @Override
  public Sent attempt(byte[] constant, HeaderBlock block) {
    return new Sent(contentType, http, new Content() {
      @Override
      public long length() {
        return envelope.lengthWith(constant.length + block.count());
      }

      @Override
      public void writeTo(OutputStream out) throws IOException {
        envelope.writeTo(out, constant, block.bytes(), block.count());
      }
    });
  }

  @Override
  public boolean isShort() {
    return envelope.lengthWith(0) <= SHORT_BYTES;
  }
}
