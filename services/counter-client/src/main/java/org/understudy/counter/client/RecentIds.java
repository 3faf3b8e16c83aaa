package org.understudy.counter.client;

import java.util.LinkedHashSet;
import java.util.Set;

/** The last message ids, so that a message that comes twice is taken once. Thread-safe. */
final class RecentIds {
  private final int most;
  private final Set<String> ids = new LinkedHashSet<>();

  RecentIds(int most) {
    this.most = most;
  }

  /**
   * Notes an id, and forgets the oldest.
   *
   * @param id null when a message has none: then it counts as new
   * @return whether it was new
   */
  synchronized boolean add(String id) {
    if (id == null) {
      return true;
    }
    boolean added = ids.add(id);
    if (ids.size() > most) {
      ids.remove(ids.iterator().next());
    }
    return added;
  }
}
