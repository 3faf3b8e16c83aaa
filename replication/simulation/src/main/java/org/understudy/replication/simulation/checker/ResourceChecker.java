package org.understudy.replication.simulation.checker;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.understudy.replication.api.ReadLevel;

/**
 * Checks a history against the final image. The image's log gives the order of all executions that took effect; from it
 * follow exactly-once, durability, the state at every index, and with real time linearizability per resource.
 */
public final class ResourceChecker {
  /** The state of a resource from an index on. */
  private record Version(long index, boolean present, long value, long writer) {}

  /** An operation that read or wrote some version: the first and the last that it can have been. */
  private record Seen(Operation operation, long earliest, long latest) {}

  private final History history;
  private final Predicate<String> permanent;
  private final Predicate<String> replicated;
  private final Map<String, List<Version>> versions = new TreeMap<>();
  private final Map<Integer, ExecutedUpdate> executed = new HashMap<>();

  /** @param permanent the resources that exist from the start with value 0 */
  public ResourceChecker(History history, Predicate<String> permanent) {
    this(history, permanent, resource -> true);
  }

  /** @param replicated the resources that are checked */
  public ResourceChecker(History history, Predicate<String> permanent, Predicate<String> replicated) {
    this.history = history;
    this.permanent = permanent;
    this.replicated = replicated;
  }

  /** @param image the final state, equal on all replicas */
  public void check(Map<String, byte[]> image) {
    for (ExecutedUpdate update : ExecutedUpdate.all(image)) {
      replay(update);
    }
    versions.forEach((resource, of) -> finalState(resource, of.get(of.size() - 1), image.get(resource)));
    Map<String, List<Seen>> byResource = new TreeMap<>();
    for (Operation operation : history.operations()) {
      Seen seen = replicated.test(operation.resource()) ? seen(operation) : null;
      if (seen != null) {
        byResource.computeIfAbsent(operation.resource(), r -> new ArrayList<>()).add(seen);
      }
    }
    byResource.values().forEach(this::realTime);
  }

  /** The state of a resource in the image; null when there is none. */
  public static Long value(byte[] state) {
    return state == null ? null : ByteBuffer.wrap(state).getLong();
  }

  private List<Version> versions(String resource) {
    return versions.computeIfAbsent(resource, r -> {
      List<Version> first = new ArrayList<>();
      first.add(new Version(0, permanent.test(r), 0, 0));
      return first;
    });
  }

  private void replay(ExecutedUpdate update) {
    Operation operation = history.operations().get(update.operation());
    if (executed.put(update.operation(), update) != null) {
      history.violation("exactly once", operation + " was executed more than once, last at " + update.index());
    }
    if (operation.end() == Operation.End.REFUSED) {
      history.violation("not executed", operation + " was refused and yet took effect at " + update.index());
    }
    List<Version> of = versions(operation.resource());
    Version before = of.get(of.size() - 1);
    boolean allowed = before.present() == (operation.action() != Action.CREATE);
    if (!allowed || update.index() <= before.index()) {
      history.violation("agreement", operation + " took effect at " + update.index() + " on " + before);
    }
    boolean destroyed = operation.action() == Action.DESTROY;
    long value = destroyed ? 0 : before.value() + operation.amount();
    of.add(new Version(update.index(), !destroyed, value, destroyed ? 0 : update.writer()));
    if (operation.end() == Operation.End.RETURNED
        && (!operation.observation().effective()
            || operation.observation().value() != value
            || operation.index() < update.index())) {
      history.violation("linearizability",
          operation + " took effect at " + update.index() + " and left " + of.get(of.size() - 1));
    }
  }

  private void finalState(String resource, Version last, byte[] state) {
    Long expected = last.present() && last.index() > 0 ? last.value() : null;
    if (!Objects.equals(expected, value(state))) {
      history.violation("agreement", resource + " is " + value(state) + " in the end, its updates give " + last);
    }
  }

  /** Null when it read nothing. */
  private Seen seen(Operation operation) {
    if (operation.end() != Operation.End.RETURNED) {
      return null;
    }
    Observation observation = operation.observation();
    if (operation.update() && observation.effective()) {
      if (!executed.containsKey(operation.number())) {
        history.violation("durability", operation + " was acknowledged and is lost");
        return null;
      }
      long index = executed.get(operation.number()).index();
      return new Seen(operation, index, index);
    }
    long earliest = Long.MAX_VALUE;
    long latest = -1;
    for (Version version : versions(operation.resource())) {
      boolean same = version.present() == observation.present() && version.value() == observation.value()
          && version.writer() == observation.writer();
      if (same && version.index() <= operation.index()) {
        earliest = Math.min(earliest, version.index());
        latest = version.index();
      }
    }
    if (latest < 0) {
      history.violation("stable reads", operation + " shows what never was");
      return null;
    }
    return new Seen(operation, earliest, latest);
  }

  private void realTime(List<Seen> seen) {
    linear(seen);
    Map<String, List<Seen>> byClient = new TreeMap<>();
    seen.forEach(one -> byClient.computeIfAbsent(one.operation().client(), c -> new ArrayList<>()).add(one));
    byClient.values().forEach(this::sessionReads);
  }

  /** For updates and linearizable reads: an operation that returned before another began shows no later version. */
  private void linear(List<Seen> seen) {
    List<Seen> strict = new ArrayList<>();
    for (Seen one : seen) {
      if (one.operation().update() || one.operation().level() == ReadLevel.LINEARIZABLE) {
        strict.add(one);
      }
    }
    notOlder(strict, strict, "linearizability");
  }

  /** A client's session reads never show less than it has seen. */
  private void sessionReads(List<Seen> ofClient) {
    List<Seen> reads = new ArrayList<>();
    for (Seen one : ofClient) {
      if (one.operation().level() == ReadLevel.SESSION) {
        reads.add(one);
      }
    }
    notOlder(ofClient, reads, "session reads");
  }

  private void notOlder(List<Seen> returned, List<Seen> invoked, String checker) {
    List<Seen> before = new ArrayList<>(returned);
    before.sort(Comparator.comparingLong(one -> one.operation().returnedAt()));
    List<Seen> after = new ArrayList<>(invoked);
    after.sort(Comparator.comparingLong(one -> one.operation().invokedAt()));
    Seen newest = null;
    int next = 0;
    for (Seen one : after) {
      while (next < before.size() && before.get(next).operation().returnedAt() < one.operation().invokedAt()) {
        Seen candidate = before.get(next++);
        newest = newest == null || candidate.earliest() > newest.earliest() ? candidate : newest;
      }
      boolean made = one.operation().update() && one.operation().observation().effective();
      long max = made ? one.latest() - 1 : one.latest();
      if (newest != null && newest.earliest() > max) {
        history.violation(checker, newest.operation() + " had returned before " + one.operation());
        return;
      }
    }
  }
}
