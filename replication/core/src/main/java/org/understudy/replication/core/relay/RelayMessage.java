package org.understudy.replication.core.relay;

import java.util.List;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.Message;
import org.understudy.replication.core.MessageKind;
import org.understudy.replication.core.wire.WireReader;
import org.understudy.replication.core.wire.WireWriter;

/** What replicas tell each other about their links, and what they pass on. Outside any epoch; no strategy sees it. */
public sealed interface RelayMessage extends Message {
  /** All kinds of these messages. */
  static List<MessageKind> kinds() {
    return List.of(LinkReport.KIND, Relayed.KIND);
  }

  private static MessageKind relayKind(int number, String name, MessageKind.Reader reader) {
    return new MessageKind(number, name, "Membership", reader);
  }

  @Override
  default long epoch() {
    return 0;
  }

  /**
   * Tells how the links of the sender work. Never relayed: its arrival shows that the direct link works in this direction.
   *
   * @param heard those whose reports have lately arrived at the sender
   * @param linked those of them that have lately reported that they hear the sender
   */
  record LinkReport(List<ReplicaId> heard, List<ReplicaId> linked) implements RelayMessage {
    public static final MessageKind KIND = relayKind(24, "LinkReport", LinkReport::read);

    public LinkReport {
      heard = List.copyOf(heard);
      linked = List.copyOf(linked);
    }

    private static LinkReport read(long epoch, WireReader in) {
      return new LinkReport(in.replicas(), in.replicas());
    }

    @Override
    public MessageKind kind() {
      return KIND;
    }

    @Override
    public void write(WireWriter out) {
      out.replicas(heard);
      out.replicas(linked);
    }

    @Override
    public boolean isUrgent() {
      return true;
    }
  }

  /**
   * Messages of one replica for another one, which the receiver passes on if it is neither.
   *
   * @param messages encoded; not changed any more
   */
  record Relayed(ReplicaId from, ReplicaId to, byte[] messages) implements RelayMessage {
    public static final MessageKind KIND = relayKind(25, "Relayed", Relayed::read);

    private static Relayed read(long epoch, WireReader in) {
      return new Relayed(new ReplicaId(in.u8()), new ReplicaId(in.u8()), in.bytes());
    }

    @Override
    public MessageKind kind() {
      return KIND;
    }

    @Override
    public void write(WireWriter out) {
      out.u8(from.number());
      out.u8(to.number());
      out.bytes(messages);
    }

    @Override
    public long encodedBytes() {
      return SMALL_BYTES + messages.length;
    }
  }
}
