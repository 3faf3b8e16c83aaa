package org.understudy.lab.durability.counter;

/** The values of all counters: the state object. Not thread-safe. */
public interface CounterSet {
  boolean contains(int counter);

  /** The value of a counter; 0 if there is none. */
  long value(int counter);

  /** The number of counters. */
  int size();

  /** The sum of all values. */
  long total();

  /** Adds a counter; there must be none of this number. */
  void insertValue(int counter, long value);

  /** Replaces the value of a counter. */
  void setValue(int counter, long value);
}
