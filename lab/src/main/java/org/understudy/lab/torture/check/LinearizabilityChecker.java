package org.understudy.lab.torture.check;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import org.understudy.lab.torture.history.ClientTransaction;
import org.understudy.lab.torture.history.Operation;
import org.understudy.lab.torture.history.TransactionOutcome;

/**
 * Linearizability of all counters and of the transactions over them, decided exactly within a budget.
 *
 * <p>A transaction keeps others away from each counter that it calls until it ends. So the values that its calls have returned are
 * its place on each counter, and it is an update of several counters at one time between the request for its commit and the answer.
 * One that was aborted is none. One of unknown outcome either has its effect on all counters, at any time after that request, or on none.
 * Nearly always the values that others have seen show which. Where they do not, both are tried.
 */
final class LinearizabilityChecker {
  private static final int MAX_ASSESSMENTS = 300;

  private final List<Operation> operations;
  private final List<ClientTransaction> transactions;
  /** Those of unknown outcome that can have an effect. */
  private final List<ClientTransaction> undecided = new ArrayList<>();

  private LinearizabilityChecker(List<Operation> operations, List<ClientTransaction> transactions) {
    this.operations = operations;
    this.transactions = transactions;
  }

  /** Checks operations and transactions on any counters, in any order. */
  static List<Violation> check(List<Operation> operations, List<ClientTransaction> transactions) {
    return new LinearizabilityChecker(operations, transactions).search();
  }

  /** What is wrong if these of the undecided transactions have an effect. */
  private final class Assessment {
    private final BitSet effective;
    private final List<Finding> findings;
    /** Other choices that were not tried, those that may mend a finding first. */
    private final Deque<Integer> untried = new ArrayDeque<>();

    Assessment(BitSet effective) {
      this.effective = effective;
      this.findings = assess(effective);
      for (int i = 0; i < undecided.size(); i++) {
        List<Event> events = events(undecided.get(i));
        if (findings.stream().anyMatch(finding -> events.stream().anyMatch(finding::near))) {
          untried.addFirst(i);
        } else {
          untried.addLast(i);
        }
      }
    }

    int weight() {
      return findings.stream().mapToInt(Finding::weight).sum();
    }
  }

  private List<Violation> search() {
    PriorityQueue<Assessment> open = new PriorityQueue<>(Comparator.comparingInt(Assessment::weight));
    Assessment best = new Assessment(likely());
    Set<BitSet> tried = new HashSet<>(Set.of(best.effective));
    open.add(best);
    while (!best.findings.isEmpty() && !open.isEmpty() && tried.size() < MAX_ASSESSMENTS) {
      Assessment assessment = open.remove();
      BitSet effective = (BitSet) assessment.effective.clone();
      if (assessment.untried.isEmpty()) {
        continue;
      }
      effective.flip(assessment.untried.removeFirst());
      open.add(assessment);
      if (tried.add(effective)) {
        Assessment other = new Assessment(effective);
        open.add(other);
        best = other.weight() < best.weight() ? other : best;
      }
    }
    List<Violation> violations = new ArrayList<>(best.findings.stream().map(Finding::violation).toList());
    if (!violations.isEmpty() && !open.isEmpty()) {
      violations.add(new Violation("undecided",
          "The search among " + undecided.size() + " transactions of unknown outcome was given up. The best choice found has these."));
    }
    return violations;
  }

  /** Finds the transactions of unknown outcome that nothing excludes; returns those whose values others have seen. */
  private BitSet likely() {
    Map<Integer, CounterTimeline> counters = counters(new BitSet());
    BitSet likely = new BitSet();
    for (ClientTransaction transaction : transactions) {
      List<Event> events = events(transaction);
      if (transaction.outcome() != TransactionOutcome.UNKNOWN || events.isEmpty()
          || events.stream().anyMatch(event -> counters.get(event.operation().resource()).excludes(event))) {
        continue;
      }
      likely.set(undecided.size(), events.stream()
          .allMatch(event -> !event.operation().update() || counters.get(event.operation().resource()).shows(event.to())));
      undecided.add(transaction);
    }
    return likely;
  }

  private static List<Event> events(ClientTransaction transaction) {
    return transaction.effects().stream().map(operation -> new Event(operation, transaction)).toList();
  }

  private Map<Integer, CounterTimeline> counters(BitSet effective) {
    Map<Integer, CounterTimeline> counters = new TreeMap<>();
    for (Operation operation : operations) {
      counters.computeIfAbsent(operation.resource(), CounterTimeline::new).add(operation);
    }
    for (ClientTransaction transaction : transactions) {
      int number = undecided.indexOf(transaction);
      boolean counts = transaction.outcome() == TransactionOutcome.COMMITTED || number >= 0 && effective.get(number);
      for (Event event : events(transaction)) {
        CounterTimeline counter = counters.computeIfAbsent(event.operation().resource(), CounterTimeline::new);
        if (counts) {
          counter.add(event);
        } else {
          counter.addFailed(event);
        }
      }
    }
    return counters;
  }

  private List<Finding> assess(BitSet effective) {
    List<Finding> findings = new ArrayList<>();
    Map<Integer, CounterTimeline> counters = counters(effective);
    counters.values().forEach(counter -> findings.addAll(counter.impossible()));
    if (!findings.isEmpty()) {
      return findings;
    }
    Precedence precedence = new Precedence();
    counters.values().forEach(counter -> counter.addTo(precedence));
    precedence.check().forEach(violation -> findings.add(Finding.anywhere(violation)));
    if (findings.isEmpty()) {
      counters.values().forEach(counter -> findings.addAll(counter.unexplained()));
    }
    return findings;
  }
}
