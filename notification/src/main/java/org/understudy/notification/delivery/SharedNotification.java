package org.understudy.notification.delivery;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.understudy.notification.message.Notification;
import org.understudy.notification.message.NotifyTemplate;
import org.understudy.soap.addressing.EndpointReference;

/** A message in any number of queues: counted once, and the common parts rendered once. Thread-safe. */
final class SharedNotification {
  private final Notification notification;
  private final Function<String, EndpointReference> producers;
  private final AtomicLong waitingBytes;
  private final AtomicInteger queues = new AtomicInteger();
  private volatile byte[] prelude;

  SharedNotification(
      Notification notification, Function<String, EndpointReference> producers, AtomicLong waitingBytes) {
    this.notification = notification;
    this.producers = producers;
    this.waitingBytes = waitingBytes;
  }

  Notification notification() {
    return notification;
  }

  long position() {
    return notification.position();
  }

  int size() {
    return notification.size();
  }

  /** Adds a queue that holds it. */
  void enter() {
    if (queues.getAndIncrement() == 0) {
      waitingBytes.addAndGet(size());
    }
  }

  /** Removes a queue that held it. */
  void leave() {
    if (queues.decrementAndGet() == 0) {
      waitingBytes.addAndGet(-size());
    }
  }

  /** Two threads may render it concurrently, to the same bytes. */
  byte[] prelude() {
    byte[] rendered = prelude;
    if (rendered == null) {
      byte[] origin = notification.origin();
      rendered =
          origin == null
              ? NotifyTemplate.prelude(notification.topic(), producers.apply(notification.producer()))
              : NotifyTemplate.prelude(notification.topic(), origin);
      prelude = rendered;
    }
    return rendered;
  }
}
