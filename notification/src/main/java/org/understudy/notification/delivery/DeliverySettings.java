package org.understudy.notification.delivery;

import java.time.Duration;
import org.understudy.notification.connection.TrustAnchors;

/**
 * The settings of notification delivery. Immutable.
 *
 * @param threads that write envelopes, 1 to 64; half as many, at least one, move bytes, and as many evaluate filters
 * @param window concurrent attempts, 1 to 1,000,000; those that take longer than {@code patience} no longer count, and
 *     attempts after a slow or failed one have a window of their own, so that a slow consumer takes no place of another
 * @param patience from the start of an attempt until it may count as slow, from 1 ms; longer when all are slow
 * @param queueLength messages that wait for one consumer, 1 to 1,000,000; one more ends the subscription
 * @param queueBytes the same in bytes of message content, from 1
 * @param totalBytes of message content queued for all consumers together, each message counted once, from 1; beyond it, a
 *     subscription with a backlog that gets another message ends
 * @param connectTimeout for a TCP connection, and for each step of a TLS handshake, from 1 ms
 * @param responseTimeout from the connection to the response's last byte, from 1 ms
 * @param retryFor the sum of the pauses between the attempts for one message, from 0; an attempt that fails after that ends
 *     the subscription. The attempts themselves do not count
 * @param firstPause before the second attempt, above 0; doubled before each further one
 * @param longestPause between attempts; a consumer that requests a longer one ({@code Retry-After}) gets it
 * @param trust anchors for https consumers
 */
public record DeliverySettings(
    int threads,
    int window,
    Duration patience,
    int queueLength,
    long queueBytes,
    long totalBytes,
    Duration connectTimeout,
    Duration responseTimeout,
    Duration retryFor,
    Duration firstPause,
    Duration longestPause,
    TrustAnchors trust) {
  private static final int MAX_DOUBLINGS = 20;

  /** @throws IllegalArgumentException when a value is out of range */
  public DeliverySettings {
    check(threads >= 1 && threads <= 64, "threads");
    check(queueLength >= 1 && queueLength <= 1_000_000, "queueLength");
    check(queueBytes >= 1, "queueBytes");
    check(window >= 1 && window <= 1_000_000, "window");
    check(patience.toMillis() >= 1, "patience");
    check(totalBytes >= 1, "totalBytes");
    check(connectTimeout.toMillis() >= 1, "connectTimeout");
    check(responseTimeout.toMillis() >= 1, "responseTimeout");
    check(!retryFor.isNegative(), "retryFor");
    check(firstPause.compareTo(Duration.ZERO) > 0, "firstPause");
    check(longestPause.compareTo(firstPause) >= 0, "longestPause");
  }

  /**
   * Defaults: 4 threads; 512 concurrent attempts, slow after 1 s; 1,000 messages or 16 MiB in a queue, 256 MiB in all; 2 s
   * to connect, 10 s to answer; five minutes of pauses of 200 ms, 400 ms and so on up to 30 s; the JVM's trust anchors.
   */
  public static DeliverySettings ofDefaults() {
    return new DeliverySettings(
        4, 512, Duration.ofSeconds(1), 1_000, 16L << 20, 256L << 20, Duration.ofSeconds(2), Duration.ofSeconds(10),
        Duration.ofMinutes(5), Duration.ofMillis(200), Duration.ofSeconds(30), TrustAnchors.ofJvm());
  }

  /** The pause before the next attempt where a consumer takes no message now. */
  public Duration postponement() {
    return firstPause.multipliedBy(2);
  }

  /** Returns these settings with other limits of the backlog. */
  public DeliverySettings withQueues(int messages, long bytes, long bytesInAll) {
    return new DeliverySettings(
        threads, window, patience, messages, bytes, bytesInAll, connectTimeout, responseTimeout, retryFor, firstPause,
        longestPause, trust);
  }

  /** Returns these settings with another length of the queues. */
  public DeliverySettings withQueueLength(int messages) {
    return withQueues(messages, queueBytes, totalBytes);
  }

  /** Returns these settings with another number of threads. */
  public DeliverySettings withThreads(int number) {
    return new DeliverySettings(
        number, window, patience, queueLength, queueBytes, totalBytes, connectTimeout, responseTimeout, retryFor,
        firstPause, longestPause, trust);
  }

  /** Returns these settings with another window. */
  public DeliverySettings withWindow(int attemptsAtATime, Duration slowAfter) {
    return new DeliverySettings(
        threads, attemptsAtATime, slowAfter, queueLength, queueBytes, totalBytes, connectTimeout, responseTimeout,
        retryFor, firstPause, longestPause, trust);
  }

  /** Returns these settings with other timeouts. */
  public DeliverySettings withTimeouts(Duration connect, Duration response) {
    return new DeliverySettings(
        threads, window, patience, queueLength, queueBytes, totalBytes, connect, response, retryFor, firstPause,
        longestPause, trust);
  }

  /** Returns these settings with other pauses between attempts, and another sum of them. */
  public DeliverySettings withRetries(Duration inAll, Duration first, Duration longest) {
    return new DeliverySettings(
        threads, window, patience, queueLength, queueBytes, totalBytes, connectTimeout, responseTimeout, inAll, first,
        longest, trust);
  }

  /** Returns these settings with other trust anchors. */
  public DeliverySettings withTrust(TrustAnchors other) {
    return new DeliverySettings(
        threads, window, patience, queueLength, queueBytes, totalBytes, connectTimeout, responseTimeout, retryFor,
        firstPause, longestPause, other);
  }

  /**
   * The pause before the next attempt.
   *
   * @param failed attempts, from 1
   * @param paused the sum of earlier pauses for this message
   * @param asked the pause that the consumer requested, 0 for none
   * @return null when there is no next attempt
   */
  Duration pauseAfter(int failed, Duration paused, Duration asked) {
    Duration left = retryFor.minus(paused);
    Duration own = least(longestPause, firstPause.multipliedBy(1L << Math.min(failed - 1, MAX_DOUBLINGS)));
    if (own.compareTo(left) > 0) {
      return null;
    }
    Duration granted = least(asked, left);
    return granted.compareTo(own) > 0 ? granted : own;
  }

  private static Duration least(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  private static void check(boolean inRange, String what) {
    if (!inRange) {
      throw new IllegalArgumentException("Out of range: " + what + ".");
    }
  }
}
