package org.understudy.durability.proxy;

import java.util.TreeMap;

/** A state object, as a service's author writes it. */
class AccountSetState implements AccountSet {
  private final TreeMap<String, Integer> balances = new TreeMap<>();

  @Override
  public int balance(String client) {
    return balances.getOrDefault(client, 0);
  }

  @Override
  public void insertBill(String client, int balance) {
    balances.put(client, balance);
  }

  /** Throws after it has changed something. */
  @Override
  public void charge(String client, int amount) throws UnknownMachineException {
    Integer before = balances.put(client, balance(client) + amount);
    if (before == null) {
      throw new UnknownMachineException(client);
    }
  }

  @Override
  public void insertBillWith(String client, int balance, Runnable other) {
    balances.put(client, balance);
    other.run();
  }
}
