package org.understudy.notification.delivery;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import org.understudy.notification.message.Notification;
import org.understudy.notification.message.NotifyTemplate;
import org.understudy.notification.subscription.Subscription;

/** One message on its way to one consumer, the same in every attempt and on every replica. Immutable. */
public final class Delivery {
  /** Up to here it is cheaper to copy the parts into one than to write them one by one. */
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
   * The {@code wsa:MessageID} of a message to a subscription: nothing else goes into it, so that a message sent again by
   * another replica can be recognised as the same.
   */
  public static String messageId(String subscription, long position) {
    // A name-based UUID (RFC 9562, section 5.3).
    return "urn:uuid:" + UUID.nameUUIDFromBytes((subscription + "/" + position).getBytes(StandardCharsets.US_ASCII));
  }

  /** For whom. */
  public Subscription subscription() {
    return subscription;
  }

  /** What. */
  public Notification notification() {
    return shared.notification();
  }

  /** {@code wsa:MessageID}. */
  public String messageId() {
    return messageId;
  }

  /** The envelope in UTF-8, in parts that follow each other and must not be changed. */
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
