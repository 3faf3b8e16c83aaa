package org.understudy.replication.core.membership;

import java.nio.ByteBuffer;
import org.understudy.replication.core.time.GroupTime;

/**
 * Clocks in the advisory part of heartbeats and their acknowledgements: eight bytes each, behind the load indexes. Builds that do not know
 * them skip them.
 */
final class ClockAdvice {
  private static final int BYTES = Long.BYTES;
  /** What the advisory part of a message holds at most. */
  private static final int MOST_BYTES = 255;

  private ClockAdvice() {}

  /** Returns the load indexes, as if all were written, followed by the clocks of the group. They are left out when neither is known. */
  static int[] of(GroupTime time, int[] loads, int at) {
    if (time.equals(GroupTime.NONE) || at + 2 * BYTES > MOST_BYTES) {
      return loads;
    }
    int[] advice = LoadAdvice.padded(loads, at, at + 2 * BYTES);
    write(time.counted(), advice, at);
    write(time.wall(), advice, at + BYTES);
    return advice;
  }

  /** Returns the load index, as if it was written, followed by a clock and a mark. Nothing follows when the clock is unknown, unmarked. */
  static int[] of(long clock, boolean mark, int[] load, int at) {
    if (clock == GroupTime.UNKNOWN && !mark) {
      return load;
    }
    int[] advice = LoadAdvice.padded(load, at, at + BYTES + (mark ? 1 : 0));
    write(clock, advice, at);
    if (mark) {
      advice[at + BYTES] = 1;
    }
    return advice;
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
