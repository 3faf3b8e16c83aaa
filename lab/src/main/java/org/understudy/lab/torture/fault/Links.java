package org.understudy.lab.torture.fault;

import java.util.HashSet;
import java.util.List;
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

  /**
   * The links that a partition cuts.
   *
   * @param order all replicas; those that it concerns come first
   * @param size how many of them a split separates from the others
   */
  static Links of(FaultKind kind, List<Integer> order, int size) {
    Links links = new Links(order.size());
    for (int i = 0; i < order.size(); i++) {
      for (int j = i + 1; j < order.size(); j++) {
        links.cut(kind, size, i, j, order);
      }
    }
    return links;
  }

  private void cut(FaultKind kind, int size, int i, int j, List<Integer> order) {
    int one = order.get(i);
    int other = order.get(j);
    int half = Fault.half(order.size());
    boolean first = i == 0;
    switch (kind) {
      case SPLIT, FLAP -> bothWaysIf(i < size && j >= size, one, other);
      case SCATTER -> bothWays(one, other);
      case BRIDGE -> bothWaysIf(!first && i < half && j >= half, one, other);
      case MUTE -> oneWayIf(first, one, other);
      case DEAF -> oneWayIf(first, other, one);
      case ONE_WAY -> oneWayIf(first && j == 1, one, other);
      default -> throw new IllegalArgumentException(kind + " is no partition of one shape.");
    }
  }

  /** Those between one replica and all others. */
  static Links allOf(int victim, int replicas) {
    Links links = new Links(replicas);
    for (int n = 1; n <= replicas; n++) {
      links.bothWaysIf(n != victim, victim, n);
    }
    return links;
  }

  private void bothWaysIf(boolean condition, int one, int other) {
    if (condition) {
      bothWays(one, other);
    }
  }

  private void oneWayIf(boolean condition, int from, int to) {
    if (condition) {
      oneWay(from, to);
    }
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
