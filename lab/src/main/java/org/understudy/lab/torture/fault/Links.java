package org.understudy.lab.torture.fault;

import java.util.HashSet;
import java.util.Set;

/** The directed links that a fault cuts, and which replicas then have no majority. */
final class Links {
  private final int replicas;
  private final Set<Link> cut = new HashSet<>();

  /** A direction between two replicas. */
  record Link(int from, int to) {}

  Links(int replicas) {
    this.replicas = replicas;
  }

  void oneWay(int from, int to) {
    cut.add(new Link(from, to));
  }

  void bothWays(int one, int other) {
    oneWay(one, other);
    oneWay(other, one);
  }

  Set<Link> cut() {
    return cut;
  }

  /**
   * The replicas that reach, by way of others if need be, no majority of the group in both directions. A replica that is not among
   * them may acknowledge an update by way of another one.
   */
  Set<Integer> minority() {
    Set<Integer> minority = new HashSet<>();
    for (int n = 1; n <= replicas; n++) {
      if (component(n).size() * 2 <= replicas) {
        minority.add(n);
      }
    }
    return minority;
  }

  /** Whether some replica reaches a majority, itself included, directly. Then the group can execute updates. */
  boolean majorityMeets() {
    for (int n = 1; n <= replicas; n++) {
      int reached = 1;
      for (int other = 1; other <= replicas; other++) {
        reached += other != n && connected(n, other) ? 1 : 0;
      }
      if (reached * 2 > replicas) {
        return true;
      }
    }
    return false;
  }

  private boolean connected(int one, int other) {
    return !cut.contains(new Link(one, other)) && !cut.contains(new Link(other, one));
  }

  private Set<Integer> component(int start) {
    Set<Integer> component = new HashSet<>(Set.of(start));
    boolean grows = true;
    while (grows) {
      grows = false;
      for (int n = 1; n <= replicas; n++) {
        int candidate = n;
        grows |= !component.contains(n) && component.stream().anyMatch(member -> connected(member, candidate)) && component.add(n);
      }
    }
    return component;
  }
}
