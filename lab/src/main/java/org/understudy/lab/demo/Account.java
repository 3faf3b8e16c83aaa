package org.understudy.lab.demo;

import java.util.ArrayList;
import java.util.List;

/**
 * The results that one client received from its counter. One thread writes; all but {@link #calls} is read when it has
 * ended.
 */
final class Account {
  private int acknowledged;
  private volatile int calls;
  private int executedTwice;
  private int lost;
  private final List<String> unknown = new ArrayList<>();
  private final List<Long> latencies = new ArrayList<>();

  /** The only client of its counter added {@code amount} and received {@code total}. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
  void add(int amount, int total, long nanos) {
    acknowledged += amount;
    calls++;
    latencies.add(nanos);
    if (total > acknowledged) {
      // More than was requested: something was executed twice. Count it once.
      executedTwice++;
      acknowledged = total;
    } else if (total < acknowledged) {
      lost++;
      acknowledged = total;
    }
  }

  void unknown(String what) {
    unknown.add(what);
  }

  int calls() {
    return calls;
  }

  int lost() {
    return lost;
  }

  int executedTwice() {
    return executedTwice;
  }

  List<String> unknown() {
    return unknown;
  }

  List<Long> latencies() {
    return latencies;
  }
}
