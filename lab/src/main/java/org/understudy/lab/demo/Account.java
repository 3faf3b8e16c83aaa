package org.understudy.lab.demo;

import java.util.ArrayList;
import java.util.List;

/**
 * The results that one client received. One thread writes; all but {@link #calls} and {@link #outages} is read when it has ended.
 */
final class Account {
  private static final long OUTAGE_NANOS = 50_000_000;

  private int acknowledged;
  private volatile int calls;
  private volatile int outages;
  private int executedTwice;
  private int lost;
  private final List<String> unknown = new ArrayList<>();
  private final List<String> violations = new ArrayList<>();
  private final List<Long> latencies = new ArrayList<>();

  /** The client, which alone changes its total, added {@code amount} and received {@code total}. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
  void add(int amount, int total, long nanos) {
    acknowledged += amount;
    calls++;
    latencies.add(nanos);
    outages += isOutage(nanos) ? 1 : 0;
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

  /** What the service has promised and did not keep, in one sentence. */
  void violation(String sentence) {
    violations.add(sentence);
  }

  List<String> violations() {
    return violations;
  }

  int calls() {
    return calls;
  }

  /** The number of calls that took so long that the client saw an outage. */
  int outages() {
    return outages;
  }

  static boolean isOutage(long nanos) {
    return nanos > OUTAGE_NANOS;
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
