package org.understudy.replication.runtime.peer;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.understudy.replication.core.Message;

/**
 * Queues messages from the core's lock to the group channel. Threads add under the lock, so in order. The first thread that
 * flushes sends for all, so the order stays and no thread waits for another. Holds at most the messages of the steps in
 * progress.
 */
public final class MulticastOutbox {
  private final Consumer<Message> channel;
  private final Queue<Message> waiting = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean flushing = new AtomicBoolean();

  public MulticastOutbox(Consumer<Message> channel) {
    this.channel = channel;
  }

  public void add(Message message) {
    waiting.add(message);
  }

  public void flush() {
    while (!waiting.isEmpty() && flushing.compareAndSet(false, true)) {
      try {
        for (Message next = waiting.poll(); next != null; next = waiting.poll()) {
          channel.accept(next);
        }
      } finally {
        flushing.set(false);
      }
    }
  }
}
