package org.understudy.notification.connection;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import org.apache.hc.core5.http.nio.AsyncEntityProducer;
import org.apache.hc.core5.http.nio.DataStreamChannel;

/** Writes an envelope's parts to the socket without copying them, so that a large message is not copied for each consumer. */
final class EnvelopeProducer implements AsyncEntityProducer {
  private final String contentType;
  private final List<byte[]> parts;
  private final long length;
  private int next;
  private ByteBuffer current = ByteBuffer.allocate(0);

  EnvelopeProducer(String contentType, List<byte[]> parts) {
    this.contentType = contentType;
    this.parts = parts;
    this.length = parts.stream().mapToLong(part -> part.length).sum();
  }

  @Override
  public void produce(DataStreamChannel channel) throws IOException {
    while (true) {
      while (!current.hasRemaining()) {
        if (next == parts.size()) {
          channel.endStream();
          return;
        }
        current = ByteBuffer.wrap(parts.get(next++));
      }
      channel.write(current);
      if (current.hasRemaining()) {
        // The socket is full; called again when it is writable.
        return;
      }
    }
  }

  @Override
  public int available() {
    return Integer.MAX_VALUE;
  }

  @Override
  public long getContentLength() {
    return length;
  }

  @Override
  public String getContentType() {
    return contentType;
  }

  @Override
  public String getContentEncoding() {
    return null;
  }

  @Override
  public boolean isChunked() {
    return false;
  }

  @Override
  public Set<String> getTrailerNames() {
    return Set.of();
  }

  @Override
  public boolean isRepeatable() {
    return false;
  }

  @Override
  public void failed(Exception cause) {
    // The exchange is notified too, by its own callback.
  }

  @Override
  public void releaseResources() {
    current = ByteBuffer.allocate(0);
    next = parts.size();
  }
}
