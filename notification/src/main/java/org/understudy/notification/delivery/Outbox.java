package org.understudy.notification.delivery;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.notification.message.NotifyTemplate;
import org.understudy.notification.subscription.EndReason;
import org.understudy.notification.subscription.References;
import org.understudy.notification.subscription.Subscription;
import org.understudy.notification.xpath.XPathException;

/**
 * The queue for one consumer: the next message is sent when the one before was accepted. At most one attempt is in flight.
 * Thread-safe; no method blocks.
 */
final class Outbox {
  private static final Logger LOG = LoggerFactory.getLogger(Outbox.class);

  private final DeliveryScheduler deliveries;
  private final Sink sink;
  private final References references;
  private final Consumer<EndReason> failure;

  /** Guarded by this. */
  private Subscription subscription;
  private ArrayDeque<SharedNotification> queue;
  private long queuedBytes;
  private long done;
  private boolean underWay;
  private boolean closed;
  private boolean evaluated;
  private boolean filterFailed;
  private boolean isSlow;
  private int failedAttempts;
  /** Pauses between the attempts for the first message. */
  private Duration paused = Duration.ZERO;
  private Delivery delivery;
  private NotifyTemplate template;

  /**
   * Creates an outbox.
   *
   * @param references supplies the subscription's own, when the first message is sent
   * @param done messages up to this position are not sent
   * @param failure called once, by the detecting thread, when the outbox closed because it was full or deliveries failed;
   *     must not block
   */
  Outbox(Subscription subscription, References references, long done, Sink sink, DeliveryScheduler deliveries,
      Consumer<EndReason> failure) {
    this.subscription = subscription;
    this.references = references;
    this.done = Math.max(done, subscription.since());
    this.sink = sink;
    this.deliveries = deliveries;
    this.failure = failure;
  }

  synchronized Subscription subscription() {
    return subscription;
  }

  /** Replaces the subscription. A paused one loses its queue, because its messages are not to be sent. */
  synchronized void change(Subscription changed) {
    subscription = changed;
    done = Math.max(done, changed.since());
    if (changed.paused()) {
      keep(underWay ? 1 : 0);
    }
  }

  /** Drops all messages after the first {@code count}. */
  private void keep(int first) {
    while (queue != null && queue.size() > first) {
      SharedNotification dropped = queue.removeLast();
      queuedBytes -= dropped.size();
      dropped.leave();
    }
  }

  /**
   * Queues a message. If there is no room, closes the outbox and reports that to its {@code failure} callback.
   *
   * @param now an expired subscription gets nothing, even if it has not been ended yet
   * @param crowded all outboxes together exceed their limit: an outbox with a backlog has no room
   * @return whether it was queued
   */
  boolean offer(SharedNotification notification, Instant now, boolean crowded) {
    DeliverySettings settings = deliveries.settings();
    boolean start = false;
    boolean overflow = false;
    synchronized (this) {
      if (closed || subscription.paused() || subscription.expiredAt(now) || notification.position() <= done) {
        return false;
      }
      int length = queue == null ? 0 : queue.size();
      boolean room = length == 0
          || length < settings.queueLength() && queuedBytes + notification.size() <= settings.queueBytes() && !crowded;
      if (room) {
        if (queue == null) {
          queue = new ArrayDeque<>(2);
        }
        queue.add(notification);
        queuedBytes += notification.size();
        notification.enter();
        start = !underWay;
        underWay = true;
      } else {
        // Dropping a message would leave a gap that the consumer cannot detect.
        close();
        overflow = true;
      }
    }
    if (start) {
      advance();
    }
    if (overflow) {
      deliveries.counters().countOverflow();
      failure.accept(EndReason.OVERFLOW);
    }
    return !overflow;
  }

  /** Drops the queue and sends nothing more; an attempt in flight may still arrive. */
  synchronized void close() {
    closed = true;
    keep(0);
    queue = null;
    delivery = null;
  }

  /**
   * The position up to which every message was sent or excluded.
   *
   * @param published every message up to this position was offered
   */
  synchronized long done(long published) {
    SharedNotification first = queue == null ? null : queue.peekFirst();
    return first == null ? published : Math.min(published, first.position() - 1);
  }

