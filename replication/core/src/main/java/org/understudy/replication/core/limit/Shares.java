package org.understudy.replication.core.limit;

import java.util.TreeMap;

/**
 * The use of one limit by each owner. An owner gets at most its share of the limit, by default half. When the limit is
 * reached, owners with little use are still admitted: each up to a quarter of an equal part, and all together up to twice
 * the limit. Exhausting that takes more than a hundred owners at their maximum.
 */
public final class Shares {
  private final TreeMap<Long, Long> used = new TreeMap<>();
  private long total;

  /** Adds to an owner's use; a negative amount subtracts. */
  public void add(long owner, long amount) {
    total += amount;
    long now = used.merge(owner, amount, Long::sum);
    if (now == 0) {
      used.remove(owner);
    }
  }

  public long total() {
    return total;
  }

  /** An owner's use. */
  public long used(long owner) {
    return used.getOrDefault(owner, 0L);
  }

  /** An owner's share of a limit. */
  public static long share(long limit, int percent) {
    return limit / 100 * percent + (limit % 100 * percent + 99) / 100;
  }

  /** Whether an owner may use this much more, with the default share of half. */
  public boolean admits(long owner, long amount, long limit) {
    return admits(owner, amount, limit, Limits.CALLER_PERCENT);
  }

  /**
   * Whether an owner may use this much more.
   *
   * @param percent the share of one owner, from 1 to 100
   */
  public boolean admits(long owner, long amount, long limit, int percent) {
    long mine = used(owner) + amount;
    if (mine > share(limit, percent)) {
      return false;
    }
    long owners = used.size() + (used.containsKey(owner) ? 0L : 1L);
    return total + amount <= limit || (total + amount <= 2 * limit && mine <= Math.max(1, limit / (4 * owners)));
  }
}
