package org.understudy.lab.torture.check;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Which events must come before which by their values, on all counters, and what that leaves of their times. Events of one transaction are
 * one node. The earliest time of a node is the latest begin of all nodes up to it. There is an order with times between begins and ends if
 * nothing precedes itself, and no node's earliest time is after its end.
 */
final class Precedence {
  private final List<Node> nodes = new ArrayList<>();
  private final IdentityHashMap<Object, Node> units = new IdentityHashMap<>();
  private final Set<Node> reported = new HashSet<>();

  /** An event, or an instant at which a counter gets or loses a value. */
  static final class Node {
    private final Event event;
    private final List<Node> before = new ArrayList<>();
    private final List<Node> after = new ArrayList<>();
    private long invoked = Long.MIN_VALUE;
    private long returned = Long.MAX_VALUE;
    private long earliest = Long.MIN_VALUE;
    private Node because;
    private long latest = Long.MAX_VALUE;

    private Node(Event event) {
      this.event = event;
    }

    void precedes(Node other) {
      after.add(other);
      other.before.add(this);
    }

    /** The earliest end of it and all nodes after it. */
    long latest() {
      return latest;
    }
  }

  /** An instant. */
  Node instant() {
    Node node = new Node(null);
    nodes.add(node);
    return node;
  }

  /** An event that takes effect between its begin and its end. */
  Node linearizable(Event event) {
    return units.computeIfAbsent(event.unit(), unit -> {
      Node node = stale(event);
      node.invoked = event.operation().invoked();
      return node;
    });
  }

  /** A read of a value that was there before its end. */
  Node stale(Event event) {
    Node node = new Node(event);
    node.returned = event.operation().returned();
    nodes.add(node);
    return node;
  }

  /** Returns what cannot be ordered; afterwards, each node's latest time is known if there is nothing. */
  List<Violation> check() {
    List<Node> sorted = sorted();
    if (sorted.size() < nodes.size()) {
      return List.of(circle(sorted));
    }
    List<Violation> violations = new ArrayList<>();
    for (Node node : sorted) {
      for (Node before : node.before) {
        if (before.earliest > node.earliest) {
          node.earliest = before.earliest;
          node.because = before.because;
        }
      }
      // Once for each that began too late, not for each that had ended before it.
      if (node.earliest > node.returned && reported.add(node.because)) {
        violations.add(new Violation(node.event.promise(), node.because.event.describe() + " began when " + node.event.describe()
            + " had ended, and yet must come before it by its value."));
      }
      if (node.invoked > node.earliest) {
        node.earliest = node.invoked;
        node.because = node;
      }
    }
    for (int i = sorted.size() - 1; i >= 0; i--) {
      Node node = sorted.get(i);
      node.latest = node.returned;
      node.after.forEach(after -> node.latest = Math.min(node.latest, after.latest));
    }
    return violations;
  }

  private List<Node> sorted() {
    IdentityHashMap<Node, Integer> waits = new IdentityHashMap<>();
    Deque<Node> ready = new ArrayDeque<>();
    for (Node node : nodes) {
      waits.put(node, node.before.size());
      if (node.before.isEmpty()) {
        ready.add(node);
      }
    }
    List<Node> sorted = new ArrayList<>();
    while (!ready.isEmpty()) {
      Node node = ready.remove();
      sorted.add(node);
      for (Node after : node.after) {
        if (waits.merge(after, -1, Integer::sum) == 0) {
          ready.add(after);
        }
      }
    }
    return sorted;
  }

  /** Each node that is left has one before it that is left, so the way back comes to a circle. */
  private Violation circle(Collection<Node> sorted) {
    Set<Node> left = new LinkedHashSet<>(nodes);
    left.removeAll(new HashSet<>(sorted));
    Node node = left.iterator().next();
    List<Node> way = new ArrayList<>();
    while (!way.contains(node)) {
      way.add(node);
      node = node.before.stream().filter(left::contains).findFirst().orElseThrow();
    }
    String events = way.subList(way.indexOf(node), way.size()).stream().filter(on -> on.event != null && on.event.transaction() != null)
        .map(on -> on.event.describe()).distinct().collect(Collectors.joining("; "));
    return new Violation(
        "transaction", "These took effect as a whole in no order: on one counter one comes first, on another one another. " + events + ".");
  }
}
