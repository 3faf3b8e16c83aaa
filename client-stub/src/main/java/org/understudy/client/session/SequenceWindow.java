package org.understudy.client.session;

import java.util.BitSet;

/** Allocates sequence numbers and tracks the lowest one that may still be retried. Thread-safe. */
public final class SequenceWindow {
  /** Completed numbers before they are dropped from the set: bounds its size, not the number of open invocations. */
  private static final int SLACK = 4_096;

  private final BitSet done = new BitSet();
  private long base = 1;
  private long next = 1;
  private volatile long ackBelow = 1;

  /** The next number, from 1. */
  public synchronized long begin() {
    return next++;
  }

  /** Marks a number as completed: it will not be retried. Idempotent. */
  public synchronized void complete(long sequence) {
    if (sequence < base) {
      return;
    }
    done.set((int) (sequence - base));
    if (sequence != ackBelow) {
      return;
    }
    ackBelow = base + done.nextClearBit((int) (sequence - base));
    int passed = (int) (ackBelow - base);
    if (passed > SLACK) {
      BitSet rest = done.get(passed, Math.max(passed, done.length()));
      done.clear();
      done.or(rest);
      base = ackBelow;
    }
  }

  /** Every number below this one is completed. Never decreases. */
  public long ackBelow() {
    return ackBelow;
  }
}
