package org.understudy.replication.core.membership;

import java.util.ArrayList;
import java.util.List;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.View;
import org.understudy.replication.core.LoadBoard;
import org.understudy.replication.core.Message;
import org.understudy.replication.core.MessageKind;
import org.understudy.replication.core.time.GroupTime;
import org.understudy.replication.core.wire.UnreadableException;
import org.understudy.replication.core.wire.WireReader;
import org.understudy.replication.core.wire.WireVersions;
import org.understudy.replication.core.wire.WireWriter;

/** The messages by which replicas agree on views, and their encoding. */
public sealed interface MembershipMessage extends Message {
  /** All kinds of these messages. */
  static List<MessageKind> kinds() {
    return List.of(
        PreVote.KIND, PreVoteReply.KIND, Prepare.KIND, Promise.KIND, Nack.KIND, NewView.KIND, Accepted.KIND,
        Heartbeat.KIND, HeartbeatAck.KIND, ReadRound.KIND, ReadRoundAck.KIND, RecoveryMessage.Survey.KIND,
        RecoveryMessage.SurveyReply.KIND, RecoveryMessage.Readmit.KIND);
  }

  private static MessageKind membershipKind(int number, String name, MessageKind.Reader reader) {
    return new MessageKind(number, name, "Membership", reader);
  }

  /** The view that a message proposes or belongs to; never {@link View#NONE}. */
  private static View viewOf(long epoch, WireReader in) {
    if (epoch == 0) {
      throw new UnreadableException("A message lacks its view.");
    }
    return new View(epoch, in.replicas());
  }

  /** Asks for a pre-vote. Promises nothing; keeps a replica that was cut off from disturbing the others. */
  record PreVote(long epoch) implements MembershipMessage {
    public static final MessageKind KIND = membershipKind(0, "PreVote", (epoch, in) -> new PreVote(epoch));

    @Override
    public MessageKind kind() {
      return KIND;
    }

    @Override
    public void write(WireWriter out) {
      // The epoch is the whole content.
    }
  }

  /** @param epoch the voter's promise */
  record PreVoteReply(long epoch, boolean granted) implements MembershipMessage {
    public static final MessageKind KIND =
        membershipKind(1, "PreVoteReply", (epoch, in) -> new PreVoteReply(epoch, in.bool()));

    @Override
    public MessageKind kind() {
      return KIND;
    }

    @Override
    public void write(WireWriter out) {
      out.bool(granted);
    }
  }

  /** @param first whether every configured replica has reported to the candidate that it has never been in a view */
  record Prepare(long epoch, boolean first) implements MembershipMessage {
    public static final MessageKind KIND = membershipKind(2, "Prepare", (epoch, in) -> new Prepare(epoch, in.bool()));

    @Override
    public MessageKind kind() {
      return KIND;
    }

    @Override
    public void write(WireWriter out) {
      out.bool(first);
    }
  }

  /**
   * The sender accepts no more messages of a lower epoch.
   *
   * @param base the sender's accepted view of the highest epoch that had a majority as members
   * @param complete whether the sender holds a prefix of that view's updates (as a member or a joiner up to date)
   * @param received the last of them
   * @param voter whether the promise counts
   * @param incarnation of the sender
   * @param reads the wire versions that the sender reads
   * @param wire the wire version of the base if the sender is complete; otherwise undefined
   */
  record Promise(
      long epoch,
      View base,
      boolean complete,
      long received,
      boolean voter,
      long incarnation,
      WireVersions reads,
      int wire)
      implements MembershipMessage {
    public static final MessageKind KIND =
        membershipKind(3, "Promise", Promise::read);

    /** With the wire versions of this build, and a base in the newest of them. */
    public Promise(long epoch, View base, boolean complete, long received, boolean voter, long incarnation) {
      this(
          epoch, base, complete, received, voter, incarnation, WireVersions.CURRENT, WireVersions.CURRENT.newest());
    }

    private static Promise read(long epoch, WireReader in) {
      return new Promise(
          epoch, in.view(), in.bool(), in.position(), in.bool(), in.i64(), in.versions(), in.u8());
    }

    @Override
    public MessageKind kind() {
      return KIND;
    }

    @Override
    public void write(WireWriter out) {
      out.view(base);
      out.bool(complete);
      out.i64(received);
      out.bool(voter);
      out.i64(incarnation);
      out.versions(reads);
      out.u8(wire);
    }
  }

