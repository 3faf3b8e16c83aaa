package org.understudy.replication.core.transfer;

import java.util.ArrayList;
import java.util.List;
import org.understudy.replication.core.Message;
import org.understudy.replication.core.MessageKind;
import org.understudy.replication.core.store.Holdings;
import org.understudy.replication.core.store.Item;
import org.understudy.replication.core.update.EncodedSize;
import org.understudy.replication.core.wire.WireReader;
import org.understudy.replication.core.wire.WireVersions;
import org.understudy.replication.core.wire.WireWriter;

/** The messages of a state transfer, and their encoding. */
public sealed interface TransferMessage extends Message {
  /** All kinds of these messages. */
  static List<MessageKind> kinds() {
    return List.of(Join.KIND, Snapshot.KIND, SnapshotAck.KIND, HoldingsQuery.KIND, HoldingsReply.KIND);
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
   * @param number of the joiner's {@link Holdings} that the parts change; 0 when they are the whole state
   * @param wire the wire version that it is written in: that of the view
   */
  record Snapshot(long epoch, long incarnation, int part, boolean last, long index, long number, List<Item> items, int wire)
      implements TransferMessage {
    public static final MessageKind KIND = new MessageKind(12, "Snapshot", "StateTransfer", Snapshot::read);

    /** Of a whole state, in the newest wire version of this build. */
    public Snapshot(long epoch, long incarnation, int part, boolean last, long index, List<Item> items) {
      this(epoch, incarnation, part, last, index, 0, items, WireVersions.CURRENT.newest());
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
      if (wire >= WireVersions.HOLDINGS) {
        out.i64(number);
      }
      out.i32(items.size());
      items.forEach(item -> item.write(out));
    }

    private static Snapshot read(long epoch, WireReader in) {
      int wire = in.version();
      return new Snapshot(
          epoch,
          in.i64(),
          in.i32(),
          in.bool(),
          in.position(),
          wire >= WireVersions.HOLDINGS ? in.position() : 0,
          items(in),
          wire);
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

  /**
   * Asks a joiner what it holds.
   *
   * @param incarnation of the joiner
   * @param index the update as of which the sender would transfer its state; what the joiner has of later updates does not
   *     count
   */
  record HoldingsQuery(long epoch, long incarnation, long index) implements TransferMessage {
    public static final MessageKind KIND =
        new MessageKind(
            21,
            "HoldingsQuery",
            "StateTransfer",
            (epoch, in) -> new HoldingsQuery(epoch, in.i64(), in.position()));

    @Override
    public MessageKind kind() {
      return KIND;
    }

    @Override
    public void write(WireWriter out) {
      out.i64(incarnation);
      out.i64(index);
    }
  }

  /** What the joiner holds. */
  record HoldingsReply(long epoch, long incarnation, Holdings holdings) implements TransferMessage {
    public static final MessageKind KIND =
        new MessageKind(
            22,
            "HoldingsReply",
            "StateTransfer",
            (epoch, in) -> new HoldingsReply(epoch, in.i64(), Holdings.read(in)));

    @Override
    public MessageKind kind() {
      return KIND;
    }

    @Override
    public void write(WireWriter out) {
      out.i64(incarnation);
      holdings.write(out);
    }

    @Override
    public long encodedBytes() {
      return EncodedSize.FIXED_BYTES + holdings.encodedBytes();
    }
  }
}
