package org.understudy.container.group;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import org.understudy.replication.core.StateChange;
import org.understudy.replication.runtime.StateListener;

/** The entries of the group as this replica knows them, by their keys. Thread-safe. */
final class Entries implements StateListener {
  private final ConcurrentSkipListMap<String, Entry> entries = new ConcurrentSkipListMap<>();

  Map<String, Entry> all() {
    return entries;
  }

  @Override
  public void applied(List<StateChange> changes) {
    for (StateChange change : changes) {
      if (change.resource().startsWith(Entry.KEYS)) {
        if (change.state() == null) {
          entries.remove(change.resource());
        } else {
          entries.put(change.resource(), Entry.read(change.state()));
        }
      }
    }
  }

  @Override
  public void stable(long index) {
    // Who reads the group waits for stability like every reader.
  }

  @Override
  public void replaced(Map<String, byte[]> state) {
    entries.keySet().retainAll(state.keySet());
    state.forEach((key, kept) -> {
      if (key.startsWith(Entry.KEYS)) {
        entries.put(key, Entry.read(kept));
      }
    });
  }
}
