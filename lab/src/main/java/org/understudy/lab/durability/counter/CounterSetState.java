package org.understudy.lab.durability.counter;

import java.util.HashMap;
import java.util.Map;

/** A {@link CounterSet} in memory. */
public final class CounterSetState implements CounterSet {
  private final Map<Integer, Long> values = new HashMap<>();

  @Override
  public boolean contains(int counter) {
    return values.containsKey(counter);
  }

  @Override
  public long value(int counter) {
    return values.getOrDefault(counter, 0L);
  }

  @Override
  public int size() {
    return values.size();
  }

  @Override
  public long total() {
    return values.values().stream().mapToLong(Long::longValue).sum();
  }

  @Override
  public void insertValue(int counter, long value) {
    values.put(counter, value);
  }

  @Override
  public void setValue(int counter, long value) {
    values.put(counter, value);
  }
}