  /** @param epoch the promise that conflicts */
  record Nack(long epoch) implements MembershipMessage {
    public static final MessageKind KIND = membershipKind(4, "Nack", (epoch, in) -> new Nack(epoch));

    @Override
    public MessageKind kind() {
      return KIND;
    }

    @Override
    public void write(WireWriter out) {
      // The epoch is the whole content.
    }
  }

  /**
   * @param base the view that it follows, or {@code view} itself when that has a majority as members
   * @param start the last update of the new primary when the view begins
   * @param voters those whose promises were counted; a majority of them must accept
   * @param incarnations of each member when it promised, in the order of the members
   * @param wire the wire version of the view: its primary writes no other, and every member reads it
   */
  record NewView(View view, View base, long start, List<ReplicaId> voters, List<Long> incarnations, int wire)
      implements MembershipMessage {
    public static final MessageKind KIND = membershipKind(5, "NewView", NewView::read);

    /** In the newest wire version of this build. */
    public NewView(View view, View base, long start, List<ReplicaId> voters, List<Long> incarnations) {
      this(view, base, start, voters, incarnations, WireVersions.CURRENT.newest());
    }

    public NewView {
      if (incarnations.size() != view.members().size()) {
        throw new IllegalArgumentException(incarnations.size() + " incarnations for " + view + ".");
      }
    }

    private static NewView read(long epoch, WireReader in) {
      View view = viewOf(epoch, in);
      View base = in.view();
      long start = in.position();
      List<ReplicaId> voters = in.replicas();
      List<Long> incarnations = new ArrayList<>(view.members().size());
      for (int i = 0; i < view.members().size(); i++) {
        incarnations.add(in.i64());
      }
      return new NewView(view, base, start, voters, incarnations, in.u8());
    }

    /** Whether the view includes this incarnation of the replica. */
    public boolean names(ReplicaId replica, long incarnation) {
      int place = view.members().indexOf(replica);
      return place >= 0 && incarnations.get(place) == incarnation;
    }

    @Override
    public long epoch() {
      return view.epoch();
    }

    @Override
    public MessageKind kind() {
      return KIND;
    }

    @Override
    public void write(WireWriter out) {
      out.replicas(view.members());
      out.view(base);
      out.i64(start);
      out.replicas(voters);
      incarnations.forEach(out::i64);
      out.u8(wire);
    }
  }

  /** @param member whether the sender is in the view with its state, and not merely a voter */
  record Accepted(long epoch, boolean member, long received) implements MembershipMessage {
    public static final MessageKind KIND =
        membershipKind(6, "Accepted", (epoch, in) -> new Accepted(epoch, in.bool(), in.position()));

    @Override
    public MessageKind kind() {
      return KIND;
    }

    @Override
    public void write(WireWriter out) {
      out.bool(member);
      out.i64(received);
    }
  }

  /**
   * @param base as in {@link NewView}
   * @param sentAt on the primary's clock
   * @param end the last update sent before it
   * @param stable the last stable update
   * @param authority whether a majority acknowledged the primary lately; without, it delays no election and gets no lease
   * @param wire the wire version of the view, a hint for joiners; 0 when the sender omits it
   * @param loads the load indexes of the members, a hint
   * @param time the clocks of the group, as far as the sender knows them
   * @param leaseMillis for which a lease is wanted, because acknowledgements take long; 0 for the usual lease
   */
  record Heartbeat(
      View view, View base, long sentAt, long end, long stable, boolean authority, int wire, LoadBoard loads, GroupTime time,
      int leaseMillis)
      implements MembershipMessage {
    public static final MessageKind KIND = new MessageKind(7, "Heartbeat", "Heartbeat", Heartbeat::read);

    /** In the newest wire version of this build. */
    public Heartbeat(View view, View base, long sentAt, long end, long stable, boolean authority) {
      this(view, base, sentAt, end, stable, authority, WireVersions.CURRENT.newest());
    }

    /** Without hints. */
    public Heartbeat(View view, View base, long sentAt, long end, long stable, boolean authority, int wire) {
      this(view, base, sentAt, end, stable, authority, wire, LoadBoard.EMPTY, GroupTime.NONE, 0);
    }

    private static Heartbeat read(long epoch, WireReader in) {
      View view = viewOf(epoch, in);
      View base = in.view();
      long sentAt = in.i64();
      long end = in.position();
      long stable = in.position();
      boolean authority = in.bool();
      byte[] advice = in.advice();
      int wire = advice.length > 0 ? advice[0] & 0xff : 0;
      LoadBoard loads = LoadAdvice.board(advice, 1, view.members());
      int clocks = 1 + LoadAdvice.bytes(view.members());
      GroupTime time = ClockAdvice.time(advice, clocks);
      int lease = ClockAdvice.leaseBehindTime(advice, clocks);
      return new Heartbeat(view, base, sentAt, end, stable, authority, wire, loads, time, lease);
    }

    @Override
    public long epoch() {
      return view.epoch();
    }

    @Override
    public MessageKind kind() {
      return KIND;
    }

    @Override
    public void write(WireWriter out) {
      out.replicas(view.members());
      out.view(base);
      out.i64(sentAt);
      out.i64(end);
      out.i64(stable);
      out.bool(authority);
      int clocks = 1 + LoadAdvice.bytes(view.members());
      out.advice(ClockAdvice.of(time, leaseMillis, LoadAdvice.of(loads, view.members(), wire), clocks));
    }

    @Override
    public boolean isUrgent() {
      return true;
    }

    /** States the last update sent before it: updates that are still queued are not missing and not requested again. */
    @Override
    public Message passing(Message update) {
      long before = Math.min(end, update.updateIndex() - 1);
      return new Heartbeat(view, base, sentAt, before, stable, authority, wire, loads, time, leaseMillis);
    }
  }

