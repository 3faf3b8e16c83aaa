package org.understudy.container.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.ReplayedState;
import org.understudy.replication.core.update.StateChange;
import org.understudy.replication.runtime.state.StateListener;
import org.understudy.test.LogRecorder;

/** When replays are compared, and what is reported. */
class ReplayWatchTest {
  private final LogRecorder log = LogRecorder.of(ReplayWatch.class);
  private final Deque<Runnable> later = new ArrayDeque<>();
  private final List<String> comparisons = new ArrayList<>();
  private List<String> difference = List.of();
  private boolean compares = true;
  private final ReplayWatch watch = new ReplayWatch("/services/Pool", new State(), () -> compares, later::add);
  private final StateListener listener = watch.listener();

  /** A state whose parts are texts. */
  private final class State implements ReplayedState {
    @Override
    public String shape() {
      return "";
    }

    @Override
    public List<String> compareReplay(byte[] before, List<byte[]> updates, byte[] after) {
      comparisons.add(text(before) + updates.stream().map(ReplayWatchTest::text).toList() + text(after));
      if (difference == null) {
        throw new IllegalArgumentException("damaged");
      }
      return difference;
    }

    @Override
    public byte[] captureUpdate() {
      return null;
    }

    @Override
    public void applyUpdate(byte[] update) {}

    @Override
    public byte[] captureState() {
      return new byte[0];
    }

    @Override
    public void restoreState(byte[] state) {}
  }

  @AfterEach
  void leave() {
    log.close();
  }

  private List<String> lines() {
    return log.records().stream().map(entry -> entry.getLevel() + " " + new SimpleFormatter().formatMessage(entry)).toList();
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static StateChange change(String key, String state) {
    return new StateChange(key, state == null ? null : state.getBytes(StandardCharsets.UTF_8));
  }

  /** A position as it is stored: four numbers below 128, then the last update. */
  private static String position(int checkpoint, int updates, String last) {
    return new String(new char[] {(char) checkpoint, (char) updates, 0, 0}) + last;
  }

  private void whole(int checkpoint, String last, String state) {
    listener.applied(List.of(change("service", position(checkpoint, 0, last)), change("whole/service/" + checkpoint, state)));
  }

  private void update(int checkpoint, int number, String update) {
    listener.applied(
        List.of(
            change("service", position(checkpoint, number + 1, "")), change("update/service/" + checkpoint + "/" + number, update),
            change("subscription/1", "of another part")));
  }

  private void runAll() {
    while (!later.isEmpty()) {
      later.remove().run();
    }
  }

  @Test
  void eachWholeStateIsComparedWithAllUpdatesSinceTheOneBefore() {
    whole(1, "", "A");
    update(1, 0, "b");
    update(1, 1, "c");
    whole(2, "d", "E");
    update(2, 0, "f");
    assertEquals(List.of(), comparisons, "not on the thread of the core");
    whole(3, "g", "H");
    runAll();
    assertEquals(List.of("A[b, c, d]E", "E[f, g]H"), comparisons);
    assertEquals(2, watch.compared());
    assertEquals(0, watch.differences());
    assertEquals(List.of(), lines());
  }

  @Test
  void whatIsNotCompleteIsNotCompared() {
    update(1, 4, "joined in between");
    whole(2, "x", "A");
    whole(3, "", "its last update is unknown");
    update(3, 1, "after a gap");
    whole(4, "y", "B");
    listener.applied(List.of(change("service", null), change("whole/service/4", null)));
    whole(5, "z", "another resource of this name");
    listener.replaced(taker -> taker.accept("whole/service/5", new byte[0]));
    whole(6, "z", "after a state transfer");
    compares = false;
    whole(7, "z", "here is the primary");
    runAll();
    assertEquals(List.of(), comparisons);
  }

  @Test
  void aDifferenceIsReportedOnceAMinuteAndCounted() {
    difference = List.of("In the state object machines, the fields [names] differ after these calls were executed again: [Insert].");
    whole(1, "", "A");
    for (int i = 2; i < 6; i++) {
      whole(i, "b", "C");
    }
    runAll();
    assertEquals(4, watch.differences());
    assertEquals(1, lines().size());
    assertTrue(lines().get(0).startsWith("SEVERE The service /services/Pool has methods that are not deterministic."), lines().get(0));
    assertTrue(lines().get(0).contains("machines") && lines().get(0).contains("Insert"), lines().get(0));
  }

  @Test
  void aComparisonThatFailsIsReportedAndIsNoDifference() {
    difference = null;
    whole(1, "", "A");
    whole(2, "b", "C");
    runAll();
    assertEquals(0, watch.differences());
    assertEquals(1, lines().size());
  }
}
