package org.understudy.container.transaction;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.understudy.replication.api.decision.DecisionId;
import org.understudy.replication.api.decision.InDoubt;
import org.understudy.replication.runtime.Replica;

/**
 * What earlier primaries have prepared, and no coordinator has decided so far. No lock of this primary protects its objects. Thread-safe;
 * takes locks for a short time.
 */
final class InheritedUpdates {
  /** For how long the keys are not read again, so that requests that wait do not cost a look each. */
  private static final long FRESH_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  /** @param at in {@link System#nanoTime()} */
  private record Known(Set<DecisionId> updates, Set<String> keys, long at) {
    private static final Known NONE = new Known(Set.of(), Set.of(), 0);
  }

  private final Replica replica;
  private final AtomicReference<Known> known = new AtomicReference<>(Known.NONE);

  InheritedUpdates(Replica replica) {
    this.replica = replica;
  }

  /** A new primary finds these. */
  void inherited(List<InDoubt> updates) {
    known.set(known(updates));
  }

  private static Known known(List<InDoubt> updates) {
    Set<String> keys = new HashSet<>();
    updates.forEach(one -> keys.addAll(one.resources()));
    Set<DecisionId> ids = updates.stream().map(InDoubt::id).collect(Collectors.toUnmodifiableSet());
    return ids.isEmpty() ? Known.NONE : new Known(ids, keys, System.nanoTime());
  }

  /** Whether one of them changes this key of the group's state. */
  boolean contains(Supplier<String> key) {
    Known last = known.get();
    if (last == Known.NONE || !replica.routing().servesUpdates()) {
      return false;
    }
    if (System.nanoTime() - last.at() > FRESH_NANOS) {
      Known next = known(replica.undecided().stream().filter(one -> last.updates().contains(one.id())).toList());
      // Unless this replica has become primary anew.
      known.compareAndSet(last, next);
      return next.keys().contains(key.get());
    }
    return last.keys().contains(key.get());
  }
}
