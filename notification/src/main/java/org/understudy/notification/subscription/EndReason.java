package org.understudy.notification.subscription;

/** Why a subscription ended. */
public enum EndReason {
  /** The consumer asked for it. */
  UNSUBSCRIBED,
  /** Its termination time came. */
  EXPIRED,
  /** The consumer took messages more slowly than they were published, and the queue was full. */
  OVERFLOW,
  /** The consumer could not be reached, or refused, as often as was to be tried. */
  UNDELIVERABLE,
  /** The resource that it was made at has ended, and all its earlier notifications have been delivered. */
  PRODUCER_ENDED
}
