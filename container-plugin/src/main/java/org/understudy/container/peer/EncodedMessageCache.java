package org.understudy.container.peer;

import org.understudy.replication.core.Message;
import org.understudy.replication.runtime.codec.MessageWriter;

/**
 * Caches the encoding of the last state update, because every backup receives the same bytes. Thread-safe.
 */
final class EncodedMessageCache {
  private record Binary(Message message, byte[] bytes) {}

  private volatile Binary last;

  /** Not to be changed by the caller. */
  byte[] of(Message message) {
    Binary known = last;
    if (known != null && known.message == message) {
      return known.bytes;
    }
    MessageWriter writer = new MessageWriter(0);
    writer.write(message);
    byte[] bytes = writer.toBytes();
    if (message.updateIndex() > 0) {
      last = new Binary(message, bytes);
    }
    return bytes;
  }
}
