package org.understudy.container.caller;

import java.util.BitSet;

/** Detects duplicate counters. New counters may arrive out of order within a window. Thread-safe. */
final class CounterWindow {
  private static final int SIZE = 4_096;

  private final BitSet seen = new BitSet(SIZE);
  private long highest = -1;

  /** Records a counter. Returns whether it is new; a counter older than the window counts as a duplicate. */
  synchronized boolean add(long counter) {
    if (counter < 0 || counter <= highest - SIZE) {
      return false;
    }
    for (long next = Math.max(highest + 1, counter - SIZE + 1); next <= counter; next++) {
      seen.clear((int) (next % SIZE));
    }
    highest = Math.max(highest, counter);
    int place = (int) (counter % SIZE);
    boolean isNew = !seen.get(place);
    seen.set(place);
    return isNew;
  }
}
