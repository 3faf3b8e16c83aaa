package org.understudy.cart;

import java.io.Serializable;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/** What a customer is about to buy. Kept in the session and changed in place. */
public final class Cart implements Serializable {
  private static final long serialVersionUID = 1L;

  private final TreeMap<Product, Integer> quantities = new TreeMap<>();
  private int orders;

  /** One more of a product. */
  public void add(Product product) {
    quantities.merge(product, 1, Integer::sum);
  }

  /** Removes all of a product. */
  public void remove(Product product) {
    quantities.remove(product);
  }

  /** Orders what is in the cart, and empties it. An empty cart is not ordered. */
  public void order() {
    if (!quantities.isEmpty()) {
      orders++;
      quantities.clear();
    }
  }

  public Map<Product, Integer> quantities() {
    return Collections.unmodifiableMap(quantities);
  }

  /** The price of everything in the cart, in cents. */
  public int totalCents() {
    return quantities.entrySet().stream().mapToInt(line -> line.getKey().cents() * line.getValue()).sum();
  }

  /** The number of orders so far. */
  public int orders() {
    return orders;
  }
}
