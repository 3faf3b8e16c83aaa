package org.understudy.replication.runtime.peer;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
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

  private final ReplicaId self;
  private final List<ReplicaId> peers;
  private final PeerChannel channel;
  private final MessageFormat format;
  private final boolean bypasses;
  private final RefusalLog lines = new RefusalLog();
  /** Guarded by itself. */
  private final Detours detours;
  private volatile Map<ReplicaId, ReplicaId> current = Map.of();
  /** When the detour to a replica began, whatever it passed since. */
  private volatile Map<ReplicaId, Long> since = Map.of();
  /** Used by ticks only. */
  private long reportedAt;
  private boolean reported;

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

  /** Through which replica messages to this one travel; null while they do directly. */
  public ReplicaId through(ReplicaId peer) {
    return current.get(peer);
  }

  /**
   * Whether messages to this replica have taken a detour for some time: nothing else reaches it either.
   *
   * @param now monotonic, in nanoseconds
   */
  public boolean isBypassed(ReplicaId peer, long now, long nanos) {
    Long began = since.get(peer);
    return began != null && now - began >= nanos;
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
    Map<ReplicaId, ReplicaId> before = current;
    Map<ReplicaId, ReplicaId> next;
    synchronized (detours) {
      next = bypasses ? detours.at(now) : Map.of();
      if (!reported || now - reportedAt >= detours.intervalNanos()) {
        report = detours.report(now);
      }
    }
    if (!next.equals(before)) {
      Map<ReplicaId, Long> began = new TreeMap<>();
      next.keySet().forEach(peer -> began.put(peer, since.getOrDefault(peer, now)));
      current = Map.copyOf(next);
      since = Map.copyOf(began);
      log(before, next, now);
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

  private void log(Map<ReplicaId, ReplicaId> before, Map<ReplicaId, ReplicaId> next, long now) {
    for (ReplicaId peer : peers) {
      ReplicaId through = next.get(peer);
      if (Objects.equals(through, before.get(peer))) {
        continue;
      }
      String line =
          through == null
              ? "Messages to replica " + peer + " take no detour any more."
              : "The link to replica " + peer + " does not work in both directions: messages to it pass through replica " + through
                  + ". Check the network between replica " + self + " and replica " + peer + ".";
      if (lines.isDue(line, now)) {
        LOG.info(line);
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
