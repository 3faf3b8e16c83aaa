package org.understudy.replication.core.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * Resources in memory. A snapshot reads the live resources and copies on write: when a key changes that it has not returned
 * yet, the store keeps the old value for it.
 */
public final class SortedResources implements ResourceStore {
  /** Marks a resource that did not exist. */
  private static final StoredResource ABSENT = new StoredResource(null, 0, null, 0);

  private final TreeMap<String, StoredResource> resources = new TreeMap<>();
  private final List<Snapshot> open = new ArrayList<>();
  private final boolean copying;

  public SortedResources() {
    this(true);
  }

  /** @param copying false for a mutant whose snapshots show later changes */
  public SortedResources(boolean copying) {
    this.copying = copying;
  }

  @Override
  public StoredResource get(String key) {
    return resources.get(key);
  }

  @Override
  public void put(String key, StoredResource resource) {
    changed(key, resources.put(key, resource));
  }

  @Override
  public void remove(String key) {
    changed(key, resources.remove(key));
  }

  private void changed(String key, StoredResource before) {
    for (int i = 0; i < open.size() && copying; i++) {
      open.get(i).keep(key, before == null ? ABSENT : before);
    }
  }

  @Override
  public void forEach(BiConsumer<String, StoredResource> taker) {
    resources.forEach(taker);
  }

  @Override
  public ResourceSnapshot snapshot() {
    Snapshot snapshot = new Snapshot();
    open.add(snapshot);
    return snapshot;
  }

  /** The number of open snapshots. */
  int openSnapshots() {
    return open.size();
  }

  private final class Snapshot implements ResourceSnapshot {
    /** The old values of keys behind {@link #position} that have changed since. */
    private final TreeMap<String, StoredResource> before = new TreeMap<>();
    /** The last key returned; null before the first. */
    private String position;
    private boolean closed;

    void keep(String key, StoredResource resource) {
      if (position == null || key.compareTo(position) > 0) {
        before.putIfAbsent(key, resource);
      }
    }

    @Override
    public Map.Entry<String, StoredResource> next() {
      while (!closed) {
        Map.Entry<String, StoredResource> living =
            position == null ? resources.firstEntry() : resources.higherEntry(position);
        Map.Entry<String, StoredResource> kept = before.firstEntry();
        if (living == null && kept == null) {
          close();
          break;
        }
        boolean changed = kept != null && (living == null || kept.getKey().compareTo(living.getKey()) <= 0);
        Map.Entry<String, StoredResource> next = changed ? before.pollFirstEntry() : living;
        position = next.getKey();
        if (next.getValue() != ABSENT) {
          return next;
        }
      }
      return null;
    }

    @Override
    public void close() {
      closed = true;
      before.clear();
      open.remove(this);
    }
  }
}
