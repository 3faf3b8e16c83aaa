package org.understudy.lab.torture.network;

/** One direction of a link, which takes the bytes of all its connections one after another. Thread-safe. */
final class Bandwidth {
  private static final double BYTES_IN_KILOBIT = 125;
  /** A sender is held back while as much waits for the link: the queue of a router is about so long. */
  private static final long QUEUE_NANOS = 200_000_000L;

  private long free;
  private long bytes;

  /**
   * Takes bytes.
   *
   * @return when they have left
   */
  synchronized long take(long now, int count, int kilobits) {
    bytes += count;
    free = Math.max(now, free) + (kilobits == 0 ? 0 : (long) (count / (kilobits * BYTES_IN_KILOBIT) * 1e9));
    return free;
  }

  /** How long a sender whose bytes leave at this time is to wait before it sends more. */
  static long pause(long now, long left) {
    return Math.max(0, left - now - QUEUE_NANOS);
  }

  /** All that it has taken. */
  synchronized long bytes() {
    return bytes;
  }
}
