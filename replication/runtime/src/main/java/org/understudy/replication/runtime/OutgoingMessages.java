package org.understudy.replication.runtime;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.Message;
import org.understudy.replication.runtime.peer.Channels;
import org.understudy.replication.runtime.peer.FrameSizes;
import org.understudy.replication.runtime.peer.MulticastOutbox;
import org.understudy.replication.runtime.peer.Outbox;
import org.understudy.replication.runtime.peer.Relay;

/**
 * The messages that a replica sends: in the response to the peer whose messages the step handles, through the outbox of a
 * peer, or to the whole group. Used under the core's lock; outboxes are flushed without it.
 */
final class OutgoingMessages {
  private final Map<ReplicaId, Outbox> outboxes = new TreeMap<>();
  /** Null without a group channel. */
  private final MulticastOutbox multicasts;
  private final long maxAnswerBytes;

  private ReplicaId answering;
  private List<Message> answers;
  private long answerBytes;

  /**
   * @param relay null without peers
   * @param sizes of the batches to one peer
   * @param maxAnswerBytes of the messages in one response to a peer
   */
  OutgoingMessages(
      ReplicaId self, List<ReplicaId> configured, Channels channels, Relay relay, FrameSizes sizes, long maxAnswerBytes) {
    for (ReplicaId peer : configured) {
      if (!peer.equals(self) && relay != null) {
        outboxes.put(peer, new Outbox(peer, sizes, messages -> relay.send(peer, messages)));
      }
    }
    this.multicasts = channels.group() == null ? null : new MulticastOutbox(channels.group()::multicast);
    this.maxAnswerBytes = maxAnswerBytes;
  }

  boolean isPeer(ReplicaId replica) {
    return outboxes.containsKey(replica);
  }

  /**
   * Begins a step.
   *
   * @param peer whose messages go into {@code response}; or null
   */
  void begin(ReplicaId peer, List<Message> response) {
    answering = peer;
    answers = response;
    answerBytes = 0;
  }

  /**
   * @return whether the message travels in the response; a message that does not fit goes through the outbox, as do updates: one that a
   *     later one overtakes is a gap there, and is sent again with all after it
   */
  boolean answer(ReplicaId to, Message message) {
    if (!to.equals(answering) || message.updateIndex() > 0) {
      return false;
    }
    long bytes = answerBytes + message.encodedBytes();
    if (bytes > maxAnswerBytes) {
      return false;
    }
    answerBytes = bytes;
    Outbox.append(answers, message);
    return true;
  }

  void send(ReplicaId to, Message message, Step step) {
    Outbox outbox = outboxes.get(to);
    if (outbox != null) {
      outbox.add(message);
      step.flushLater(outbox);
    }
  }

  void sendLast(ReplicaId to, Message message, Step step) {
    Outbox outbox = outboxes.get(to);
    if (outbox != null) {
      outbox.add(message);
      step.flushLast(outbox);
    }
  }

  boolean canMulticast() {
    return multicasts != null;
  }

  void multicast(Message message, Step step) {
    multicasts.add(message);
    step.flushFirst(multicasts);
  }
}
