package org.understudy.durability.compiler.shop;

import java.util.List;

/** The items of the shop. */
public interface Stock {
  /** Adds an item, or to the count of a known one; whether it was new. */
  boolean add(Item item);

  /** Adds dry items. */
  void add(String name, int count);

  /** Takes from a known item. */
  void take(String name, int count) throws OutOfStock;

  /** Removes an item, and returns it; null if it is unknown. */
  Item remove(String name);

  /** The count of an item. */
  int count(String name);

  /** All names. */
  List<String> names();

  /** Counts everything twice, by an update method of its own. */
  default void recount() {
    names().forEach(name -> add(name, 0));
  }
}
