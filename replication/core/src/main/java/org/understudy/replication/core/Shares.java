package org.understudy.replication.core;

import java.util.TreeMap;

/**
 * How much of one limit each owner uses. An owner gets a share of the limit at most, usually half. Where the limit is
 * reached, owners who use little are still admitted: up to a quarter of an equal part, and up to twice the limit in all. To
 * use that up takes more than a hundred owners who take all they get.
 */
public final class Shares {
  private final TreeMap<Long, Long> used = new TreeMap<>();
  private long total;

  /** Counts what an owner uses more (or less, if below zero). */
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

  /** What an owner uses. */
  public long used(long owner) {
    return used.getOrDefault(owner, 0L);
  }

  /** What one owner may use of a limit. */
  public static long share(long limit, int percent) {
    return limit / 100 * percent + (limit % 100 * percent + 99) / 100;
  }

  /** Whether an owner may use so much more, where each may use half. */
  public boolean admits(long owner, long amount, long limit) {
    return admits(owner, amount, limit, Limits.CALLER_PERCENT);
  }

  /**
   * Whether an owner may use so much more.
   *
   * @param percent of the limit that is for one owner, from 1 to 100
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
