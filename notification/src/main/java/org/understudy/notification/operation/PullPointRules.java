package org.understudy.notification.operation;

import java.time.Duration;
import java.util.Optional;

/**
 * The limits of pull points. Immutable.
 *
 * @param max pull points at a time, from 1
 * @param messages queued in one, from 1; further ones are refused with a fault to the sender
 * @param bytes of them, from 1
 * @param answerMessages in one answer, from 1
 * @param answerBytes in one answer, from 1; a longer single message is returned alone
 * @param unused how long an unused pull point lasts; empty: for ever
 */
public record PullPointRules(
    int max, int messages, long bytes, int answerMessages, long answerBytes, Optional<Duration> unused) {
  /** @throws IllegalArgumentException when a value is out of range */
  public PullPointRules {
    if (max < 1 || messages < 1 || bytes < 1 || answerMessages < 1 || answerBytes < 1) {
      throw new IllegalArgumentException("The limit of pull points must be at least 1.");
    }
  }

  /** Defaults: 1,000 pull points of 10,000 messages or 16 MiB; 1,000 messages or 1 MiB in an answer; a day unused. */
  public static PullPointRules ofDefaults() {
    return new PullPointRules(1_000, 10_000, 16L << 20, 1_000, 1L << 20, Optional.of(Duration.ofDays(1)));
  }
}
