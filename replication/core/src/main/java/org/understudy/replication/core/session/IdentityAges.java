package org.understudy.replication.core.session;

import java.util.ArrayDeque;

/**
 * When the updates of identities were stable, in steps of a fraction of the retention time, at the replica that expires
 * identities. A new such replica starts at its own begin.
 */
final class IdentityAges {
  private static final int STEPS = 32;

  /** Identities up to the index were stable at this time. */
  private record Mark(long at, long index) {}

  private final long keptNanos;
  private final ArrayDeque<Mark> marks = new ArrayDeque<>();
  private long ended;

  IdentityAges(long keptNanos) {
    this.keptNanos = keptNanos;
  }

  /** @param end of the log: all identities up to it count from now */
  void begin(long now, long end) {
    marks.clear();
    marks.add(new Mark(now, end));
    ended = 0;
  }

  /** The index up to which identities have expired; 0: none yet. */
  long ended(long now, long stable) {
    while (!marks.isEmpty() && now - marks.peekFirst().at() >= keptNanos) {
      ended = marks.pollFirst().index();
    }
    if (marks.isEmpty() || now - marks.peekLast().at() >= keptNanos / STEPS) {
      marks.add(new Mark(now, stable));
    }
    return ended;
  }
}
