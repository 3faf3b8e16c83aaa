package org.understudy.notification.delivery;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.understudy.notification.message.Notification;
import org.understudy.notification.message.NotifyTemplate;
import org.understudy.soap.addressing.EndpointReference;

/** A message in any number of queues: counted once, rendered once as far as all consumers get the same. Thread-safe. */
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

  /** One more queue holds it. */
  void enter() {
    if (queues.getAndIncrement() == 0) {
      waitingBytes.addAndGet(size());
    }
  }

  /** One queue less. */
  void leave() {
    if (queues.decrementAndGet() == 0) {
      waitingBytes.addAndGet(-size());
    }
  }

  /** Two threads may render it at the same time: the same bytes. */
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
