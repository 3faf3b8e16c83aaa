package org.understudy.container.intake;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the bytes that requests hold at this replica, in all and for each client, and refuses what exceeds either
 * bound. A client without a request in progress leaves no trace. Thread-safe.
 */
public final class HeldBytes {
  /** One client may hold a fourth of all. */
  private static final int SHARES = 4;

  private final long limit;
  private final long share;
  private final AtomicLong total = new AtomicLong();
  private final ConcurrentHashMap<String, Long> byOwner = new ConcurrentHashMap<>();

  /** @param limit bytes of all clients together; each may hold a fourth of them */
  public HeldBytes(long limit) {
    this.limit = limit;
    this.share = Math.max(1, limit / SHARES);
  }

  /**
   * Counts bytes of a client.
   *
   * @return null when they are counted, and {@link #release} must follow; else the sentence that says which bound is met
   */
  public String reserve(String owner, long bytes) {
    if (total.addAndGet(bytes) > limit) {
      total.addAndGet(-bytes);
      return "Requests in progress at this replica hold " + limit + " bytes, the limit. Retry, or ask another replica.";
    }
    boolean[] counted = new boolean[1];
    byOwner.compute(owner, (key, before) -> {
      long now = before == null ? 0 : before;
      counted[0] = now + bytes <= share;
      long after = counted[0] ? now + bytes : now;
      return after == 0 ? null : Long.valueOf(after);
    });
    if (!counted[0]) {
      total.addAndGet(-bytes);
      return "Requests in progress of this client hold " + share + " bytes, its share. Wait for some to be answered.";
    }
    return null;
  }

  /** Takes back what {@link #reserve} counted. */
  public void release(String owner, long bytes) {
    total.addAndGet(-bytes);
    byOwner.computeIfPresent(owner, (key, before) -> before <= bytes ? null : Long.valueOf(before - bytes));
  }

  /** Bytes held now. */
  public long total() {
    return total.get();
  }
}
