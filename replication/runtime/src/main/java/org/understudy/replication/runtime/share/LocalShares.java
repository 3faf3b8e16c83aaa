package org.understudy.replication.runtime.share;

import java.util.Locale;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Limits what requests hold at this replica, in total and for each client. It keeps no entry for a client without a request in
 * progress. Thread-safe.
 */
public final class LocalShares {
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
  public LocalShares(String subject, long limit) {
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
    return reserve(owner, amount, -1);
  }

  /**
   * Reserves more for a request. A client's share does not apply to its only request, and the limit not to the only request at this
   * replica: else the largest permitted request might never be admitted. A client that holds something leaves as much as that for others,
   * up to a share, so few clients cannot fill the limit for all others.
   *
   * @param before what the request has reserved
   */
  String grow(String owner, long before, long more) {
    return reserve(owner, more, before);
  }

  /** @param before what a request has reserved to which the exceptions of the only request apply; negative for none */
  private String reserve(String owner, long amount, long before) {
    String[] full = new String[1];
    byOwner.compute(owner, (key, held) -> {
      long now = held == null ? 0 : held;
      boolean withinShare = now + amount <= share || now == before;
      if (!withinShare) {
        full[0] = "This client has reached its share: its " + String.format(Locale.ROOT, subject, share) + ". Retry after some have ended.";
      } else if (!add(amount, before, before < 0 ? 0 : Math.min(now, share))) {
        full[0] =
            "This replica has reached its limit: " + String.format(Locale.ROOT, subject, limit) + ". Retry later or at another replica.";
      }
      long after = full[0] == null ? now + amount : now;
      return after == 0 ? null : Long.valueOf(after);
    });
    return full[0];
  }

  /**
   * Adds to the total. An amount that is refused is never part of the total, where it would be in the way of others.
   *
   * @param free what must remain for others
   */
  private boolean add(long amount, long before, long free) {
    long all = total.get();
    while (all + amount + free <= limit || all == before) {
      if (total.compareAndSet(all, all + amount)) {
        return true;
      }
      all = total.get();
    }
    return false;
  }

  /** Releases an amount that was reserved. */
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
