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
 * The messages on their way to one consumer, in order: the next is sent when the one before was taken. At most one attempt
 * is under way. Thread-safe; nothing here blocks.
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
  private boolean judged;
  private boolean unjudgeable;
  private boolean suspect;
  private int failedAttempts;
  /** Between the attempts for the first message. */
  private Duration paused = Duration.ZERO;
  private Delivery delivery;
  private NotifyTemplate template;

  /**
   * An outbox.
   *
   * @param references asked for the subscription's own, when the first message goes
   * @param done messages up to this position are not sent
   * @param failure called once, by the detecting thread, when the outbox closed because it was full or deliveries
   *     failed; must not block
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

  /** The subscription has changed. What waits for a paused one is dropped: it was not to be sent. */
  synchronized void change(Subscription changed) {
    subscription = changed;
    done = Math.max(done, changed.since());
    if (changed.paused()) {
      keep(underWay ? 1 : 0);
    }
  }

  /** Drops what waits behind so many messages. */
  private void keep(int first) {
    while (queue != null && queue.size() > first) {
      SharedNotification dropped = queue.removeLast();
      queuedBytes -= dropped.size();
      dropped.leave();
    }
  }

  /**
   * Takes a message. If there is no room for it the outbox closes and reports it to its {@code failure} callback.
   *
   * @param now an expired subscription gets nothing, even if it has not been ended yet
   * @param crowded all outboxes together hold too much: there is no room where something waits already
   * @return whether it was taken
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
        // To drop a message would leave the consumer with a gap that it cannot see.
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

  /** Drops what waits and sends nothing more; an attempt under way may still arrive. */
  synchronized void close() {
    closed = true;
    keep(0);
    queue = null;
    delivery = null;
  }

  /**
   * Up to which position everything was sent, or was not to be sent.
   *
   * @param published everything up to there was offered
   */
  synchronized long done(long published) {
    SharedNotification first = queue == null ? null : queue.peekFirst();
    return first == null ? published : Math.min(published, first.position() - 1);
  }

  /** Whether the last attempt failed or took long: it may wait, its neighbours may not. */
  synchronized boolean suspect() {
    return suspect;
  }

  /** The attempt under way takes long. */
  synchronized void suspected() {
    suspect = true;
  }

  /** The next message goes on its way: to be judged first, if there are filters that look inside. */
  private void advance() {
    boolean judge;
    synchronized (this) {
      judge = !judged && subscription.looksInside();
    }
    if (judge) {
      deliveries.judge(this);
    } else {
      deliveries.launch(this);
    }
  }

  /** Judges the first message; slow. Called by the threads that do nothing else. */
  void judge() {
    SharedNotification first;
    Subscription now;
    synchronized (this) {
      first = queue == null ? null : queue.peekFirst();
      now = subscription;
      if (first == null) {
        underWay = false;
        judged = false;
        return;
      }
    }
    if (accepted(now, first)) {
      synchronized (this) {
        judged = true;
      }
      deliveries.launch(this);
    } else {
      next();
    }
  }

  private boolean accepted(Subscription now, SharedNotification first) {
    try {
      return now.acceptsInside(first.notification());
    } catch (XPathException e) {
      deliveries.counters().countUnjudged();
      boolean told;
      synchronized (this) {
        told = unjudgeable;
        unjudgeable = true;
      }
      if (!told) {
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
   * @return false when there is nothing to send any more; the outcome is then not reported
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
        judged = false;
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

  /** The first message was taken. */
  void delivered(boolean inTime) {
    synchronized (this) {
      suspect = !inTime;
    }
    next();
  }

  /** The first message is done with. */
  private void next() {
    synchronized (this) {
      failedAttempts = 0;
      paused = Duration.ZERO;
      judged = false;
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
      suspect = true;
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
      LOG.warn("Consumer {} is given up: attempt {} to notify it failed: {}.", now.consumer().address(), failed, why);
      deliveries.counters().countUndeliverable();
      failure.accept(EndReason.UNDELIVERABLE);
    }
  }
}
