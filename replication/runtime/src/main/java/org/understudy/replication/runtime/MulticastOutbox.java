package org.understudy.replication.runtime;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.understudy.replication.core.Message;

/**
 * Messages on their way from the core's exclusion to the group channel. Threads add in the exclusion, so in order; whoever
 * flushes first sends for all, so the order stays, and no thread waits for another. Never holds more than the steps under
 * way have named.
 */
final class MulticastOutbox {
  private final Consumer<Message> channel;
  private final Queue<Message> waiting = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean flushing = new AtomicBoolean();

  MulticastOutbox(Consumer<Message> channel) {
    this.channel = channel;
  }

  void add(Message message) {
    waiting.add(message);
  }

  void flush() {
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
