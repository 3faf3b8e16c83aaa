package org.understudy.replication.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.understudy.replication.core.StateChange;

class ImageTest {
  private static final byte[] STATE = {1};

  /** As live objects do: restored at this version, up to date while the version is the same. */
  private final Image image = new Image(4);

  private static List<StateChange> put(String resource) {
    return List.of(new StateChange(resource, STATE));
  }

  private static List<StateChange> remove(String resource) {
    return List.of(new StateChange(resource, null));
  }

  @Test
  void anObjectThatItsOwnReplicaCreatedExpiresWhenAnotherDestroysIt() {
    image.apply(put("a"), true);
    image.expireAll();
    long restoredAt = image.version("a");
    image.apply(remove("a"), false);
    assertNull(image.state("a"));
    assertNotEquals(restoredAt, image.version("a"), "an object of this version would be found alive");
  }

  @Test
  void anObjectThatCameByTransferExpiresWhenItIsDestroyed() {
    image.replace(Map.of("a", STATE));
    long restoredAt = image.version("a");
    image.apply(remove("a"), false);
    assertNotEquals(restoredAt, image.version("a"));
    long removedAt = image.version("a");
    image.apply(put("a"), false);
    assertTrue(image.version("a") > removedAt, "made anew under the same id");
    image.replace(Map.of());
    assertTrue(image.version("a") > removedAt + 1);
  }

  @Test
  void removalsAreRememberedInBoundedMemory() {
    for (int i = 0; i < 1_000; i++) {
      image.apply(put("r" + i), i % 2 == 0);
      long restoredAt = image.version("r" + i);
      image.apply(remove("r" + i), i % 3 == 0);
      assertNotEquals(restoredAt, image.version("r" + i), "r" + i);
      assertTrue(image.size() <= 5, image.size() + " entries");
    }
    assertEquals(Map.of(), image.states());
  }

  @Test
  void ownChangesExpireNoLiveObject() {
    image.apply(put("a"), false);
    long restoredAt = image.version("a");
    image.apply(put("a"), true);
    image.apply(put("b"), true);
    assertEquals(restoredAt, image.version("a"));
  }
}
