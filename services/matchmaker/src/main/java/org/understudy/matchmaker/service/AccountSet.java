package org.understudy.matchmaker.service;

/** What each client owes for its allocations. A state object, like {@link MachineQueue}. Not thread-safe. */
public interface AccountSet {
  /** Whether the client has a bill. */
  boolean contains(String clientId);

  /** The balance of a client's bill; 0 if it has none. */
  long balance(String clientId);

  /** The number of bills. */
  int size();

  /** Adds a bill; the client must have none. */
  void insertBill(String clientId, long balance);

  /** Replaces the balance of a bill. */
  void setBill(long balance, String clientId);
}
