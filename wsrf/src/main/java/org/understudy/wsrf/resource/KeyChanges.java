package org.understudy.wsrf.resource;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.understudy.replication.core.update.StateChange;

/** What one transaction has changed under the plugin's own keys. Not thread-safe. */
final class KeyChanges {
  /** The position of an entry or another change within the update has 16 bits. */
  private static final int MAX_ENTRIES = 10_000;

  /** New states; null: removed. */
  private final Map<String, byte[]> states = new LinkedHashMap<>();
  private final List<StateChange> entries = new ArrayList<>();

  boolean has(String key) {
    return states.containsKey(key);
  }

  byte[] get(String key) {
    return states.get(key);
  }

  void put(String key, byte[] state) {
    states.put(key, state);
  }

  /** Adds an entry to a log, see {@link StateChange#NUMBERED}. */
  void append(String log, byte[] entry) {
    if (entries.size() >= MAX_ENTRIES) {
      throw new IllegalStateException("One update adds more than " + MAX_ENTRIES + " entries. Send fewer at a time.");
    }
    entries.add(StateChange.entry(log, entry));
  }

  /** The number of bytes added to a log. */
  long appended(String log) {
    String id = log + StateChange.NUMBERED;
    return entries.stream().filter(entry -> entry.resource().equals(id)).mapToLong(entry -> entry.state().length).sum();
  }

  int size() {
    return states.size() + entries.size();
  }

  void addTo(List<StateChange> changes) {
    states.forEach((key, state) -> changes.add(new StateChange(key, state)));
    changes.addAll(entries);
  }

  void clear() {
    states.clear();
    entries.clear();
  }
}
