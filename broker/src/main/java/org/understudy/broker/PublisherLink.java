package org.understudy.broker;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** What is known of one subscription at a publisher since this replica has the duty in this epoch. Used by one thread. */
final class PublisherLink {
  private static final long FIRST_PAUSE_MS = 200;
  private static final long LONGEST_PAUSE_MS = 30_000;
  private static final int MAX_REFUSALS = 25;

  /** A request or an update about it is on its way. */
  boolean busy;
  /** The publisher has confirmed it, so it exists and is paused or not as requested. */
  boolean confirmed;
  /** Created in this epoch, and not checked at the publisher since. */
  boolean fresh;

  private int failures;
  private int refusals;
  private long notBefore = System.nanoTime();
  private long renewAt = System.nanoTime();
  private long seenChanges = -1;
  private boolean wanted;

  /** Whether something may be requested of the publisher now. */
  boolean isDue() {
    return !busy && System.nanoTime() - notBefore >= 0;
  }

  /**
   * Whether the broker has a subscriber for it.
   *
   * @param changes of the broker's subscriptions so far; the question is asked again only after one
   */
  boolean isWanted(long changes, BooleanSupplier question) {
    if (seenChanges != changes) {
      wanted = question.getAsBoolean();
      seenChanges = changes;
    }
    return wanted;
  }

  boolean isRenewalDue(DemandSubscription subscription) {
    return subscription.seconds() > 0 && System.nanoTime() - renewAt >= 0;
  }

  /** The publisher has confirmed the lifetime of the subscription. */
  void renewed(DemandSubscription subscription) {
    renewAt = System.nanoTime() + TimeUnit.SECONDS.toNanos(subscription.seconds()) / 2;
  }

  void succeeded() {
    failures = 0;
    refusals = 0;
  }

  /** Counts a refusal to store its state; after some, it is given back to the publisher. */
  boolean mayStoreAgain() {
    refusals++;
    return refusals < MAX_REFUSALS;
  }

  /** Counts a failure; the next request waits longer each time. */
  void failed() {
    failures++;
    long pause = Math.min(FIRST_PAUSE_MS << Math.min(failures - 1, 16), LONGEST_PAUSE_MS);
    notBefore = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(pause);
  }

  /** How often it has failed since the last success. */
  int failures() {
    return failures;
  }
}