  /**
   * Answers the heartbeat that was sent at {@code sentAt}.
   *
   * @param voter whether the sender's promises count
   * @param lease whether the sender grants a lease from {@code sentAt}
   * @param load the sender's load index, a hint, or {@link LoadBoard#UNKNOWN}
   * @param wall the sender's wall clock in nanoseconds since 1970, or {@link GroupTime#UNKNOWN} while it does not count
   * @param database whether the sender has a database that decides updates, and it answers
   * @param leaseMillis for which the lease is granted; 0 for the usual lease
   */
  record HeartbeatAck(
      long epoch, long sentAt, boolean voter, boolean lease, int load, long wall, boolean database, int leaseMillis)
      implements MembershipMessage {
    public static final MessageKind KIND = new MessageKind(8, "HeartbeatAck", "Heartbeat", HeartbeatAck::read);

    /** Without hints. */
    public HeartbeatAck(long epoch, long sentAt, boolean voter, boolean lease) {
      this(epoch, sentAt, voter, lease, LoadBoard.UNKNOWN, GroupTime.UNKNOWN, false, 0);
    }

    private static HeartbeatAck read(long epoch, WireReader in) {
      long sentAt = in.i64();
      boolean voter = in.bool();
      boolean lease = in.bool();
      byte[] advice = in.advice();
      return new HeartbeatAck(
          epoch, sentAt, voter, lease, LoadAdvice.index(advice, 0), ClockAdvice.clock(advice, LoadAdvice.BYTES),
          ClockAdvice.mark(advice, LoadAdvice.BYTES), ClockAdvice.leaseBehindMark(advice, LoadAdvice.BYTES));
    }

    @Override
    public MessageKind kind() {
      return KIND;
    }

    @Override
    public void write(WireWriter out) {
      out.i64(sentAt);
      out.bool(voter);
      out.bool(lease);
      out.advice(ClockAdvice.of(wall, database, leaseMillis, LoadAdvice.of(load), LoadAdvice.BYTES));
    }

    @Override
    public boolean isUrgent() {
      return true;
    }
  }

  /**
   * The primary asks whether its view is still the newest; read requests wait for the answer.
   *
   * @param round grows with each round of this primary
   */
  record ReadRound(long epoch, long round) implements MembershipMessage {
    public static final MessageKind KIND =
        membershipKind(14, "ReadRound", (epoch, in) -> new ReadRound(epoch, in.position()));

    @Override
    public MessageKind kind() {
      return KIND;
    }

    @Override
    public void write(WireWriter out) {
      out.i64(round);
    }

    @Override
    public boolean isUrgent() {
      return true;
    }
  }

  /** The sender had promised no higher epoch when it received the round. */
  record ReadRoundAck(long epoch, long round) implements MembershipMessage {
    public static final MessageKind KIND =
        membershipKind(15, "ReadRoundAck", (epoch, in) -> new ReadRoundAck(epoch, in.position()));

    @Override
    public MessageKind kind() {
      return KIND;
    }

    @Override
    public void write(WireWriter out) {
      out.i64(round);
    }

    @Override
    public boolean isUrgent() {
      return true;
    }
  }
}
