package org.understudy.durability.compiler.shop;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/** Bills in memory. */
public final class LedgerState implements Ledger {
  private final Map<String, Long> bills = new HashMap<>();

  @Override
  public long charge(String customer, long amount, Instant when) {
    if (amount < 0) {
      throw new IllegalArgumentException("The amount is negative.");
    }
    return bills.merge(customer, amount, Long::sum);
  }

  @Override
  public void open(String customer, long balance, Instant when) {
    bills.put(customer, balance);
  }

  @Override
  public long balance(String customer) {
    return bills.getOrDefault(customer, 0L);
  }
}
