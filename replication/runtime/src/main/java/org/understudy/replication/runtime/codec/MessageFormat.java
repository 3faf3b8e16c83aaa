package org.understudy.replication.runtime.codec;

import java.util.ArrayList;
import java.util.List;
import org.understudy.replication.core.Message;
import org.understudy.replication.core.MessageKind;
import org.understudy.replication.core.relay.RelayMessage;
import org.understudy.replication.core.wire.ArrayReader;
import org.understudy.replication.core.wire.UnreadableException;
import org.understudy.replication.core.wire.WireVersions;

/** Decodes the messages of one strategy. {@link MessageWriter} encodes them. Immutable. */
public final class MessageFormat {
  private static final int MAX_NUMBER = 255;

  private final MessageKind[] byNumber = new MessageKind[MAX_NUMBER + 1];
  private final WireVersions reads;

  /**
   * @param kinds of all messages that the strategy sends, those of shared packages among them
   * @param reads the wire versions that this replica reads
   */
  public MessageFormat(List<MessageKind> kinds, WireVersions reads) {
    this.reads = reads;
    for (MessageKind kind : kinds) {
      MessageKind other = byNumber[kind.number()];
      if (other != null) {
        throw new IllegalArgumentException(
            "The messages " + other.name() + " and " + kind.name() + " have the same number, " + kind.number() + ".");
      }
      byNumber[kind.number()] = kind;
    }
  }

  /** Also decodes what replicas send each other beneath their strategy. */
  public static MessageFormat ofPeers(List<MessageKind> kinds, WireVersions reads) {
    List<MessageKind> all = new ArrayList<>(kinds);
    all.addAll(RelayMessage.kinds());
    return new MessageFormat(all, reads);
  }

  /** The wire versions that this replica reads. */
  public WireVersions reads() {
    return reads;
  }

  /**
   * Decodes messages to the end.
   *
   * @throws MalformedMessageException when anything is unknown or invalid; then no message counts
   */
  public List<Message> readAll(byte[] bytes, int offset, int length) throws MalformedMessageException {
    ArrayReader in = new ArrayReader(bytes, offset, length, reads);
    List<Message> messages = new ArrayList<>(4);
    try {
      while (in.hasMore()) {
        messages.add(read(in));
      }
    } catch (UnreadableException e) {
      throw new MalformedMessageException(e.getMessage());
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      throw new MalformedMessageException("A message holds an impossible value: " + e.getMessage());
    }
    return messages;
  }

  private Message read(ArrayReader in) {
    int number = in.u8();
    MessageKind kind = byNumber[number];
    if (kind == null) {
      throw new UnreadableException("Unknown message type " + number + ".");
    }
    return kind.reader().read(in.position(), in);
  }
}
