package org.understudy.notification.delivery;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import javax.xml.stream.XMLStreamException;
import org.codehaus.stax2.XMLStreamReader2;
import org.understudy.notification.addressing.EndpointReference;
import org.understudy.notification.message.Notification;
import org.understudy.notification.message.NotifyTemplate;
import org.understudy.notification.xml.XmlIntake;
import org.understudy.notification.xml.XmlLimits;

/** A message in any number of queues: counted once, rendered once as far as all consumers get the same. Thread-safe. */
final class SharedNotification {
  private final Notification notification;
  private final Function<String, EndpointReference> producers;
  private final AtomicLong waitingBytes;
  private final AtomicInteger queues = new AtomicInteger();
  private volatile byte[] prelude;
  private volatile String rawAction;

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

  String rawAction() {
    String action = rawAction;
    if (action == null) {
      byte[] xml = notification.xml();
      try {
        XMLStreamReader2 in =
            new XmlIntake(XmlLimits.ofMessages(Math.max(1, xml.length))).open(xml, 0, xml.length, "UTF-8");
        XmlIntake.toRoot(in);
        action = NotifyTemplate.rawAction(in.getName());
        in.close();
      } catch (XMLStreamException e) {
        throw new IllegalArgumentException("A message that is no XML: " + e.getMessage(), e);
      }
      rawAction = action;
    }
    return action;
  }
}
