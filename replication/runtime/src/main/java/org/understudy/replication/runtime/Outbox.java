package org.understudy.replication.runtime;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.understudy.replication.core.Message;

/**
 * Messages to one replica on their way from the core's exclusion to the channel. Threads add in the exclusion, so in
 * order; whoever flushes first sends for all, so the order stays, and nobody waits for anybody.
 */
final class Outbox {
  private final Consumer<List<Message>> channel;
  private final AtomicBoolean flushing = new AtomicBoolean();
  private List<Message> queue = new ArrayList<>();

  Outbox(Consumer<List<Message>> channel) {
    this.channel = channel;
  }

  synchronized void add(Message message) {
    append(queue, message);
  }

  /** Adds; an acknowledgement takes the place of an older one of its epoch, for they are cumulative. */
  static void append(List<Message> queue, Message message) {
    int last = queue.size() - 1;
    if (last >= 0
        && message instanceof Message.Ack ack
        && queue.get(last) instanceof Message.Ack before
        && before.epoch() == ack.epoch()
        && before.received() <= ack.received()) {
      queue.set(last, ack);
    } else {
      queue.add(message);
    }
  }

  private synchronized List<Message> drain() {
    if (queue.isEmpty()) {
      return List.of();
    }
    List<Message> drained = queue;
    queue = new ArrayList<>();
    return drained;
  }

  void flush() {
    while (flushing.compareAndSet(false, true)) {
      boolean sent = false;
      try {
        List<Message> messages = drain();
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
    return queue.isEmpty();
  }
}
