package org.understudy.replication.core.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.understudy.replication.core.limit.KeyKind;

class SortedResourcesTest {
  private static final KeyKind KIND = KeyKind.common("");

  private final SortedResources store = new SortedResources();

  private static StoredResource resource(int value) {
    return new StoredResource(new byte[] {(byte) value}, value, KIND, 1);
  }

  private void put(String key, int value) {
    store.put(key, resource(value));
  }

  private static String rest(ResourceSnapshot snapshot) {
    StringBuilder rest = new StringBuilder();
    for (Map.Entry<String, StoredResource> next = snapshot.next(); next != null; next = snapshot.next()) {
      rest.append(next.getKey()).append(next.getValue().state()[0]).append(' ');
    }
    return rest.toString().trim();
  }

  @Test
  void snapshotIgnoresLaterChanges() {
    put("b", 1);
    put("d", 2);
    put("f", 3);
    ResourceSnapshot snapshot = store.snapshot();
    assertEquals("b", snapshot.next().getKey());
    put("a", 9);
    put("b", 9);
    put("c", 9);
    put("d", 8);
    put("d", 9);
    store.remove("f");
    put("g", 9);
    store.remove("g");
    assertEquals("d2 f3", rest(snapshot));
    assertEquals("a9 b9 c9 d9", rest(store.snapshot()));
  }

  @Test
  void snapshotShowsTheOldValueOfARecreatedKey() {
    put("a", 1);
    ResourceSnapshot snapshot = store.snapshot();
    store.remove("a");
    put("a", 2);
    assertEquals("a1", rest(snapshot));
  }

  @Test
  void concurrentSnapshotsAreIndependent() {
    put("a", 1);
    ResourceSnapshot first = store.snapshot();
    put("a", 2);
    ResourceSnapshot second = store.snapshot();
    put("a", 3);
    assertEquals("a2", rest(second));
    assertEquals("a1", rest(first));
  }

  @Test
  void finishedSnapshotUsesNoMemory() {
    put("a", 1);
    ResourceSnapshot read = store.snapshot();
    rest(read);
    ResourceSnapshot closed = store.snapshot();
    closed.close();
    assertNull(closed.next());
    assertEquals(0, store.openSnapshots());
  }

  /** Compares snapshots with copies. */
  @Test
  void changesGiveTheSameStateAsANaiveStore() {
    Random random = new Random(7);
    for (int round = 0; round < 300; round++) {
      change(random, random.nextInt(40));
      TreeMap<String, StoredResource> copy = new TreeMap<>();
      store.forEach(copy::put);
      TreeMap<String, StoredResource> read = new TreeMap<>();
      ResourceSnapshot snapshot = store.snapshot();
      for (Map.Entry<String, StoredResource> next = snapshot.next(); next != null; next = snapshot.next()) {
        assertNull(read.put(next.getKey(), next.getValue()));
        change(random, random.nextInt(6));
      }
      assertEquals(copy, read, "round " + round);
    }
  }

  private void change(Random random, int times) {
    for (int i = 0; i < times; i++) {
      String key = "k" + random.nextInt(30);
      if (random.nextInt(3) == 0) {
        store.remove(key);
      } else {
        put(key, random.nextInt(100));
      }
    }
  }
}
