package org.understudy.wsrf.resource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.IncrementalState;
import org.understudy.replication.core.update.StateChange;
import org.understudy.test.LogRecorder;

class LargeStateTest {
  private static final String URL = "http://here/services/Bytes";

  /** Of as many bytes. */
  private record Bytes(int whole, int update) implements IncrementalState {
    @Override
    public byte[] captureState() {
      return new byte[whole];
    }

    @Override
    public void restoreState(byte[] state) {
      throw new UnsupportedOperationException();
    }

    @Override
    public byte[] captureUpdate() {
      return new byte[update];
    }

    @Override
    public void applyUpdate(byte[] update) {
      throw new UnsupportedOperationException();
    }
  }

  private static List<String> logged(boolean incremental, Bytes... states) {
    Resources resources = new Resources(null, true, () -> states[0], URL, 10);
    if (incremental) {
      resources.storeUpdates();
    }
    List<StateChange> changes = new ArrayList<>();
    StoredState.Position position = null;
    try (LogRecorder log = LogRecorder.of(Resources.class)) {
      for (Bytes state : states) {
        position = resources.capture(Resources.SERVICE, state, position, changes);
      }
      return log.lines();
    }
  }

  @Test
  void aStateThatPassesOneMegabyteIsLoggedOnceWithItsService() {
    assertEquals(List.of(), logged(false, new Bytes(1_000_000, 0)));
    List<String> lines = logged(false, new Bytes(999_999, 0), new Bytes(1_000_001, 0), new Bytes(1_000_002, 0));
    assertEquals(1, lines.size(), lines::toString);
    assertTrue(lines.get(0).startsWith("An update of the service " + URL + " has captured 1000001 bytes"), lines.get(0));
  }

  @Test
  void theWholeStateOfAnIncrementalOneIsNotWhatEachUpdateCosts() {
    assertEquals(List.of(), logged(true, new Bytes(3_000_000, 10), new Bytes(3_000_010, 10)));
    assertEquals(1, logged(true, new Bytes(3_000_000, 10), new Bytes(3_000_000, 1_000_001), new Bytes(3_000_000, 1_000_001)).size());
  }
}
