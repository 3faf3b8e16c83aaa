package org.understudy.durability.proxy;

/** The interface of a state object. */
interface AccountSet {
  int balance(String client);

  void insertBill(String client, int balance);

  void charge(String client, int amount) throws UnknownMachineException;

  /** @param other what another object does when the bill is inserted */
  void insertBillWith(String client, int balance, Runnable other);
}
