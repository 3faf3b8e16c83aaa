package org.understudy.replication.runtime.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.understudy.replication.core.update.StateChange;

class ImageTest {
  private static final byte[] STATE = {1};

  /** A live object: restored at this generation, up to date while the generation is the same. */
  private final Image image = new Image(4);
  private long version;

  private static List<StateChange> put(String resource) {
    return List.of(new StateChange(resource, STATE));
  }

  private static List<StateChange> remove(String resource) {
    return List.of(new StateChange(resource, null));
  }

  private void replace(long version, List<StateChange> whole) {
    image.receive(0, version, whole);
    image.replace(version);
  }

  private Set<String> keys() {
    Set<String> keys = new TreeSet<>();
    image.forEach((key, state) -> keys.add(key));
    return keys;
  }

  @Test
  void transferredStateIsVisibleWhenComplete() {
    image.apply(3, put("old"), false);
    long restoredAt = image.stateVersion("old");
    image.receive(0, 9, put("of a transfer that broke off"));
    image.receive(0, 10, put("a"));
    image.receive(1, 10, put("b"));
    assertEquals(Set.of("old"), keys());
    assertEquals(restoredAt, image.stateVersion("old"));
    image.replace(10);
    assertEquals(Set.of("a", "b"), keys());
    assertTrue(image.stateVersion("old") > restoredAt);
    assertTrue(image.stateVersion("a") > restoredAt);
  }

  @Test
  void objectCreatedHereExpiresWhenDestroyedElsewhere() {
    image.apply(++version, put("a"), true);
    image.expireAll();
    long restoredAt = image.stateVersion("a");
    image.apply(++version, remove("a"), false);
    assertNull(image.state("a"));
    assertNotEquals(restoredAt, image.stateVersion("a"), "an object of this generation would be found alive");
  }

  @Test
  void transferredObjectExpiresWhenDestroyed() {
    replace(++version, put("a"));
    long restoredAt = image.stateVersion("a");
    image.apply(++version, remove("a"), false);
    assertNotEquals(restoredAt, image.stateVersion("a"));
    long removedAt = image.stateVersion("a");
    image.apply(++version, put("a"), false);
    assertTrue(image.stateVersion("a") > removedAt, "made anew under the same id");
    replace(++version, List.of());
    assertTrue(image.stateVersion("a") > removedAt + 1);
  }

  @Test
  void memoryForRemovalsIsBounded() {
    for (int i = 0; i < 1_000; i++) {
      image.apply(++version, put("r" + i), i % 2 == 0);
      long restoredAt = image.stateVersion("r" + i);
      image.apply(++version, remove("r" + i), i % 3 == 0);
      assertNotEquals(restoredAt, image.stateVersion("r" + i), "r" + i);
      assertTrue(image.size() <= 5, image.size() + " entries");
    }
    assertEquals(Set.of(), keys());
  }

  @Test
  void ownChangesKeepLiveObjectsValid() {
    image.apply(++version, put("a"), false);
    long restoredAt = image.stateVersion("a");
    image.apply(++version, put("a"), true);
    image.apply(++version, put("b"), true);
    assertEquals(restoredAt, image.stateVersion("a"));
  }

  /** The versions that certify an execution: the position of the last change, or of the lookup of a missing resource. */
  @Test
  void resourceHasTheVersionOfItsLastUpdate() {
    image.apply(7, put("a"), false);
    image.apply(8, put("b"), true);
    assertEquals(7, image.version("a"));
    assertEquals(8, image.version("b"));
    assertEquals(8, image.version("never"));
    image.apply(9, remove("a"), true);
    image.apply(10, put("b"), false);
    assertEquals(9, image.version("a"), "the removal");
    assertEquals(10, image.version("b"));
    replace(12, put("c"));
    assertEquals(12, image.version("b"), "was not there at 12");
    assertEquals(12, image.version("c"));
    assertEquals(0, image.version("any/"), "no listener has been told");
    image.notified();
    assertEquals(12, image.version("any/"));
  }
}
