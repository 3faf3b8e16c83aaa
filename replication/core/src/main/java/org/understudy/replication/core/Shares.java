package org.understudy.replication.core;

import java.util.TreeMap;

/**
 * How much of one limit each owner uses. An owner gets half of the limit at most. Where the limit is reached, owners who
 * use little are still admitted: up to a quarter of an equal part, and up to twice the limit in all. To use that up takes
 * more than a hundred owners who take all they get.
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

  /** Whether an owner may use so much more. */
  public boolean admits(long owner, long amount, long limit) {
    long mine = used.getOrDefault(owner, 0L) + amount;
    if (mine > (limit + 1) / 2) {
      return false;
    }
    long owners = used.size() + (used.containsKey(owner) ? 0 : 1);
    return total + amount <= limit || (total + amount <= 2 * limit && mine <= Math.max(1, limit / (4 * owners)));
  }
}
