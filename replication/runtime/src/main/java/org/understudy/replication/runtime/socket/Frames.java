package org.understudy.replication.runtime.socket;

import java.util.List;
import org.understudy.replication.core.Message;
import org.understudy.replication.runtime.codec.MessageWriter;

/**
 * Encodes messages as frames. A state update goes to every backup as the same bytes, so the last frame is cached for the
 * next backup. Thread-safe.
 */
final class Frames {
  private record Made(Message message, Frame frame) {}

  private volatile Made last;

  Frame of(List<Message> messages) {
    Made known = last;
    if (messages.size() == 1 && known != null && known.message == messages.get(0)) {
      return known.frame;
    }
    MessageWriter writer = new MessageWriter(0);
    for (int i = 0; i < messages.size(); i++) {
      writer.write(messages.get(i));
    }
    Frame frame = new Frame(writer.segments());
    if (messages.size() == 1 && messages.get(0).updateIndex() > 0) {
      last = new Made(messages.get(0), frame);
    }
    return frame;
  }
}
