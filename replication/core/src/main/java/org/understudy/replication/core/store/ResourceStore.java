package org.understudy.replication.core.store;

import java.util.function.BiConsumer;

/** The resources of a state, by key. Used by one thread at a time. */
public interface ResourceStore {
  /** Null when there is none. */
  StoredResource get(String key);

  void put(String key, StoredResource resource);

  void remove(String key);

  /** Takes every resource, in ascending order of the keys. */
  void forEach(BiConsumer<String, StoredResource> taker);

  /**
   * The resources as they are now, for a reader that takes them in parts. The store may change between two parts: the
   * snapshot does not. Costs as much memory as changes while it is open.
   */
  ResourceSnapshot snapshot();
}
