package org.understudy.replication.core.order;

import java.util.List;
import org.understudy.replication.core.Message;
import org.understudy.replication.core.MessageKind;
import org.understudy.replication.core.update.EncodedSize;
import org.understudy.replication.core.update.StateUpdate;
import org.understudy.replication.core.update.UpdateForm;
import org.understudy.replication.core.wire.WireReader;
import org.understudy.replication.core.wire.WireVersions;
import org.understudy.replication.core.wire.WireWriter;

/** The messages of primary-backup alone, which carry the ordered updates, and their encoding. */
public sealed interface OrderMessage extends Message {
  /** All kinds of these messages. */
  static List<MessageKind> kinds() {
    return List.of(Update.KIND, Ack.KIND);
  }

  /**
   * @param stable the last stable update, so that backups may apply up to it
   * @param wire the wire version that it is written in: that of the view
   */
  record Update(long epoch, long stable, StateUpdate update, int wire) implements OrderMessage {
    public static final MessageKind KIND = new MessageKind(64, "StateUpdate", "StateUpdate", Update::read);

    /** In the newest wire version of this build. */
    public Update(long epoch, long stable, StateUpdate update) {
      this(epoch, stable, update, WireVersions.CURRENT.newest());
    }

    @Override
    public MessageKind kind() {
      return KIND;
    }

    @Override
    public void write(WireWriter out) {
      out.u8(wire);
      out.i64(stable);
      UpdateForm.write(update, out);
    }

    private static Update read(long epoch, WireReader in) {
      int wire = in.version();
      return new Update(epoch, in.position(), UpdateForm.read(in), wire);
    }

    @Override
    public long encodedBytes() {
      return EncodedSize.FIXED_BYTES + EncodedSize.of(update);
    }

    @Override
    public long updateIndex() {
      return update.index();
    }
  }

  /**
   * A cumulative acknowledgement.
   *
   * @param received every update up to this one is held
   * @param gap whether a later update was received and this one's successor is missing
   */
  record Ack(long epoch, long received, boolean gap) implements OrderMessage {
    public static final MessageKind KIND =
        new MessageKind(65, "Ack", "Acknowledgement", (epoch, in) -> new Ack(epoch, in.position(), in.bool()));

    @Override
    public MessageKind kind() {
      return KIND;
    }

    @Override
    public void write(WireWriter out) {
      out.i64(received);
      out.bool(gap);
    }

    @Override
    public boolean supersedes(Message earlier) {
      return earlier instanceof Ack older && older.epoch == epoch && older.received <= received;
    }
  }
}
