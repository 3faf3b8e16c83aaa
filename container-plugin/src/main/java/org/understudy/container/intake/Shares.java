package org.understudy.container.intake;

import java.util.Locale;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Limits what requests hold at this replica, in total and for each client. It keeps no entry for a client without a request in
 * progress. Thread-safe.
 */
public final class Shares {
  /** One client may hold a quarter of the total. */
  private static final int SHARES = 4;

  private final String subject;
  private final long limit;
  private final long share;
  private final AtomicLong total = new AtomicLong();
  private final ConcurrentHashMap<String, Long> byOwner = new ConcurrentHashMap<>();

  /**
   * @param subject what is counted, with a place for the number: "requests in progress hold %d bytes"
   * @param limit of all clients together; each may hold a quarter of it
   */
  public Shares(String subject, long limit) {
    this.subject = subject;
    this.limit = limit;
    this.share = Math.max(1, limit / SHARES);
  }

  /**
   * Reserves an amount for a client.
   *
   * @return null when the amount is reserved, and {@link #release} must follow; else a sentence that names the limit reached
   */
  public String reserve(String owner, long amount) {
    if (total.addAndGet(amount) > limit) {
      total.addAndGet(-amount);
      return "This replica has reached its limit: " + String.format(Locale.ROOT, subject, limit) + ". Retry later or at another replica.";
    }
    boolean[] counted = new boolean[1];
    byOwner.compute(owner, (key, before) -> {
      long now = before == null ? 0 : before;
      counted[0] = now + amount <= share;
      long after = counted[0] ? now + amount : now;
      return after == 0 ? null : Long.valueOf(after);
    });
    if (!counted[0]) {
      total.addAndGet(-amount);
      return "This client has reached its share: its " + String.format(Locale.ROOT, subject, share) + ". Retry after some have ended.";
    }
    return null;
  }

  /** Releases an amount that {@link #reserve} reserved. */
  public void release(String owner, long amount) {
    total.addAndGet(-amount);
    byOwner.computeIfPresent(owner, (key, before) -> before <= amount ? null : Long.valueOf(before - amount));
  }

  /** Returns the amount that one client may hold. */
  public long share() {
    return share;
  }

  /** Returns the amount that all clients hold now. */
  public long total() {
    return total.get();
  }
}
