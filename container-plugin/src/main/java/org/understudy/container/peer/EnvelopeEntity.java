package org.understudy.container.peer;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.io.entity.AbstractHttpEntity;
import org.understudy.replication.runtime.codec.Slice;

/** The HTTP content of an envelope: writes its segments without copying them. */
final class EnvelopeEntity extends AbstractHttpEntity {
  private final PeerEnvelope envelope;

  EnvelopeEntity(PeerEnvelope envelope) {
    super((ContentType) null, null);
    this.envelope = envelope;
  }

  @Override
  public long getContentLength() {
    return envelope.length();
  }

  @Override
  public InputStream getContent() {
    throw new UnsupportedOperationException("This entity can only be written.");
  }

  @Override
  public void writeTo(OutputStream out) throws IOException {
    for (byte[] segment : envelope.segments()) {
      for (int at = 0; at < segment.length; at += Slice.BYTES) {
        out.write(segment, at, Math.min(Slice.BYTES, segment.length - at));
      }
    }
  }

  @Override
  public boolean isStreaming() {
    return false;
  }

  @Override
  public boolean isRepeatable() {
    return true;
  }

  @Override
  public void close() {}
}
