package org.understudy.durability.compiler.shop;

/** Who was here. */
public interface Visitors {
  /** Counts a visitor. */
  void came(String customer);

  /** How many came. */
  int count();
}
