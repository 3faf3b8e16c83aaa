package org.understudy.replication.runtime.socket;

import java.nio.ByteBuffer;
import java.util.List;
import org.understudy.replication.core.Message;
import org.understudy.replication.runtime.codec.MessageWriter;

/**
 * Makes frames of messages. A state update goes to every backup in the same words, so the last message's frame is kept for
 * whoever is next. Thread-safe.
 */
final class Frames {
  private static final int LENGTH_BYTES = 4;

  private record Frame(Message message, ByteBuffer[] segments) {}

  private volatile Frame last;

  /** The frame's segments; their positions are the caller's own. */
  ByteBuffer[] of(List<Message> messages) {
    Frame known = last;
    if (messages.size() == 1 && known != null && known.message == messages.get(0)) {
      return duplicate(known.segments);
    }
    MessageWriter writer = new MessageWriter(LENGTH_BYTES);
    for (int i = 0; i < messages.size(); i++) {
      writer.write(messages.get(i));
    }
    ByteBuffer[] segments = writer.segments();
    segments[0].putInt(0, (int) (writer.size() - LENGTH_BYTES));
    if (messages.size() == 1 && messages.get(0) instanceof Message.Update update) {
      last = new Frame(update, segments);
      return duplicate(segments);
    }
    return segments;
  }

  private static ByteBuffer[] duplicate(ByteBuffer[] segments) {
    ByteBuffer[] copy = new ByteBuffer[segments.length];
    for (int i = 0; i < copy.length; i++) {
      copy[i] = segments[i].duplicate();
    }
    return copy;
  }
}
