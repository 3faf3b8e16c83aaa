package org.understudy.durability.compiler.shop;

/** Another declared fault. */
public class Declined extends Exception {
  private static final long serialVersionUID = 1;

  /** @param message gives the reason */
  public Declined(String message) {
    super(message);
  }
}
