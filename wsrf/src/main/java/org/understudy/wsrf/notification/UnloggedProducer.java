package org.understudy.wsrf.notification;

import java.util.function.Supplier;
import org.understudy.notification.delivery.Dispatcher;
import org.understudy.notification.message.Notification;
import org.understudy.notification.operation.PropertyDocuments;
import org.understudy.notification.topic.TopicPath;
import org.understudy.notification.topic.TopicSet;
import org.understudy.thread.DaemonThreads;

/**
 * Delivers messages that are not stored in the replicated state, to subscriptions that are. The delivering replica creates
 * the messages; those not accepted when it ends are lost, and its successor creates its own. Suitable for messages that
 * replace each other, such as views and heartbeats.
 *
 * <p>Belongs to one thread.
 */
public final class UnloggedProducer implements AutoCloseable {
  /** One replica delivers in an epoch, and numbers its messages with this many bits, so positions never repeat. */
  private static final int PLACE_BITS = 32;

  private final String key;
  private final TopicSet topics;
  private final Subscriptions subscriptions;
  private final Supplier<Dispatcher> dispatchers;
  private boolean delivers;
  private Dispatcher dispatcher;
  private long last;

  /**
   * Does not deliver yet.
   *
   * @param subscriptions of this producer alone
   * @param dispatchers creates one when there is something to deliver
   */
  UnloggedProducer(String key, TopicSet topics, Subscriptions subscriptions, Supplier<Dispatcher> dispatchers) {
    this.key = key;
    this.topics = topics;
    this.subscriptions = subscriptions;
    this.dispatchers = dispatchers;
  }

  Subscriptions subscriptions() {
    return subscriptions;
  }

  /** Begins or stops delivering. Does not wait for messages in flight. */
  public void deliver(boolean begins) {
    delivers = begins;
    if (!begins && dispatcher != null) {
      subscriptions.abandon();
      DaemonThreads.daemon("understudy-events-end", dispatcher::close).start();
      dispatcher = null;
    }
  }

  public boolean delivers() {
    return delivers;
  }

  /**
   * Delivers a message, while that is the duty of this replica. Does not wait for consumers.
   *
   * @param epoch of the duty
   * @param message one element that declares every prefix it uses; created only when there is a subscriber
   */
  public void publish(long epoch, TopicPath topic, Supplier<byte[]> message) {
    if (!delivers || subscriptions.size() == 0) {
      return;
    }
    if (dispatcher == null) {
      dispatcher = dispatchers.get();
      subscriptions.fill(dispatcher);
    }
    if (dispatcher.wanted(key, topic)) {
      byte[] properties = dispatcher.wantsProperties(key) ? PropertyDocuments.of(topics) : null;
      last = Math.max(last + 1, epoch << PLACE_BITS);
      dispatcher.publish(new Notification(key, topic, message.get(), last, properties));
    }
  }

  @Override
  public void close() {
    delivers = false;
    subscriptions.abandon();
    if (dispatcher != null) {
      dispatcher.close();
      dispatcher = null;
    }
  }
}
