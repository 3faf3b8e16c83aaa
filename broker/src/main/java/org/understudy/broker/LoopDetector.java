package org.understudy.broker;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.soap.ReplicationNames;
import org.understudy.soap.addressing.Addressing;
import org.understudy.soap.xml.Elements;
import org.understudy.soap.xml.XmlText;
import org.w3c.dom.Element;

/**
 * Drops messages that return to a broker. Brokers forward a message's ProducerReference (WS-BrokeredNotification 1.3,
 * section 4.1), so a broker marks a message there: as the address if there was none, otherwise as an element {@code ur:Via}
 * after it. A broker that replaces the producer by itself erases the mark. Thread-safe.
 */
final class LoopDetector {
  private static final Logger LOG = LoggerFactory.getLogger(LoopDetector.class);
  private static final String VIA = "Via";
  private static final long QUIET_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final Predicate<URI> own;
  private final String via;
  private final LongAdder ended = new LongAdder();
  private final AtomicLong quietUntil = new AtomicLong(System.nanoTime());

  /**
   * @param own addresses of this broker
   * @param self the address at this replica
   */
  LoopDetector(Predicate<URI> own, String self) {
    this.own = own;
    this.via =
        "<ur:" + VIA + " xmlns:ur=\"" + ReplicationNames.NAMESPACE + "\">" + XmlText.escape(self)
            + "</ur:" + VIA + ">";
  }

  /** The number of messages that returned. */
  long ended() {
    return ended.sum();
  }

  /**
   * Whether this broker has processed a message before, according to its ProducerReference. Then it is counted, and the
   * caller drops it.
   */
  boolean closedBy(Element producerReference) {
    for (Element element : Elements.children(producerReference)) {
      if (isAddressOf(element) && isOwn(element.getTextContent().strip())) {
        ended.increment();
        tell(element.getTextContent().strip());
        return true;
      }
    }
    return false;
  }

  private static boolean isAddressOf(Element element) {
    return element.getLocalName().equals(VIA) && ReplicationNames.NAMESPACE.equals(element.getNamespaceURI())
        || element.getLocalName().equals("Address") && Addressing.NAMESPACE.equals(element.getNamespaceURI());
  }

  private boolean isOwn(String address) {
    try {
      return own.test(URI.create(address));
    } catch (IllegalArgumentException e) {
      // An invalid URI is no address of this broker.
      return false;
    }
  }

  private void tell(String address) {
    long now = System.nanoTime();
    long until = quietUntil.get();
    if (now - until >= 0 && quietUntil.compareAndSet(until, now + QUIET_NANOS)) {
      LOG.warn(
          "Dropped a message that returned to this broker through {}; {} dropped so far. Remove a subscription from "
              + "the loop of brokers. Logged at most once a minute.",
          Elements.shortened(address), ended.sum());
    }
  }

  /**
   * The ProducerReference with which a message is forwarded: the element as it was written, with a mark before its end tag.
   */
  byte[] passed(byte[] producerReference) {
    String text = new String(producerReference, StandardCharsets.UTF_8);
    int end = text.lastIndexOf("</");
    return (text.substring(0, end) + via + text.substring(end)).getBytes(StandardCharsets.UTF_8);
  }
}
