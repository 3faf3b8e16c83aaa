package org.understudy.replication.core.journal;

import java.util.ArrayList;
import java.util.List;
import org.understudy.replication.core.record.AppendedRecord;
import org.understudy.replication.core.record.RecordKind;
import org.understudy.replication.core.store.Item;
import org.understudy.replication.core.update.StateUpdate;
import org.understudy.replication.core.update.UpdateForm;
import org.understudy.replication.core.wire.ArrayReader;
import org.understudy.replication.core.wire.ArrayWriter;
import org.understudy.replication.core.wire.WireReader;
import org.understudy.replication.core.wire.WireVersions;
import org.understudy.replication.core.wire.WireWriter;

/** A record of a replica's journal. Decoding throws a {@link RuntimeException} for what this build cannot read. */
public sealed interface JournalRecord extends AppendedRecord {
  RecordKind<JournalRecord> KIND = new RecordKind<>("journal", JournalRecord.class, JournalRecord::decode);

  /**
   * The replica holds this update: it is the successor of the last one.
   *
   * @param number see {@link AppendedRecord#number}; here and in the other records
   */
  record Appended(long number, StateUpdate update) implements JournalRecord {
    @Override
    public void write(WireWriter out) {
      out.u8(1);
      out.i64(number);
      UpdateForm.write(update, out);
    }
  }

  /**
   * The replica is a member of a view: it holds what that view's predecessors made stable.
   *
   * @param start updates after this one are void
   * @param wire the wire version of the view
   */
  record Entered(long number, long epoch, long start, int wire) implements JournalRecord {
    @Override
    public void write(WireWriter out) {
      out.u8(2);
      out.i64(number);
      out.i64(epoch);
      out.i64(start);
      out.u8(wire);
    }
  }

  /** A view began without the replica: what the records before this one hold may lack acknowledged updates. */
  record Voided(long number) implements JournalRecord {
    @Override
    public void write(WireWriter out) {
      out.u8(3);
      out.i64(number);
    }
  }

  /**
   * A part of a checkpoint: the whole state, and the updates of the log that it does not include or that are not stable.
   * Records of other kinds may lie between two parts.
   *
   * @param first the number of the checkpoint's first part
   * @param last whether the checkpoint is complete with this part
   * @param epoch the view whose state it is
   * @param wire the wire version in which it is written
   * @param index the last update that the state includes
   * @param stable the last update that was known to be stable
   * @param needed the update up to which the replica needs the log to hold what it received; 0 for none
   */
  record Part(
      long number, long first, boolean last, long epoch, int wire, long index, long stable, long needed, List<Item> items)
      implements JournalRecord {
    @Override
    public void write(WireWriter out) {
      out.u8(4);
      out.i64(number);
      out.i64(first);
      out.bool(last);
      out.i64(epoch);
      out.u8(wire);
      out.i64(index);
      out.i64(stable);
      out.i64(needed);
      out.i32(items.size());
      items.forEach(item -> item.write(out));
    }

    @Override
    public long redundantBelow() {
      return last ? first : 0;
    }

    private static Part read(WireReader in) {
      return new Part(
          in.position(), in.position(), in.bool(), in.position(), in.version(), in.position(), in.position(), in.position(),
          items(in));
    }

    private static List<Item> items(WireReader in) {
      int count = in.count(Item.LEAST_BYTES);
      List<Item> items = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        items.add(Item.read(in));
      }
      return items;
    }
  }

  void write(WireWriter out);

  @Override
  default long redundantBelow() {
    return 0;
  }

  @Override
  default RecordKind<?> kind() {
    return KIND;
  }

  @Override
  default byte[] encode() {
    ArrayWriter out = new ArrayWriter(0);
    write(out);
    return out.toBytes();
  }

  private static JournalRecord decode(byte[] bytes) {
    ArrayReader in = new ArrayReader(bytes, 0, bytes.length, WireVersions.CURRENT);
    JournalRecord record =
        switch (in.u8(4)) {
          case 1 -> new Appended(in.position(), UpdateForm.read(in));
          case 2 -> new Entered(in.position(), in.position(), in.position(), in.version());
          case 3 -> new Voided(in.position());
          case 4 -> Part.read(in);
          default -> throw new IllegalArgumentException("an unknown record");
        };
    if (in.hasMore()) {
      throw new IllegalArgumentException("more than a record");
    }
    return record;
  }
}
