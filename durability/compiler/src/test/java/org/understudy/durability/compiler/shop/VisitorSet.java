package org.understudy.durability.compiler.shop;

import java.util.HashSet;
import java.util.Set;

/** Visitors in memory. */
public final class VisitorSet implements Visitors {
  private final Set<String> names = new HashSet<>();

  @Override
  public void came(String customer) {
    names.add(customer);
  }

  @Override
  public int count() {
    return names.size();
  }
}
