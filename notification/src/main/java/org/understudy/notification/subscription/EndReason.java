package org.understudy.notification.subscription;

/** Why a subscription ended. */
public enum EndReason {
  /** The consumer unsubscribed. */
  UNSUBSCRIBED,
  /** Its termination time was reached. */
  EXPIRED,
  /** The consumer accepted messages more slowly than they were published, and the queue was full. */
  OVERFLOW,
  /** The consumer could not be reached, or refused, until the retries were exhausted. */
  UNDELIVERABLE,
  /** Its resource was destroyed, and all earlier notifications have been delivered. */
  PRODUCER_ENDED
}
