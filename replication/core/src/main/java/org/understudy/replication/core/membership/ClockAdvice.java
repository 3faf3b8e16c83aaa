package org.understudy.replication.core.membership;

import java.nio.ByteBuffer;
import org.understudy.replication.core.time.GroupTime;

/**
 * Clocks in the advisory part of heartbeats and their acknowledgements: eight bytes each, behind the load indexes, and behind them the
 * length of a lease that is longer than usual: two bytes. Builds that do not know them skip them.
 */
final class ClockAdvice {
  private static final int BYTES = Long.BYTES;
  private static final int LEASE_BYTES = 2;
  /** What the advisory part of a message holds at most. */
  private static final int MOST_BYTES = 255;

  private ClockAdvice() {}

  /**
   * Returns the load indexes, as if all were written, followed by the clocks of the group and a length. They are left out when nothing of
   * that is known.
   *
   * @param leaseMillis 0 for none
   */
  static int[] of(GroupTime time, int leaseMillis, int[] loads, int at) {
    int end = at + 2 * BYTES;
    if (time.equals(GroupTime.NONE) && leaseMillis == 0 || end + LEASE_BYTES > MOST_BYTES) {
      return loads;
    }
    int[] advice = LoadAdvice.padded(loads, at, end + (leaseMillis == 0 ? 0 : LEASE_BYTES));
    write(time.counted(), advice, at);
    write(time.wall(), advice, at + BYTES);
    writeLease(leaseMillis, advice, end);
    return advice;
  }

  /**
   * Returns the load index, as if it was written, followed by a clock, a mark and a length. Nothing follows when the clock is unknown,
   * unmarked, and without a length.
   *
   * @param leaseMillis 0 for none
   */
  static int[] of(long clock, boolean mark, int leaseMillis, int[] load, int at) {
    if (clock == GroupTime.UNKNOWN && !mark && leaseMillis == 0) {
      return load;
    }
    int end = at + BYTES + 1;
    int[] advice = LoadAdvice.padded(load, at, leaseMillis > 0 ? end + LEASE_BYTES : mark ? end : end - 1);
    write(clock, advice, at);
    if (mark) {
      advice[at + BYTES] = 1;
    }
    writeLease(leaseMillis, advice, end);
    return advice;
  }

  private static void writeLease(int millis, int[] advice, int at) {
    if (millis > 0) {
      advice[at] = millis >>> Byte.SIZE;
      advice[at + 1] = millis & 0xff;
    }
  }

  /** Returns the length behind the clocks of the group at this place; 0 when the advice is shorter. */
  static int leaseBehindTime(byte[] advice, int at) {
    return lease(advice, at + 2 * BYTES);
  }

  /** Returns the length behind the clock and the mark at this place; 0 when the advice is shorter. */
  static int leaseBehindMark(byte[] advice, int at) {
    return lease(advice, at + BYTES + 1);
  }

  private static int lease(byte[] advice, int at) {
    return advice.length < at + LEASE_BYTES ? 0 : (advice[at] & 0xff) << Byte.SIZE | advice[at + 1] & 0xff;
  }

  /** Returns whether a mark follows the clock at this place. */
  static boolean mark(byte[] advice, int at) {
    return advice.length > at + BYTES && advice[at + BYTES] == 1;
  }

  private static void write(long clock, int[] advice, int at) {
    for (int i = 0; i < BYTES; i++) {
      advice[at + i] = (int) (clock >>> Byte.SIZE * (BYTES - 1 - i)) & 0xff;
    }
  }

  /** Returns the clocks of the group at this place; unknown when the advice is shorter. */
  static GroupTime time(byte[] advice, int at) {
    return new GroupTime(clock(advice, at), clock(advice, at + BYTES));
  }

  /** Returns the clock at this place; unknown when the advice is shorter. */
  static long clock(byte[] advice, int at) {
    return advice.length < at + BYTES ? GroupTime.UNKNOWN : ByteBuffer.wrap(advice).getLong(at);
  }
}
