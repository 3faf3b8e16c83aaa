package org.understudy.replication.core.transfer;

/**
 * How many updates a joiner may lack that has the state and does not catch up, because clients change the state as fast as its link
 * carries updates. The number falls evenly to one, so clients wait for the joiner more and more, as for a member. When that is of no use
 * either, they go on without it for a while.
 */
final class Pace {
  /** In these suspicion times the joiner is to catch up. */
  private static final int SHRINKING_SUSPICIONS = 8;
  /** After these, clients wait no longer. */
  private static final int LONGEST_SUSPICIONS = 16;
  /** After these, another pace may begin. */
  private static final int REST_SUSPICIONS = 128;

  private final long begin;
  private final long lag;
  private final long suspectNanos;

  /** @param lag the updates that the joiner lacks now */
  Pace(long now, long lag, long suspectNanos) {
    this.begin = now;
    this.lag = lag;
    this.suspectNanos = suspectNanos;
  }

  /** How many updates the joiner may lack; {@link Long#MAX_VALUE} if that does not matter any more. */
  long allowed(long now) {
    long passed = now - begin;
    long shrinking = SHRINKING_SUSPICIONS * suspectNanos;
    if (passed >= LONGEST_SUSPICIONS * suspectNanos) {
      return Long.MAX_VALUE;
    }
    return Math.max(1, (long) (lag * (1 - (double) passed / shrinking)));
  }

  /** Whether clients have gone on without the joiner for long enough. */
  boolean isOver(long now) {
    return now - begin >= REST_SUSPICIONS * suspectNanos;
  }
}
