package org.understudy.replication.runtime;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.understudy.replication.core.StateChange;

/** The captured state of every resource, for threads outside the core's exclusion. Written under it, read by all. */
final class Image {
  private record Entry(byte[] state, long version) {}

  private final ConcurrentHashMap<String, Entry> entries = new ConcurrentHashMap<>();
  /** Versions only grow; an object restored at or after {@link #expired} and at its entry's version is up to date. */
  private volatile long versions = 1;
  private volatile long expired = 1;

  byte[] state(String resource) {
    Entry entry = entries.get(resource);
    return entry == null ? null : entry.state();
  }

  Map<String, byte[]> states() {
    Map<String, byte[]> states = new HashMap<>();
    entries.forEach((resource, entry) -> states.put(resource, entry.state()));
    return states;
  }

  long version(String resource) {
    Entry entry = entries.get(resource);
    return entry == null ? expired : Math.max(expired, entry.version());
  }

  /** @param own whether live objects already show these changes, since this replica executed them */
  void apply(List<StateChange> changes, boolean own) {
    long version = own ? 0 : next();
    for (StateChange change : changes) {
      if (change.state() == null) {
        entries.remove(change.resource());
      } else if (own) {
        entries.compute(
            change.resource(), (id, old) -> new Entry(change.state(), old == null ? 0 : old.version()));
      } else {
        entries.put(change.resource(), new Entry(change.state(), version));
      }
    }
  }

  void replace(Map<String, byte[]> whole) {
    entries.keySet().retainAll(whole.keySet());
    long version = next();
    whole.forEach((resource, state) -> entries.put(resource, new Entry(state, version)));
    expired = version;
  }

  void expireAll() {
    expired = next();
  }

  @SuppressWarnings("NonAtomicOperationOnVolatileField") // one writer at a time, under the core's exclusion
  private long next() {
    return ++versions;
  }
}
