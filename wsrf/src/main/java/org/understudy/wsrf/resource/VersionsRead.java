package org.understudy.wsrf.resource;

import java.util.LinkedHashMap;
import java.util.Map;

/** The versions of everything that one transaction has read, by key. Most read their object only. Not thread-safe. */
final class VersionsRead {
  private final Resources home;
  /** The key of the transaction's resource, or null. */
  private final String id;
  /** The version of the resource before its object was first loaded; below zero: not loaded. */
  private long object = -1;
  /** The versions of other keys; null: none. */
  private Map<String, Long> others;

  VersionsRead(Resources home, String id) {
    this.home = home;
    this.id = id;
  }

  /** The object is loaded; the version was read before. */
  void loaded(long version) {
    object = object < 0 ? version : object;
  }

  /** Another key, or a prefix, is read next. */
  void reading(String key) {
    if (others == null) {
      others = new LinkedHashMap<>();
    }
    if (!others.containsKey(key)) {
      others.put(key, home.version(key));
    }
  }

  Map<String, Long> all() {
    if (others == null) {
      return object < 0 ? Map.of() : Map.of(id, object);
    }
    if (object >= 0) {
      others.put(id, object);
    }
    return others;
  }
}
