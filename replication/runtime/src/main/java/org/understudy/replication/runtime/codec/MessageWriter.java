package org.understudy.replication.runtime.codec;

import org.understudy.replication.core.Message;
import org.understudy.replication.core.wire.ArrayWriter;

/**
 * Encodes messages one after another. Large arrays are not copied: they become segments of their own.
 *
 * <p>Not thread-safe; use one for each batch.
 */
public final class MessageWriter extends ArrayWriter {
  /** @param reserve bytes to leave free in front, for a frame's length */
  public MessageWriter(int reserve) {
    super(reserve);
  }

  public void write(Message message) {
    u8(message.kind().number());
    i64(message.epoch());
    message.write(this);
  }
}
