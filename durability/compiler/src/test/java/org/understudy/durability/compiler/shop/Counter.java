package org.understudy.durability.compiler.shop;

/** What a superclass that is no service adds. */
public class Counter {
  /** No operation of the service: this class is not marked. */
  public int opened() {
    return 1;
  }
}
