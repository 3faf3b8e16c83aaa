package org.understudy.test.channel;

import org.understudy.replication.core.Message;
import org.understudy.replication.core.MessageKind;
import org.understudy.replication.core.wire.WireWriter;

/** A message without a protocol, as text. */
public record Word(String text) implements Message {
  /** Decodes it. */
  public static final MessageKind KIND = new MessageKind(240, "Word", "Words", (epoch, in) -> new Word(in.string()));

  @Override
  public long epoch() {
    return 0;
  }

  @Override
  public MessageKind kind() {
    return KIND;
  }

  @Override
  public void write(WireWriter out) {
    out.string(text);
  }

  @Override
  public long encodedBytes() {
    return 16 + 3L * text.length();
  }
}
