package org.understudy.lab.torture.check;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.understudy.lab.torture.history.Level;
import org.understudy.lab.torture.history.Operation;
import org.understudy.lab.torture.history.Outcome;

/**
 * The values of one counter that begins with 0, and the order of events that they show.
 *
 * <p>Amounts are positive, so the value grows with each update and passes each value once. An acknowledged update takes the
 * counter from {@code value - amount} to {@code value}: the order of acknowledged updates is that of their values. What the
 * acknowledged ones do not explain must be sums of updates with an unknown outcome, each used once at most. Session and local
 * reads must return a value that the counter had by the time at which they returned, however old; linearizable reads a value that it
 * had between their begin and end.
 *
 * <p>An update of unknown outcome takes part at any time after its begin. So it fits a gap if it began before the earliest end of all that
 * comes after the gap, and the choice between those that fit does not influence times. Then only sums remain to be found.
 */
final class CounterTimeline {
  static final String LINEARIZABLE = "linearizable";

  private final int resource;
  private final List<Operation> unknown = new ArrayList<>();
  /** Those that had no effect, for people. */
  private final List<Event> failed = new ArrayList<>();
  private final List<Event> updates = new ArrayList<>();
  /** The values that events show, with those reads that returned them. */
  private final TreeMap<Integer, List<Event>> readsAt = new TreeMap<>();
  private final Map<Integer, Event> updateFrom = new HashMap<>();
  private final Map<Integer, Event> updateTo = new HashMap<>();
  private final Map<UnknownSums.Gap, Precedence.Node> gaps = new LinkedHashMap<>();

  CounterTimeline(int resource) {
    this.resource = resource;
    readsAt.put(0, new ArrayList<>());
  }

  /** Adds an operation, whatever its outcome. */
  void add(Operation operation) {
    if (operation.ok()) {
      add(Event.of(operation));
    } else if (operation.update() && operation.outcome() == Outcome.UNKNOWN) {
      unknown.add(operation);
    } else {
      failed.add(Event.of(operation));
    }
  }

  /** Adds what had an effect. */
  void add(Event event) {
    readsAt.computeIfAbsent(event.to(), value -> new ArrayList<>());
    if (!event.operation().update()) {
      readsAt.get(event.to()).add(event);
      return;
    }
    readsAt.computeIfAbsent(event.from(), value -> new ArrayList<>());
    updates.add(event);
    updateFrom.putIfAbsent(event.from(), event);
    updateTo.putIfAbsent(event.to(), event);
  }

  /** Adds what had no effect. */
  void addFailed(Event event) {
    failed.add(event);
  }

  /** Whether an event shows this value. */
  boolean shows(int value) {
    return readsAt.containsKey(value);
  }

  /** Whether another event excludes that this one had an effect. */
  boolean excludes(Event event) {
    Integer below = readsAt.lowerKey(event.from());
    boolean inside = below != null && updateFrom.containsKey(below) && updateFrom.get(below).to() > event.from();
    return inside || event.operation().update() && (updateFrom.containsKey(event.from()) || updateTo.containsKey(event.to())
        || !readsAt.subMap(event.from(), false, event.to(), false).isEmpty());
  }

  /** Returns values that cannot be: two updates from or to one of them, one below 0, or one within an update. */
  List<Finding> impossible() {
    List<Finding> findings = new ArrayList<>();
    for (Event update : updates) {
      Event other = updateFrom.get(update.from()) == update ? updateTo.get(update.to()) : updateFrom.get(update.from());
      if (other != update) {
        findings.add(finding("acknowledged update lost", other.describe() + " and " + update.describe()
            + " do not both count: one of them began without the other.", update));
      }
    }
    if (readsAt.firstKey() < 0) {
      findings.add(finding(LINEARIZABLE, "A value is below 0: " + shownAt(readsAt.firstKey()).describe() + ".",
          shownAt(readsAt.firstKey())));
    }
    if (!findings.isEmpty()) {
      return findings;
    }
    for (Event update : updates) {
      int next = readsAt.higherKey(update.from());
      if (next != update.to()) {
        findings.add(finding(LINEARIZABLE, shownAt(next).describe() + " shows a value within one update, " + update.describe() + ".",
            update));
        return findings;
      }
    }
    return findings;
  }

  private Finding finding(String promise, String what, Event at) {
    // Worse than any gap: what follows is not looked at.
    return new Finding(new Violation(promise, what), resource, at.from(), at.to(), 1_000);
  }

  /** Adds the order of all events, which are possible. */
  void addTo(Precedence precedence) {
    Precedence.Node step = null;
    int last = 0;
    for (Map.Entry<Integer, List<Event>> point : readsAt.entrySet()) {
      Precedence.Node reached = precedence.instant();
      if (step != null) {
        step.precedes(reached);
      }
      Precedence.Node left = precedence.instant();
      reached.precedes(left);
      for (Event read : point.getValue()) {
        if (read.operation().level() == Level.LINEARIZABLE) {
          Precedence.Node node = precedence.linearizable(read);
          reached.precedes(node);
          node.precedes(left);
        } else {
          reached.precedes(precedence.stale(read));
        }
      }
      last = point.getKey();
      Integer next = readsAt.higherKey(last);
      Event update = updateFrom.get(last);
      if (update != null) {
        step = precedence.linearizable(update);
        left.precedes(step);
      } else if (next != null) {
        step = precedence.instant();
        left.precedes(step);
        gaps.put(new UnknownSums.Gap(last, next), step);
      }
    }
  }

  /** Returns the gap that no updates of unknown outcome explain, after the order has been checked. */
  List<Finding> unexplained() {
    List<UnknownSums.Gap> timed = new ArrayList<>();
    gaps.forEach((gap, node) -> timed.add(gap.before(node.latest())));
    unknown.sort(Comparator.comparingLong(Operation::invoked));
    UnknownSums.Answer answer = new UnknownSums(unknown).explain(timed);
    if (answer.gap() == null) {
      return List.of();
    }
    UnknownSums.Gap gap = answer.gap();
    return List.of(new Finding(new Violation(answer.decided() ? "exactly once" : "undecided", describe(gap, answer.decided())), resource,
        gap.from(), gap.to(), timed.size() - timed.indexOf(gap)));
  }

  private String describe(UnknownSums.Gap gap, boolean decided) {
    int sum = gap.to() - gap.from();
    StringBuilder text = new StringBuilder("Counter " + resource + " went from " + gap.from() + " to " + gap.to() + ", seen by "
        + shownAt(gap.to()).describe() + (decided
            ? ", and no update explains the difference " + sum
            : ", and the search among updates of unknown outcome was given up for the difference " + sum)
        + " (" + unknown.size() + " updates of this counter have an unknown outcome).");
    Stream.concat(updates.stream(), failed.stream()).filter(event -> event.operation().amount() == sum).limit(3)
        .forEach(suspect -> text.append(" It is the amount of ").append(suspect.describe()).append('.'));
    return text.toString();
  }

  /** An event that shows a value. */
  private Event shownAt(int value) {
    if (updateTo.containsKey(value)) {
      return updateTo.get(value);
    }
    return readsAt.get(value).isEmpty() ? updateFrom.get(value) : readsAt.get(value).get(0);
  }
}
