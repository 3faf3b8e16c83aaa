package org.understudy.wsrf.servicegroup;

import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import org.understudy.replication.runtime.state.StateListener;

/** The entries of the group at this replica, by their keys. Thread-safe. */
final class Entries implements StateListener {
  private final ConcurrentSkipListMap<String, Entry> entries = new ConcurrentSkipListMap<>();

  Map<String, Entry> all() {
    return entries;
  }

  @Override
  public boolean follows(String key) {
    return key.startsWith(Entry.KEYS);
  }

  @Override
  public void onChange(String key, byte[] state) {
    if (!key.startsWith(Entry.KEYS)) {
      return;
    }
    if (state == null) {
      entries.remove(key);
    } else {
      entries.put(key, Entry.read(state));
    }
  }

  @Override
  public void onReset() {
    entries.clear();
  }
}
