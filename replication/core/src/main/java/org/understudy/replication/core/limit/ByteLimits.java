package org.understudy.replication.core.limit;

/**
 * Limits, in approximate bytes, of the replicated state. The primary alone enforces them; a backup applies every update
 * that it receives. Each is above zero.
 *
 * @param state of all resources. Beyond it, an execution that makes the state grow is rolled back and refused as Overloaded
 * @param resource of one resource's state. Beyond it, the execution ends as TooLarge
 * @param replies of all kept replies
 * @param sessionReplies of the kept replies of one session
 * @param reply of one reply. Beyond it, the execution ends as TooLarge
 * @param update of one state update, so that one frame carries it. Beyond it, the execution ends as TooLarge
 * @param unstable of the updates that are sent and not yet stable, before new requests are refused as Overloaded
 */
public record ByteLimits(
    long state, long resource, long replies, long sessionReplies, long reply, long update, long unstable) {
  private static final long MIB = 1L << 20;

  public static final ByteLimits DEFAULTS =
      new ByteLimits(64 * MIB, 8 * MIB, 32 * MIB, 8 * MIB, 8 * MIB, 16 * MIB, 32 * MIB);

  public ByteLimits {
    if (state < 1 || resource < 1 || replies < 1 || sessionReplies < 1 || reply < 1 || update < 1 || unstable < 1) {
      throw new IllegalArgumentException("Every limit must be above zero.");
    }
  }
}
