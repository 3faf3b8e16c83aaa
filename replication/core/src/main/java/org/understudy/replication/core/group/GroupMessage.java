package org.understudy.replication.core.group;

import java.util.ArrayList;
import java.util.List;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.SessionId;
import org.understudy.replication.core.Message;
import org.understudy.replication.core.MessageKind;
import org.understudy.replication.core.update.EncodedSize;
import org.understudy.replication.core.update.StateUpdate;
import org.understudy.replication.core.update.UpdateForm;
import org.understudy.replication.core.wire.WireReader;
import org.understudy.replication.core.wire.WireWriter;

/** The messages of group replication alone, and their encoding. The sequencer is the primary of the view. */
sealed interface GroupMessage extends Message {
  /** All kinds of these messages. */
  static List<MessageKind> kinds() {
    return List.of(Proposal.KIND, Stable.KIND, IndexQuery.KIND, IndexReply.KIND, Placed.KIND, RenewalQuery.KIND, Delegation.KIND,
        Recall.KIND, Return.KIND);
  }

  /**
   * From a member to the sequencer, or to all by a group channel: requests a place in the order.
   *
   * @param update with an origin and without an index
   * @param wire the wire version that it is written in: that of the view
   */
  record Proposal(long epoch, StateUpdate update, int wire) implements GroupMessage {
    static final MessageKind KIND = new MessageKind(66, "Proposal", "StateUpdate", Proposal::read);

    @Override
    public MessageKind kind() {
      return KIND;
    }

    @Override
    public void write(WireWriter out) {
      out.u8(wire);
      UpdateForm.write(update, out);
    }

    private static Proposal read(long epoch, WireReader in) {
      int wire = in.version();
      return new Proposal(epoch, UpdateForm.read(in), wire);
    }

    @Override
    public long encodedBytes() {
      return EncodedSize.FIXED_BYTES + EncodedSize.of(update);
    }
  }

  /** From the sequencer to the members: every update up to this index is stable. */
  record Stable(long epoch, long index) implements GroupMessage {
    static final MessageKind KIND =
        new MessageKind(67, "Stable", "Acknowledgement", (epoch, in) -> new Stable(epoch, in.position()));

    @Override
    public MessageKind kind() {
      return KIND;
    }

    @Override
    public void write(WireWriter out) {
      out.i64(index);
    }

    @Override
    public boolean supersedes(Message earlier) {
      return earlier instanceof Stable older && older.epoch == epoch && older.index <= index;
    }
  }

  /**
   * From a member to the sequencer: which updates must a read that arrived before this query show?
   *
   * @param number ascends; answers name it
   */
  record IndexQuery(long epoch, long number) implements GroupMessage {
    static final MessageKind KIND =
        new MessageKind(68, "IndexQuery", "Membership", (epoch, in) -> new IndexQuery(epoch, in.position()));

    @Override
    public MessageKind kind() {
      return KIND;
    }

    @Override
    public void write(WireWriter out) {
      out.i64(number);
    }
  }

  /**
   * An {@link IndexQuery} for requests some of which renew sessions: whoever answers it has renewed them. In views whose wire version has
   * {@link org.understudy.replication.core.wire.WireVersions#RENEWALS}.
   *
   * @param number as of a query without sessions
   * @param sessions not more than requests wait at the member
   */
  record RenewalQuery(long epoch, long number, List<SessionId> sessions) implements GroupMessage {
    static final MessageKind KIND = new MessageKind(81, "RenewalQuery", "Membership", RenewalQuery::read);

    private static final int SESSION_BYTES = 2 * Long.BYTES;

    @Override
    public MessageKind kind() {
      return KIND;
    }

    @Override
    public void write(WireWriter out) {
      out.i64(number);
      out.i32(sessions.size());
      sessions.forEach(out::session);
    }

    private static RenewalQuery read(long epoch, WireReader in) {
      long number = in.position();
      int count = in.count(SESSION_BYTES);
      List<SessionId> sessions = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        sessions.add(in.session());
      }
      return new RenewalQuery(epoch, number, sessions);
    }

    @Override
    public long encodedBytes() {
      return EncodedSize.FIXED_BYTES + (long) SESSION_BYTES * sessions.size();
    }
  }

  /**
   * Answers a query, when no other view can have begun before it arrived.
   *
   * @param index the last update that any client can have seen when the query arrived
   */
  record IndexReply(long epoch, long number, long index) implements GroupMessage {
    static final MessageKind KIND =
        new MessageKind(
            69, "IndexReply", "Membership", (epoch, in) -> new IndexReply(epoch, in.position(), in.position()));

    @Override
    public MessageKind kind() {
      return KIND;
    }

    @Override
    public void write(WireWriter out) {
      out.i64(number);
      out.i64(index);
    }
  }

  /**
   * From the sequencer to a member: the proposal that a group channel delivers has this place.
   *
   * @param stable the last stable update
   * @param index the place
   * @param replica that proposed it
   * @param number of the proposal in this epoch
   */
  record Placed(long epoch, long stable, long index, ReplicaId replica, long number) implements GroupMessage {
    static final MessageKind KIND = new MessageKind(80, "Placed", "StateUpdate", Placed::read);

    @Override
    public MessageKind kind() {
      return KIND;
    }

    @Override
    public void write(WireWriter out) {
      out.i64(stable);
      out.i64(index);
      out.u8(replica.number());
      out.i64(number);
    }

    @Override
    public long updateIndex() {
      return index;
    }

    private static Placed read(long epoch, WireReader in) {
      return new Placed(epoch, in.position(), in.position(), new ReplicaId(in.u8()), in.position());
    }

    @Override
    public long encodedBytes() {
      return EncodedSize.FIXED_BYTES;
    }
  }

  /**
   * From the sequencer to the member that alone proposes: it places its proposals itself, after this update.
   *
   * @param number ascends in an epoch
   * @param index the last update that the sequencer has placed
   * @param placed the number of the member's last proposal that has a place
   */
  record Delegation(long epoch, long number, long index, long placed) implements GroupMessage {
    static final MessageKind KIND =
        new MessageKind(
            82, "Delegation", "Membership", (epoch, in) -> new Delegation(epoch, in.position(), in.position(), in.position()));

    @Override
    public MessageKind kind() {
      return KIND;
    }

    @Override
    public void write(WireWriter out) {
      out.i64(number);
      out.i64(index);
      out.i64(placed);
    }
  }

  /** From the sequencer to a member: it places nothing more under this delegation, nor under earlier ones. */
  record Recall(long epoch, long number) implements GroupMessage {
    static final MessageKind KIND = new MessageKind(83, "Recall", "Membership", (epoch, in) -> new Recall(epoch, in.position()));

    @Override
    public MessageKind kind() {
      return KIND;
    }

    @Override
    public void write(WireWriter out) {
      out.i64(number);
    }
  }

  /**
   * From a member to the sequencer: it has placed nothing after this update, and places nothing more under this delegation.
   *
   * @param index 0 when it has placed nothing under it
   */
  record Return(long epoch, long number, long index) implements GroupMessage {
    static final MessageKind KIND =
        new MessageKind(84, "Return", "Membership", (epoch, in) -> new Return(epoch, in.position(), in.position()));

    @Override
    public MessageKind kind() {
      return KIND;
    }

    @Override
    public void write(WireWriter out) {
      out.i64(number);
      out.i64(index);
    }
  }
}
