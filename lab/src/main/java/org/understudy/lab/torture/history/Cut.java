package org.understudy.lab.torture.history;

import java.util.Set;

/**
 * A time during which some replicas could not reach a majority of the group. Between the two instants, no packet passed
 * between them and the others.
 *
 * @param fault the fault's number in the plan, from 1
 * @param minority those replicas
 * @param from when the last link had been cut, in ns
 * @param to when the first link was about to be restored, in ns on the same clock
 */
public record Cut(int fault, Set<Integer> minority, long from, long to) {
  public Cut {
    minority = Set.copyOf(minority);
  }
}
