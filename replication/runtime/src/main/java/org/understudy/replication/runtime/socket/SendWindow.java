package org.understudy.replication.runtime.socket;

/**
 * Bounds the bytes of a connection that the kernel has taken and the other end has not read. They cannot be overtaken any more, so on a
 * narrow link a heartbeat would wait for all of them. Pings measure how long bytes take: as long as that is not much more than on the idle
 * link, the window grows, otherwise it shrinks to what the link carries in that time (the idea of TCP Vegas, and of LEDBAT, RFC 6817). On a
 * fast link it is no limit.
 *
 * <p>Pure: time is an argument. Not thread-safe.
 */
final class SendWindow {
  private static final long LEAST_BYTES = 16 << 10;
  private static final long FIRST_BYTES = 256 << 10;
  private static final long MOST_BYTES = 4 << 20;
  /** The share of the suspicion time for which bytes may wait for others. */
  private static final int WAITS_IN_SUSPICION = 8;
  /** Links change: a shortest round trip counts for between one and two such times. */
  private static final long REMEMBERED_NANOS = 30_000_000_000L;

  private final long waitNanos;
  private long bytes = FIRST_BYTES;
  /** Whether the window was a limit since the last round trip. */
  private boolean full;
  /** Whether it has ever been too large: then it grows slowly. */
  private boolean shrunk;
  private long shortest = Long.MAX_VALUE;
  private long shortestBefore = Long.MAX_VALUE;
  private long rememberedSince;

  SendWindow(long suspicionNanos, long now) {
    this.waitNanos = suspicionNanos / WAITS_IN_SUSPICION;
    this.rememberedSince = now;
  }

  /** How many bytes may be on their way. */
  long bytes() {
    return bytes;
  }

  /** Whether more may be sent while so many bytes are on their way. */
  boolean hasRoom(long onTheirWay) {
    full |= onTheirWay >= bytes;
    return onTheirWay < bytes;
  }

  /** After how many bytes the round trip is to be measured again. */
  long measuredBytes() {
    return bytes / 2;
  }

  /** Records a round trip of something that was sent after the bytes that were on their way. */
  void measured(long roundTripNanos, long now) {
    if (now - rememberedSince >= REMEMBERED_NANOS) {
      rememberedSince = now;
      shortestBefore = shortest;
      shortest = Long.MAX_VALUE;
    }
    shortest = Math.min(shortest, Math.max(1, roundTripNanos));
    long most = Math.min(shortest, shortestBefore) + waitNanos;
    if (roundTripNanos > most) {
      bytes = Math.max(LEAST_BYTES, (long) (bytes * ((double) most / roundTripNanos)));
      shrunk = true;
    } else if (full) {
      bytes = Math.min(MOST_BYTES, bytes + (shrunk ? bytes / 8 : bytes));
    }
    full = false;
  }
}
