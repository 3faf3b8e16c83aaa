package org.understudy.replication.core.transfer;

import java.util.ArrayList;
import java.util.List;
import org.understudy.replication.core.Message;
import org.understudy.replication.core.MessageKind;
import org.understudy.replication.core.store.Item;
import org.understudy.replication.core.update.EncodedSize;
import org.understudy.replication.core.wire.WireReader;
import org.understudy.replication.core.wire.WireVersions;
import org.understudy.replication.core.wire.WireWriter;

/** The messages of a state transfer, and their encoding. */
public sealed interface TransferMessage extends Message {
  /** All kinds of these messages. */
  static List<MessageKind> kinds() {
    return List.of(Join.KIND, Snapshot.KIND, SnapshotAck.KIND);
  }

  /**
   * Requests a state transfer.
   *
   * @param neverInView whether the sender has never been in a view
   * @param reads the wire versions that the sender reads
   */
  record Join(long epoch, long incarnation, boolean neverInView, WireVersions reads) implements TransferMessage {
    public static final MessageKind KIND =
        new MessageKind(
            11, "Join", "StateTransfer", (epoch, in) -> new Join(epoch, in.i64(), in.bool(), in.versions()));

    /** With the wire versions of this build. */
    public Join(long epoch, long incarnation, boolean neverInView) {
      this(epoch, incarnation, neverInView, WireVersions.CURRENT);
    }

    @Override
    public MessageKind kind() {
      return KIND;
    }

    @Override
    public void write(WireWriter out) {
      out.i64(incarnation);
      out.bool(neverInView);
      out.versions(reads);
    }
  }

  /**
   * A part of the state as of one update.
   *
   * @param incarnation of the joiner
   * @param part from 0
   * @param index the update as of which the parts show the state
   * @param wire the wire version that it is written in: that of the view
   */
  record Snapshot(long epoch, long incarnation, int part, boolean last, long index, List<Item> items, int wire)
      implements TransferMessage {
    public static final MessageKind KIND = new MessageKind(12, "Snapshot", "StateTransfer", Snapshot::read);

    /** In the newest wire version of this build. */
    public Snapshot(long epoch, long incarnation, int part, boolean last, long index, List<Item> items) {
      this(epoch, incarnation, part, last, index, items, WireVersions.CURRENT.newest());
    }

    @Override
    public MessageKind kind() {
      return KIND;
    }

    @Override
    public void write(WireWriter out) {
      out.u8(wire);
      out.i64(incarnation);
      out.i32(part);
      out.bool(last);
      out.i64(index);
      out.i32(items.size());
      items.forEach(item -> item.write(out));
    }

    private static Snapshot read(long epoch, WireReader in) {
      int wire = in.version();
      return new Snapshot(epoch, in.i64(), in.i32(), in.bool(), in.position(), items(in), wire);
    }

    private static List<Item> items(WireReader in) {
      int count = in.count(Item.LEAST_BYTES);
      List<Item> items = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        items.add(Item.read(in));
      }
      return items;
    }

    @Override
    public long encodedBytes() {
      long bytes = EncodedSize.FIXED_BYTES;
      for (Item item : items) {
        bytes += item.encodedBytes();
      }
      return bytes;
    }
  }

  /** Acknowledges a part. */
  record SnapshotAck(long epoch, long incarnation, int part) implements TransferMessage {
    public static final MessageKind KIND =
        new MessageKind(
            13, "SnapshotAck", "StateTransfer", (epoch, in) -> new SnapshotAck(epoch, in.i64(), in.i32()));

    @Override
    public MessageKind kind() {
      return KIND;
    }

    @Override
    public void write(WireWriter out) {
      out.i64(incarnation);
      out.i32(part);
    }
  }
}
