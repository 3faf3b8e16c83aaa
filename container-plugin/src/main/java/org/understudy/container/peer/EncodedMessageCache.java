package org.understudy.container.peer;

import org.understudy.replication.core.Message;
import org.understudy.replication.runtime.codec.MessageWriter;

/**
 * Caches the encoding of the last state update, because every backup receives the same bytes. Thread-safe.
 */
final class EncodedMessageCache {
  private record Encoded(Message message, byte[] bytes) {}

  private volatile Encoded last;

  /** Returns the encoding of a message. The caller must not change the bytes. */
  byte[] of(Message message) {
    Encoded known = last;
    if (known != null && known.message == message) {
      return known.bytes;
    }
    MessageWriter writer = new MessageWriter(0);
    writer.write(message);
    byte[] bytes = writer.toBytes();
    if (message.updateIndex() > 0) {
      last = new Encoded(message, bytes);
    }
    return bytes;
  }
}
