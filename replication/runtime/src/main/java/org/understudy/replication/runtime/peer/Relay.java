package org.understudy.replication.runtime.peer;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.Message;
import org.understudy.replication.core.relay.Detours;
import org.understudy.replication.core.relay.RelayMessage;
import org.understudy.replication.core.relay.RelayMessage.LinkReport;
import org.understudy.replication.core.relay.RelayMessage.Relayed;
import org.understudy.replication.core.wire.WireVersions;
import org.understudy.replication.runtime.codec.MalformedMessageException;
import org.understudy.replication.runtime.codec.MessageFormat;
import org.understudy.replication.runtime.codec.MessageWriter;
import org.understudy.replication.runtime.handshake.RefusalLog;

/**
 * Sends messages to peers, past a link that is cut: {@link Detours} decides, a replica that hears both ends passes on. A replica of a build
 * that relays nothing is always reached directly.
 *
 * <p>Thread-safe; blocks no longer than a few instructions. Decisions are made at ticks, so a send reads one field.
 */
public final class Relay {
  private static final Logger LOG = LoggerFactory.getLogger(Relay.class);

  /** Detours of fewer intervals between reports are not logged. */
  private static final int UNMENTIONED = 4;

  private final ReplicaId self;
  private final List<ReplicaId> peers;
  private final PeerChannel channel;
  private final MessageFormat format;
  private final boolean bypasses;
  private final RefusalLog lines = new RefusalLog();
  /** Guarded by itself. */
  private final Detours detours;
  private volatile Map<ReplicaId, ReplicaId> current = Map.of();
  /** Used by ticks only, with the two below: the replicas whose detours are in the log. */
  private final Set<ReplicaId> logged = new TreeSet<>();
  private long reportedAt;
  private boolean reported;
  /** Guarded by the detours: whether the others are to be told at the next tick. */
  private boolean reportSoon;

  /**
   * @param peers the other replicas
   * @param channel opened and closed by others
   * @param format of messages between these replicas
   * @param suspectNanos the silence after which a replica is suspected
   * @param bypasses false for a mutant that sends everything directly
   */
  public Relay(ReplicaId self, List<ReplicaId> peers, PeerChannel channel, MessageFormat format, long suspectNanos, boolean bypasses) {
    this.self = self;
    this.peers = List.copyOf(peers);
    this.channel = channel;
    this.format = format;
    this.bypasses = bypasses;
    this.detours = new Detours(self, peers, suspectNanos);
  }

  /** Like {@link PeerChannel#send}. */
  public void send(ReplicaId to, List<Message> messages) {
    ReplicaId through = current.get(to);
    if (through == null) {
      channel.send(to, messages);
      return;
    }
    MessageWriter writer = new MessageWriter(0);
    messages.forEach(writer::write);
    channel.send(through, List.of(new Relayed(self, to, writer.toBytes())));
  }

  /**
   * Whether messages to this replica have taken a detour for some time: nothing else reaches it either.
   *
   * @param now monotonic, in nanoseconds
   */
  public boolean isBypassed(ReplicaId peer, long now, long nanos) {
    if (!current.containsKey(peer)) {
      return false;
    }
    synchronized (detours) {
      return detours.isBypassed(peer, now, nanos);
    }
  }

  /**
   * Takes a hint that a replica's process is gone, and tells the others at the next tick whom this one hears.
   *
   * @return whether the hint counts, see {@link Detours#refused}
   */
  public boolean refused(ReplicaId peer, long now) {
    synchronized (detours) {
      boolean counts = detours.refused(peer, now) || !bypasses;
      reportSoon = true;
      return counts;
    }
  }

  /** The replicas that are reached through others, one line each. */
  public List<String> describe() {
    return current.entrySet().stream().map(entry -> "replica " + entry.getKey() + " through replica " + entry.getValue()).toList();
  }

  /**
   * Reports to the other replicas, and decides. Called by one thread at a time, several times in the interval of {@link Detours}.
   *
   * @param now monotonic, in nanoseconds
   */
  public void tick(long now) {
    LinkReport report = null;
    Map<ReplicaId, ReplicaId> next;
    synchronized (detours) {
      next = bypasses ? detours.at(now) : Map.of();
      if (!reported || reportSoon || now - reportedAt >= detours.intervalNanos()) {
        report = detours.report(now);
        reportSoon = false;
      }
    }
    if (!next.equals(current)) {
      current = Map.copyOf(next);
    }
    if (!next.isEmpty() || !logged.isEmpty()) {
      log(next, now);
    }
    if (report == null) {
      return;
    }
    reported = true;
    reportedAt = now;
    for (ReplicaId peer : peers) {
      if (relays(peer)) {
        channel.send(peer, List.of(report));
      }
    }
  }

  private boolean relays(ReplicaId peer) {
    return channel.wire(peer) >= WireVersions.RELAYS;
  }

  /** Says what an operator may want to know: not that a replica which has just started is heard by one sooner than by another. */
  private void log(Map<ReplicaId, ReplicaId> now, long clock) {
    for (ReplicaId peer : peers) {
      ReplicaId through = now.get(peer);
      if (through == null && logged.remove(peer)) {
        LOG.info("Messages to replica {} take no detour any more.", peer);
      } else if (through != null && isBypassed(peer, clock, UNMENTIONED * detours.intervalNanos()) && logged.add(peer)) {
        LOG.info(
            "The link to replica {} does not work in both directions: messages to it pass through replica {}. Check the network between"
                + " replica {} and replica {}.", peer, through, self, peer);
      }
    }
  }

  /**
   * Takes out of what has arrived what is for relays.
   *
   * @param from the replica on whose connection it arrived
   * @param deliver gets messages that were passed on to this replica, with their sender
   * @param now monotonic, in nanoseconds
   * @return what that replica itself has sent to this one
   */
  public List<Message> received(ReplicaId from, List<Message> messages, BiConsumer<ReplicaId, List<Message>> deliver, long now) {
    boolean any = false;
    for (int i = 0; i < messages.size(); i++) {
      any |= messages.get(i) instanceof RelayMessage;
    }
    if (!any) {
      return messages;
    }
    List<Message> direct = new ArrayList<>(messages.size());
    for (Message message : messages) {
      if (message instanceof LinkReport report) {
        synchronized (detours) {
          detours.reported(from, report, now);
        }
      } else if (message instanceof Relayed relayed) {
        pass(from, relayed, deliver);
      } else {
        direct.add(message);
      }
    }
    return direct;
  }

  private void pass(ReplicaId via, Relayed relayed, BiConsumer<ReplicaId, List<Message>> deliver) {
    if (!peers.contains(relayed.from())) {
      return;
    }
    if (!relayed.to().equals(self)) {
      // Only for the sender itself: a detour has one stop.
      if (relayed.from().equals(via) && peers.contains(relayed.to()) && relays(relayed.to())) {
        channel.send(relayed.to(), List.of(relayed));
      }
      return;
    }
    try {
      byte[] bytes = relayed.messages();
      List<Message> messages = format.readAll(bytes, 0, bytes.length);
      messages.removeIf(RelayMessage.class::isInstance);
      if (!messages.isEmpty()) {
        deliver.accept(relayed.from(), messages);
      }
    } catch (MalformedMessageException e) {
      if (lines.isDue("unreadable", System.nanoTime())) {
        LOG.warn("Replica {} passed an unreadable message of replica {} on: {} Check that both run the same version.", via,
            relayed.from(), e.getMessage());
      }
    }
  }
}