  /** Whether the last attempt failed or was slow, so that the next one belongs in the bulkhead. */
  synchronized boolean isSlow() {
    return isSlow;
  }

  /** Marks the attempt in flight as slow. */
  synchronized void markSlow() {
    isSlow = true;
  }

  /** Schedules the next message: first the evaluation of its content filters, if there are any. */
  private void advance() {
    boolean filters;
    synchronized (this) {
      filters = !evaluated && subscription.hasContentFilters();
    }
    if (filters) {
      deliveries.evaluateFilters(this);
    } else {
      deliveries.launch(this);
    }
  }

  /** Evaluates the filters on the first message; slow. Called only by the threads for filters. */
  void evaluateFilters() {
    SharedNotification first;
    Subscription now;
    synchronized (this) {
      first = queue == null ? null : queue.peekFirst();
      now = subscription;
      if (first == null) {
        underWay = false;
        evaluated = false;
        return;
      }
    }
    if (accepted(now, first)) {
      synchronized (this) {
        evaluated = true;
      }
      deliveries.launch(this);
    } else {
      next();
    }
  }

  private boolean accepted(Subscription now, SharedNotification first) {
    try {
      return now.acceptsContent(first.notification());
    } catch (XPathException e) {
      deliveries.counters().countFilterFailure();
      boolean logged;
      synchronized (this) {
        logged = filterFailed;
        filterFailed = true;
      }
      if (!logged) {
        LOG.warn("A filter of subscription {} cannot be evaluated on a message, and the message is dropped. Logged once. {}",
            now.id(),
            e.getMessage());
      }
      return false;
    }
  }

  /**
   * Starts an attempt with the first message.
   *
   * @return false when the queue is empty; the outcome is then not reported
   */
  boolean attempt(Sink.Outcome outcome) {
    Delivery next;
    synchronized (this) {
      if (subscription.paused()) {
        keep(0);
      }
      SharedNotification first = queue == null ? null : queue.peekFirst();
      if (first == null) {
        underWay = false;
        evaluated = false;
        delivery = null;
        return false;
      }
      if (template == null) {
        template =
            NotifyTemplate.of(
                subscription.consumer(), references.subscription(subscription.id()), subscription.raw(),
                subscription.version().namespace());
      }
      if (delivery == null) {
        delivery = new Delivery(subscription, first, template);
      }
      next = delivery;
    }
    sink.send(next, outcome);
    return true;
  }

  /** The first message was accepted. */
  void delivered(boolean inTime) {
    synchronized (this) {
      isSlow = !inTime;
    }
    next();
  }

  /** Removes the first message. */
  private void next() {
    synchronized (this) {
      failedAttempts = 0;
      paused = Duration.ZERO;
      evaluated = false;
      delivery = null;
      if (queue != null && !queue.isEmpty()) {
        SharedNotification first = queue.removeFirst();
        queuedBytes -= first.size();
        first.leave();
      }
      underWay = queue != null && !queue.isEmpty();
      if (!underWay) {
        queue = null;
        return;
      }
    }
    advance();
  }

  /** The attempt failed. */
  void failed(String why, boolean forGood, Duration retryAfter) {
    int failed;
    boolean drop;
    Duration pause;
    Subscription now;
    synchronized (this) {
      if (closed) {
        return;
      }
      isSlow = true;
      now = subscription;
      drop = now.paused();
      failed = ++failedAttempts;
      pause = forGood ? null : deliveries.settings().pauseAfter(failed, paused, retryAfter);
      if (pause != null) {
        paused = paused.plus(pause);
      }
    }
    deliveries.counters().countFailedAttempt();
    LOG.debug("{} could not be notified: {}.", now.consumer().address(), why);
    if (drop) {
      next();
    } else if (pause != null) {
      deliveries.launchAfter(this, pause);
    } else {
      close();
      LOG.warn("The subscription of consumer {} ends: attempt {} to notify it failed: {}.", now.consumer().address(), failed, why);
      deliveries.counters().countUndeliverable();
      failure.accept(EndReason.UNDELIVERABLE);
    }
  }
}
