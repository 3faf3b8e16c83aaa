package org.understudy.replication.core.store;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The resources that were removed last, so that a joiner which still has one of them removes it too. Not thread-safe. It
 * does not promise to be the same at every replica.
 */
public final class Removals {
  private static final int MAX_KEYS = 10_000;

  private final int max;
  /** The update that removed each key, in ascending order. */
  private final LinkedHashMap<String, Long> removed = new LinkedHashMap<>();
  private long floor;

  public Removals() {
    this(MAX_KEYS);
  }

  Removals(int max) {
    this.max = max;
  }

  /** All removals after this update are known. */
  public long floor() {
    return floor;
  }

  /** Records that removals up to this update may be unknown. */
  public void raise(long index) {
    floor = Math.max(floor, index);
  }

  public void add(String key, long index) {
    removed.remove(key);
    removed.put(key, index);
    if (removed.size() > max) {
      Iterator<Map.Entry<String, Long>> oldest = removed.entrySet().iterator();
      raise(oldest.next().getValue());
      oldest.remove();
    }
  }

  /** Called when the resource exists again. */
  public void exists(String key) {
    if (!removed.isEmpty()) {
      removed.remove(key);
    }
  }

  /** A copy without removals after this update. */
  public Removals upTo(long index) {
    Removals copy = new Removals(max);
    copy.floor = floor;
    removed.forEach((key, at) -> {
      if (at <= index) {
        copy.removed.put(key, at);
      }
    });
    return copy;
  }

  /** The known removals after this update. */
  public List<Item.Removed> after(long index) {
    List<Item.Removed> after = new ArrayList<>();
    removed.forEach((key, at) -> {
      if (at > index) {
        after.add(new Item.Removed(key, at));
      }
    });
    return after;
  }
}
