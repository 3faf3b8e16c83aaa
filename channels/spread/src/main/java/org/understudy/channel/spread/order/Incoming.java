package org.understudy.channel.spread.order;

import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.understudy.channel.batch.IncomingBatch;
import org.understudy.channel.batch.OutgoingBatches;
import org.understudy.channel.batch.Piece;
import org.understudy.channel.spread.session.GroupId;
import org.understudy.channel.spread.session.SessionEvent;
import org.understudy.channel.spread.session.SpreadProtocolException;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.GroupView;
import org.understudy.replication.core.Message;
import org.understudy.replication.core.channel.GroupReceiver;
import org.understudy.replication.runtime.codec.MalformedMessageException;
import org.understudy.replication.runtime.codec.MessageFormat;

/**
 * Turns what a session receives into the messages and views of a group channel. Every member of a membership decides the same for each
 * frame: a frame counts if its tag proves its sender, if it was sent in this membership, and if it is its session's next one. All others
 * are dropped, so a repeated frame has no effect. A membership lasts here until the replicas' sessions change or daemons meet or part,
 * whatever strangers do. Not thread-safe; calls the receiver from {@link #accept}.
 *
 * <p>SAFE and AGREED frames count alike. A channel promises an order and no stability, so the transitional signal changes nothing here.
 */
public final class Incoming {
  private final GroupNames names;
  private final List<ReplicaId> configured;
  private final String session;
  private final MessageFormat format;
  private final OutgoingBatches outgoing;
  private GroupId view;
  /** The members' sessions that prove a configured replica, in the daemons' order. */
  private Map<String, Sender> senders = Map.of();
  private long views;

  /** One session in the current membership. */
  private static final class Sender {
    final ReplicaId replica;
    final IncomingBatch batch;
    long frames;

    Sender(ReplicaId replica, MessageFormat format) {
      this.replica = replica;
      this.batch = new IncomingBatch(format);
    }
  }

  /** @param session this session's private group */
  public Incoming(GroupNames names, List<ReplicaId> configured, String session, MessageFormat format, OutgoingBatches outgoing) {
    this.names = names;
    this.configured = List.copyOf(configured);
    this.session = session;
    this.format = format;
    this.outgoing = outgoing;
  }

  /**
   * Processes one event of the session.
   *
   * @param lock held while {@code outgoing} is used, not while the receiver is called
   * @throws SpreadProtocolException when this replica cannot follow the group; its message is the end of a sentence
   */
  public void accept(SessionEvent event, Object lock, GroupReceiver receiver) throws SpreadProtocolException {
    if (event instanceof SessionEvent.Multicast multicast) {
      take(multicast, lock, receiver);
    } else if (event instanceof SessionEvent.Membership membership && membership.group().equals(names.group())) {
      install(membership, lock, receiver);
    } else if (event instanceof SessionEvent.Left left && left.group().equals(names.group())) {
      throw new SpreadProtocolException("its session left the group");
    } else if (event instanceof SessionEvent.Rejected) {
      throw new SpreadProtocolException("the daemon's access control rejects what this replica sends. Permit it in spread.conf");
    }
  }

  private void install(SessionEvent.Membership membership, Object lock, GroupReceiver receiver) throws SpreadProtocolException {
    Map<String, Sender> next = new LinkedHashMap<>();
    for (String member : membership.members()) {
      ReplicaId replica = names.replica(member, configured);
      if (replica != null) {
        next.put(member, new Sender(replica, format));
      }
    }
    if (!next.containsKey(session)) {
      throw new SpreadProtocolException("the daemon names a membership without this replica");
    }
    if (view != null && membership.cause() != SessionEvent.Cause.NETWORK && next.keySet().equals(senders.keySet())) {
      // A stranger joined or left, at one place in the order of all members: nothing that replicas have sent is lost. If frames
      // were dropped here, a stranger that joins and leaves without end would make the replicas send them without end.
      return;
    }
    Set<String> cameAlong = new LinkedHashSet<>(senders.keySet());
    if (membership.cause() == SessionEvent.Cause.NETWORK) {
      cameAlong.retainAll(membership.set());
    }
    boolean merged = next.keySet().stream().anyMatch(member -> senders.containsKey(member) && !cameAlong.contains(member));
    if (merged) {
      // The others received other messages since the last view, so the two views are not successive.
      report(replicas(cameAlong), receiver);
    }
    boolean changed = !next.keySet().equals(senders.keySet()) || merged || view == null;
    senders = next;
    synchronized (lock) {
      view = membership.id();
      outgoing.begin();
    }
    if (changed) {
      report(replicas(next.keySet()), receiver);
    }
  }

  private List<ReplicaId> replicas(Set<String> sessions) {
    Set<ReplicaId> replicas = new LinkedHashSet<>();
    sessions.forEach(member -> replicas.add(names.replica(member, configured)));
    return List.copyOf(replicas);
  }

  private void report(List<ReplicaId> replicas, GroupReceiver receiver) {
    receiver.viewInstalled(new GroupView(++views, replicas));
  }

  private void take(SessionEvent.Multicast multicast, Object lock, GroupReceiver receiver) throws SpreadProtocolException {
    Sender sender = senders.get(multicast.sender());
    if (sender == null || multicast.service() == null || !multicast.groups().equals(List.of(names.group()))) {
      return;
    }
    Frame frame = Frame.decode(names, multicast.sender(), multicast.content());
    if (frame == null || !frame.view().equals(view) || frame.number() <= sender.frames) {
      return;
    }
    if (frame.number() != sender.frames + 1) {
      throw new SpreadProtocolException(
          "frame " + (sender.frames + 1) + " of replica " + sender.replica + " is missing; the daemon delivered frame " + frame.number());
    }
    sender.frames++;
    if (multicast.sender().equals(session)) {
      synchronized (lock) {
        outgoing.arrived();
      }
    }
    List<Message> messages = messages(sender, frame);
    for (Message message : messages) {
      receiver.delivered(sender.replica, message);
    }
  }

  /** The messages of the batch that the frame ends; empty for a frame within a batch. */
  private static List<Message> messages(Sender sender, Frame frame) throws SpreadProtocolException {
    try {
      return sender.batch.add(frame.last(), frame.content());
    } catch (MalformedMessageException e) {
      throw new SpreadProtocolException(
          "replica " + sender.replica + " sent a message that this one cannot read: " + e.getMessage()
              + " Install the same version on all replicas");
    }
  }

  /** The parts of a frame of this session, in order. */
  public ByteBuffer[] frame(Piece piece, GroupId in) {
    return new Frame(in, piece.number(), piece.last(), piece.content()).encode(names, session);
  }

  /** The current membership. Written while {@code lock} is held, so that a piece is sent in the membership in which it was taken. */
  public GroupId view() {
    return view;
  }
}
