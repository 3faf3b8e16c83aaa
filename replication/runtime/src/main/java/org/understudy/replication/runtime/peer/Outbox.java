package org.understudy.replication.runtime.peer;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.Message;

/**
 * Queues messages to one replica from the core's lock to the channel. Threads add under the lock, so in order. The first
 * thread that flushes sends for all, so the order stays and no thread waits for another. Batches are limited in bytes, so
 * that each fits a frame.
 *
 * <p>Bounded by bytes. Messages beyond the bound are dropped, newest first, as are those that the channel cannot deliver:
 * an unreachable replica costs no memory here. The protocol resends what a replica lacks, after the replica's next
 * acknowledgement or by a new state transfer; elections repeat their messages by the clock.
 */
public final class Outbox {
  private static final Logger LOG = LoggerFactory.getLogger(Outbox.class);
  private static final long WARN_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final ReplicaId peer;
  private final FrameSizes sizes;
  private final Consumer<List<Message>> channel;
  private final AtomicBoolean flushing = new AtomicBoolean();
  /** Guarded by this, with the fields below. */
  private final WaitingMessages waiting;
  private long dropped;
  private long warnedAt = System.nanoTime() - WARN_NANOS;

  public Outbox(ReplicaId peer, FrameSizes sizes, Consumer<List<Message>> channel) {
    this.peer = peer;
    this.sizes = sizes;
    this.channel = channel;
    this.waiting = new WaitingMessages(sizes.queuedBytes());
  }

  public synchronized void add(Message message) {
    if (!waiting.add(message)) {
      drop();
    }
  }

  private void drop() {
    dropped++;
    long now = System.nanoTime();
    if (now - warnedAt >= WARN_NANOS) {
      warnedAt = now;
      LOG.warn(
          "Messages to replica {} are dropped, {} so far, because {} bytes wait for it. The replica requests them again."
              + " If this repeats, check the network between the replicas.",
          peer, dropped, waiting.bytes());
      dropped = 0;
    }
  }

  /** Adds to a list; an acknowledgement replaces an older one of its epoch, because acknowledgements are cumulative. */
  public static void append(List<Message> messages, Message message) {
    int last = messages.size() - 1;
    if (last >= 0 && message.supersedes(messages.get(last))) {
      messages.set(last, message);
    } else {
      messages.add(message);
    }
  }

  private synchronized List<Message> nextBatch() {
    return waiting.nextBatch(sizes.batchBytes(), Integer.MAX_VALUE);
  }

  public void flush() {
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
    return waiting.isEmpty();
  }
}
