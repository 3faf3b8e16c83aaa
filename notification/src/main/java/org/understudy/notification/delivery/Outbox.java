package org.understudy.notification.delivery;

import java.io.ByteArrayOutputStream;
import java.util.ArrayDeque;
import java.util.function.Consumer;
import javax.xml.stream.XMLStreamException;
import org.understudy.notification.addressing.EndpointReference;
import org.understudy.notification.message.Notification;
import org.understudy.notification.message.NotifyWriter;
import org.understudy.notification.subscription.EndReason;

/**
 * The messages on their way to one consumer, in order: the next is sent when the one before was taken. At most one attempt
 * is under way. Thread-safe; nothing here blocks.
 */
public final class Outbox {
  private final EndpointReference consumer;
  private final NotifyWriter writer;
  private final Deliveries deliveries;
  private final Consumer<EndReason> failure;

  /** Guarded by this. */
  private final ArrayDeque<Notification> queue = new ArrayDeque<>();
  private long queuedBytes;
  private boolean underWay;
  private boolean closed;
  private int failedAttempts;
  private byte[] envelope;

  Outbox(EndpointReference consumer, NotifyWriter writer, Deliveries deliveries, Consumer<EndReason> failure) {
    this.consumer = consumer;
    this.writer = writer;
    this.deliveries = deliveries;
    this.failure = failure;
  }

  /** Takes a message. If there is no room for it the outbox closes, and says so to whoever opened it. */
  public void offer(Notification notification) {
    DeliverySettings settings = deliveries.settings();
    boolean start = false;
    boolean overflow = false;
    synchronized (this) {
      if (closed) {
        return;
      }
      if (queue.size() < settings.queueLength()
          && queuedBytes + notification.xml().length <= settings.queueBytes()) {
        queue.add(notification);
        queuedBytes += notification.xml().length;
        start = !underWay;
        underWay = true;
      } else {
        // To drop a message would leave the consumer with a gap that it cannot see.
        close();
        overflow = true;
      }
    }
    if (start) {
      deliveries.start(this);
    }
    if (overflow) {
      deliveries.counters().countOverflow();
      failure.accept(EndReason.OVERFLOW);
    }
  }

  /** Drops what waits and sends nothing more; an attempt under way may still arrive. */
  public synchronized void close() {
    closed = true;
    queue.clear();
    queuedBytes = 0;
    envelope = null;
  }

  /** Messages that were not taken yet, the one under way included. */
  public synchronized int length() {
    return queue.size();
  }

  EndpointReference consumer() {
    return consumer;
  }

  /** The envelope with the first message, the same for every attempt; null when there is nothing to send. */
  byte[] nextEnvelope() throws XMLStreamException {
    Notification first;
    synchronized (this) {
      if (envelope != null || closed || queue.isEmpty()) {
        return envelope;
      }
      first = queue.getFirst();
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(first.xml().length + 1_536);
    try (NotifyWriter.Envelope open = writer.open(bytes, NotifyWriter.newMessageId())) {
      open.message(first.topic(), first.xml());
    }
    synchronized (this) {
      envelope = closed ? null : bytes.toByteArray();
      return envelope;
    }
  }

  /** The first message was taken. */
  void delivered() {
    synchronized (this) {
      failedAttempts = 0;
      envelope = null;
      if (!queue.isEmpty()) {
        queuedBytes -= queue.removeFirst().xml().length;
      }
      underWay = !queue.isEmpty();
      if (!underWay) {
        return;
      }
    }
    deliveries.start(this);
  }

  /** The attempt failed. */
  void failed(boolean forGood) {
    int failed;
    synchronized (this) {
      if (closed) {
        return;
      }
      failed = ++failedAttempts;
    }
    if (!forGood && failed < deliveries.settings().attempts()) {
      deliveries.startAfter(this, deliveries.settings().pauseAfter(failed));
    } else {
      close();
      deliveries.counters().countUndeliverable();
      failure.accept(EndReason.UNDELIVERABLE);
    }
  }
}
