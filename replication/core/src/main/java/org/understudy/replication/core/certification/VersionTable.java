package org.understudy.replication.core.certification;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.understudy.replication.core.store.Item;
import org.understudy.replication.core.update.StateChange;

/**
 * The index of the last update that changed each key, of the keys that were changed last. Replicated state: a function of
 * the updates that took effect. A destroyed key is kept like another one, and so is every prefix that a run may have
 * scanned.
 */
final class VersionTable {
  /** The number of keys and prefixes: enough for runs that take as long as thousands of updates. */
  static final int MAX_KEYS = 20_000;
  /** The characters of all keys and prefixes, so that long keys use no more memory than usual ones. */
  static final long MAX_CHARACTERS = 4_000_000;

  private static final int KEYS_AN_ITEM = 500;

  /** In ascending order of the indexes. */
  private final LinkedHashMap<String, Long> changed = new LinkedHashMap<>();
  /** Keys that are not in the table were last changed by this update or an earlier one. */
  private long floor;
  private long characters;

  /** Whether the key, or a key with this prefix, may have been changed after this update. */
  boolean isChangedAfter(String key, long index) {
    return lastChange(key) > index;
  }

  /** The last update that changed the key, or a key with this prefix; a later one where that is forgotten. */
  long lastChange(String key) {
    return changed.getOrDefault(key, floor);
  }

  void record(StateChange change, long index) {
    String key = change.resource();
    put(key, index);
    for (int slash = key.indexOf('/'); slash >= 0; slash = key.indexOf('/', slash + 1)) {
      put(key.substring(0, slash + 1), index);
    }
    while (changed.size() > MAX_KEYS || characters > MAX_CHARACTERS) {
      Iterator<Map.Entry<String, Long>> entries = changed.entrySet().iterator();
      Map.Entry<String, Long> oldest = entries.next();
      floor = oldest.getValue();
      characters -= oldest.getKey().length();
      entries.remove();
    }
  }

  private void put(String key, long index) {
    characters += changed.remove(key) == null ? key.length() : 0;
    changed.put(key, index);
  }

  void addTo(List<Item> items) {
    List<String> keys = new ArrayList<>();
    List<Long> indexes = new ArrayList<>();
    for (Map.Entry<String, Long> entry : changed.entrySet()) {
      keys.add(entry.getKey());
      indexes.add(entry.getValue());
      if (keys.size() == KEYS_AN_ITEM) {
        items.add(new Item.Versions(floor, List.copyOf(keys), List.copyOf(indexes)));
        keys.clear();
        indexes.clear();
      }
    }
    if (!keys.isEmpty()) {
      items.add(new Item.Versions(floor, List.copyOf(keys), List.copyOf(indexes)));
    }
  }

  void restore(Item.Versions versions) {
    floor = versions.floor();
    for (int i = 0; i < versions.keys().size(); i++) {
      put(versions.keys().get(i), versions.indexes().get(i));
    }
  }
}
