package org.understudy.replication.core.store;

import java.util.function.BiConsumer;

/** The resources of a state, by key. Not thread-safe. */
public interface ResourceStore {
  /** The resource under the key, or null. */
  StoredResource get(String key);

  void put(String key, StoredResource resource);

  void remove(String key);

  /** Visits every resource, in ascending order of the keys. */
  void forEach(BiConsumer<String, StoredResource> taker);

  /**
   * A snapshot of the resources for a reader that takes them in parts while the store changes. Costs as much memory as the
   * changes while it is open.
   */
  ResourceSnapshot snapshot();
}
