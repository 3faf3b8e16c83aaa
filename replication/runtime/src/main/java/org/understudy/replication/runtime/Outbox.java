package org.understudy.replication.runtime;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.Message;
import org.understudy.replication.runtime.codec.EncodedSize;

/**
 * Messages to one replica on their way from the core's exclusion to the channel. Threads add in the exclusion, so in
 * order; whoever flushes first sends for all, so the order stays, and nobody waits for anybody. What is sent together is
 * cut by bytes, so that it fits a frame.
 *
 * <p>Heartbeats, read rounds and their acknowledgements pass what waits: a primary must not lose its authority because
 * megabytes of updates are on their way. Of each kind only the newest waits.
 *
 * <p>Bounded by bytes. What exceeds the bound is dropped, newest first, and so is what the channel cannot deliver: an
 * unreachable replica costs no memory here. The protocol sends again what a replica lacks, from the replica's next
 * acknowledgement or by a new state transfer; elections repeat their messages by the clock.
 */
final class Outbox {
  private static final Logger LOG = LoggerFactory.getLogger(Outbox.class);
  private static final long WARN_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final ReplicaId peer;
  private final FrameSizes sizes;
  private final Consumer<List<Message>> channel;
  private final AtomicBoolean flushing = new AtomicBoolean();
  /** Guarded by this, with the fields below. */
  private final ArrayDeque<Message> queue = new ArrayDeque<>();
  /** Passes the queue; one of each kind at most. */
  private final ArrayDeque<Message> urgent = new ArrayDeque<>();
  private long queuedBytes;
  private long dropped;
  private long warnedAt = System.nanoTime() - WARN_NANOS;

  Outbox(ReplicaId peer, FrameSizes sizes, Consumer<List<Message>> channel) {
    this.peer = peer;
    this.sizes = sizes;
    this.channel = channel;
  }

  synchronized void add(Message message) {
    if (isUrgent(message)) {
      urgent.removeIf(older -> older.getClass() == message.getClass());
      urgent.addLast(message);
      return;
    }
    if (supersedes(message, queue.peekLast())) {
      queue.pollLast();
      queue.addLast(message);
      return;
    }
    long bytes = EncodedSize.of(message);
    if (!queue.isEmpty() && queuedBytes + bytes > sizes.queuedBytes()) {
      drop();
      return;
    }
    queue.addLast(message);
    queuedBytes += bytes;
  }

  private void drop() {
    dropped++;
    long now = System.nanoTime();
    if (now - warnedAt >= WARN_NANOS) {
      warnedAt = now;
      LOG.warn(
          "Messages to replica {} are dropped, {} so far, because {} bytes wait for it. It gets them again when it asks."
              + " If this repeats, look at the network between the replicas.",
          peer, dropped, queuedBytes);
      dropped = 0;
    }
  }

  /** Adds to a list; an acknowledgement takes the place of an older one of its epoch, for they are cumulative. */
  static void append(List<Message> messages, Message message) {
    int last = messages.size() - 1;
    if (last >= 0 && supersedes(message, messages.get(last))) {
      messages.set(last, message);
    } else {
      messages.add(message);
    }
  }

  private static boolean supersedes(Message message, Message before) {
    return message instanceof Message.Ack ack
        && before instanceof Message.Ack older
        && older.epoch() == ack.epoch()
        && older.received() <= ack.received();
  }

  private static boolean isUrgent(Message message) {
    return message instanceof Message.Heartbeat
        || message instanceof Message.HeartbeatAck
        || message instanceof Message.ReadRound
        || message instanceof Message.ReadRoundAck;
  }

  private synchronized List<Message> nextBatch() {
    if (queue.isEmpty() && urgent.isEmpty()) {
      return List.of();
    }
    if (urgent.isEmpty() && queue.size() == 1) {
      Message only = queue.pollFirst();
      queuedBytes -= EncodedSize.of(only);
      return List.of(only);
    }
    List<Message> batch = new ArrayList<>();
    long passed = take(urgent, 0, batch);
    batch.replaceAll(this::passing);
    if (urgent.isEmpty()) {
      queuedBytes -= take(queue, passed, batch);
    }
    return batch;
  }

  /** Moves messages to a batch of so many bytes, up to its bound, and returns how many bytes were moved. */
  private long take(ArrayDeque<Message> from, long bytes, List<Message> batch) {
    long taken = 0;
    while (!from.isEmpty()) {
      long next = EncodedSize.of(from.peekFirst());
      if (!batch.isEmpty() && bytes + taken + next > sizes.batchBytes()) {
        break;
      }
      taken += next;
      batch.add(from.pollFirst());
    }
    return taken;
  }

  /** A heartbeat names the last update sent before it: what still waits here is not missing, and not asked for again. */
  private Message passing(Message message) {
    if (message instanceof Message.Heartbeat beat) {
      for (Message waiting : queue) {
        if (waiting instanceof Message.Update update && update.epoch() == beat.epoch()) {
          long before = Math.min(beat.end(), update.update().index() - 1);
          return new Message.Heartbeat(beat.view(), beat.base(), beat.sentAt(), before, beat.stable(), beat.authority());
        }
      }
    }
    return message;
  }

  void flush() {
    while (flushing.compareAndSet(false, true)) {
      boolean sent = false;
      try {
        List<Message> messages = nextBatch();
        if (!messages.isEmpty()) {
          channel.accept(messages);
          sent = true;
        }
      } finally {
        flushing.set(false);
      }
      if (!sent && isEmpty()) {
        return;
      }
    }
  }

  private synchronized boolean isEmpty() {
    return queue.isEmpty() && urgent.isEmpty();
  }
}
