package org.understudy.cart;

/** What the shop sells. */
public enum Product {
  TEAPOT("Teapot", 2_450),
  CUP("Cup", 790),
  SPOON("Spoon", 320);

  private final String title;
  private final int cents;

  Product(String title, int cents) {
    this.title = title;
    this.cents = cents;
  }

  public String title() {
    return title;
  }

  /** The price, in cents. */
  public int cents() {
    return cents;
  }
}
