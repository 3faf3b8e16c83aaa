package org.understudy.durability.compiler.shop;

/** What is in stock. */
public record Item(String name, int count, Kind kind) {
  /** How it is kept. */
  public enum Kind {
    DRY,
    COLD
  }
}
