package org.understudy.container.transaction;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Since when this replica knows transactions, for people who look at its status. Thread-safe. */
final class Ages {
  private final Map<String, Long> since = new HashMap<>();

  synchronized void add(String id) {
    since.putIfAbsent(id, System.nanoTime());
  }

  synchronized void remove(String id) {
    since.remove(id);
  }

  /** These transactions are known now, and no others. */
  synchronized void retain(Set<String> ids) {
    since.keySet().retainAll(ids);
    ids.forEach(this::add);
  }

  /** Returns the age of a transaction; 0 if it is unknown. */
  synchronized long seconds(String id) {
    return seconds(since.getOrDefault(id, System.nanoTime()));
  }

  /** Returns the highest age; 0 if there is none. */
  synchronized long oldestSeconds() {
    return since.values().stream().mapToLong(Ages::seconds).max().orElse(0);
  }

  private static long seconds(long from) {
    return Math.max(0, TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - from));
  }
}
