package org.understudy.replication.core;

import java.util.TreeMap;

/**
 * How much of one limit each owner uses. An owner gets half of the limit at most; where the limit is reached, no more
 * than an equal part. So an owner who uses little is always admitted, whatever the others use, and all together never use
 * more than twice the limit.
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
    return total + amount <= limit || mine <= limit / owners;
  }
}
