package org.understudy.lab.torture.history;

/**
 * A fault of the plan as it took place.
 *
 * @param number in the plan, from 1
 * @param kind its name in output
 * @param replica the first of those that it concerned; without meaning if it concerned the database server alone
 * @param primary the primary when it began
 * @param successor the primary when all replicas were in one view again; 0 if they were not
 * @param from when it was complete, in ns
 * @param to when its end began, in ns on the same clock
 */
public record InjectedFault(int number, String kind, int replica, int primary, int successor, long from, long to) {
  /** Whether it concerned the primary, and another replica has taken over. */
  public boolean failover() {
    return replica == primary && successor != 0 && successor != primary;
  }
}
