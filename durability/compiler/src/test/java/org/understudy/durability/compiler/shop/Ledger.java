package org.understudy.durability.compiler.shop;

import java.time.Instant;

/** What customers owe. */
public interface Ledger {
  /** Adds to a customer's bill; the new balance. */
  long charge(String customer, long amount, Instant when);

  /** Opens a bill with a balance. */
  void open(String customer, long balance, Instant when);

  /** The balance of a bill. */
  long balance(String customer);
}
