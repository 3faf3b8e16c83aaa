package org.understudy.matchmaker.service;

import java.util.HashMap;
import java.util.Map;

/** An {@link AccountSet} in memory. */
public final class AccountSetState implements AccountSet {
  private final Map<String, Long> bills = new HashMap<>();

  @Override
  public boolean contains(String clientId) {
    return bills.containsKey(clientId);
  }

  @Override
  public long balance(String clientId) {
    return bills.getOrDefault(clientId, 0L);
  }

  @Override
  public int size() {
    return bills.size();
  }

  @Override
  public void insertBill(String clientId, long balance) {
    bills.put(clientId, balance);
  }

  @Override
  public void setBill(long balance, String clientId) {
    bills.put(clientId, balance);
  }
}
