package org.understudy.notification.delivery;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import org.understudy.notification.message.Notification;
import org.understudy.notification.message.NotifyTemplate;
import org.understudy.notification.subscription.Subscription;

/** One message to one consumer, the same in every attempt and on every replica. Immutable. */
public final class Delivery {
  /** Up to this size, copying the parts into one is cheaper than writing them one by one. */
  private static final int SMALL_BYTES = 16 << 10;

  private final Subscription subscription;
  private final SharedNotification shared;
  private final NotifyTemplate template;
  private final String messageId;

  Delivery(Subscription subscription, SharedNotification shared, NotifyTemplate template) {
    this.subscription = subscription;
    this.shared = shared;
    this.template = template;
    this.messageId = messageId(subscription.id(), shared.notification().position());
  }

  /**
   * The {@code wsa:MessageID} of a message to a subscription. Derived from these two alone, so that a consumer recognises a
   * message that another replica sends again.
   */
  public static String messageId(String subscription, long position) {
    // A name-based UUID (RFC 9562, section 5.3).
    return "urn:uuid:" + UUID.nameUUIDFromBytes((subscription + "/" + position).getBytes(StandardCharsets.US_ASCII));
  }

  /** The receiving subscription. */
  public Subscription subscription() {
    return subscription;
  }

  /** The message. */
  public Notification notification() {
    return shared.notification();
  }

  /** {@code wsa:MessageID}. */
  public String messageId() {
    return messageId;
  }

  /** The envelope in UTF-8, in consecutive parts that must not be changed. */
  public List<byte[]> envelope() {
    List<byte[]> parts =
        template.envelope(
            messageId, template.raw() ? null : shared.prelude(), shared.notification().xml());
    return shared.notification().xml().length <= SMALL_BYTES ? List.of(NotifyTemplate.concatenate(parts)) : parts;
  }

  /** The message as a {@code wsnt:NotificationMessage} element that declares every prefix it uses, for pull points. */
  public byte[] notificationMessage() {
    return template.notificationMessage(shared.prelude(), shared.notification().xml());
  }
}
