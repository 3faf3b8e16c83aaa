package org.understudy.state.check;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.DelegatedState;
import org.understudy.replication.api.ReplicatedState;
import org.understudy.replication.api.StateCapture;
import org.understudy.state.StateException;
import org.understudy.state.StateFields;
import org.understudy.state.StateModel;
import org.understudy.state.StateRules;

class RestoreCheckTest {
  static class Part {
    int value;
    Part other;

    Part(int value) {
      this.value = value;
    }

    @Override
    public int hashCode() {
      // Another order in each set.
      return System.identityHashCode(this);
    }

    @Override
    public boolean equals(Object other) {
      return this == other;
    }
  }

  static class Tally {
    @ReplicatedState Set<Part> parts = new HashSet<>();
    @ReplicatedState Map<String, Part> byName = new HashMap<>();
    final String name = UUID.randomUUID().toString();
    final ReentrantLock lock = new ReentrantLock();
    transient int cache;
    int forgotten;
    List<String> words = new ArrayList<>();
  }

  private static final StateModel MODEL = StateModel.of(Tally.class, StateRules.DEFAULTS);

  private static String missed(StateCapture state) {
    return assertThrows(StateException.class, state::captureState).getMessage();
  }

  private static Tally filled() {
    Tally tally = new Tally();
    for (int i = 0; i < 20; i++) {
      Part part = new Part(i);
      part.other = new Part(-i);
      part.other.other = part;
      tally.parts.add(part);
      tally.byName.put("part " + i, part);
    }
    tally.cache = 7;
    return tally;
  }

  @Test
  void aFieldThatIsNotCapturedIsFoundWithItsPath() {
    RestoreCheck check = new RestoreCheck(Tally.class, () -> MODEL.stateOf(new Tally()));
    Tally tally = filled();
    StateCapture checked = check.around(MODEL.stateOf(tally));
    assertSame(tally, DelegatedState.targetOf(checked));
    assertArrayEquals(MODEL.stateOf(tally).captureState(), checked.captureState());
    tally.forgotten = 5;
    assertTrue(missed(checked).contains("Tally.forgotten is 5 and becomes 0"), missed(checked));
    tally.forgotten = 0;
    tally.words.add("a");
    assertTrue(missed(checked).contains("Tally.words is 1 elements and becomes 0 elements"), missed(checked));
  }

  @Test
  void aChangeSinceDeploymentIsFoundWithoutASecondObject() {
    RestoreCheck check = new RestoreCheck(Tally.class, null);
    Tally tally = filled();
    tally.words.add("from the constructor");
    StateCapture checked = check.around(MODEL.stateOf(tally));
    checked.captureState();
    tally.words.add("later");
    assertTrue(missed(checked).contains("Tally.words"), missed(checked));
    assertEquals(2, tally.words.size());
  }

  /** A container has set its fields after the constructor. */
  static class Configured implements StateCapture {
    private System.Logger logger;
    String greeting = "none";
    private List<String> collaborators;
    private int count;
    private List<String> forgotten = new ArrayList<>();

    @Override
    public byte[] captureState() {
      return new byte[] {(byte) count};
    }

    @Override
    public void restoreState(byte[] state) {
      logger.log(System.Logger.Level.TRACE, "restored, with " + collaborators.size());
      count = state[0];
    }
  }

  @Test
  void whatAContainerHasSetIsNoMissedState() {
    RestoreCheck check = new RestoreCheck(Configured.class, Configured::new);
    assertTrue(check.hasSecond());
    Configured bean = new Configured();
    bean.logger = System.getLogger("test");
    bean.greeting = "hello";
    bean.collaborators = List.of("a");
    assertThrows(NullPointerException.class, () -> check.around(bean).captureState());
    StateCapture checked = check.aroundBean(bean);
    bean.count = 5;
    assertEquals(5, checked.captureState()[0]);
    bean.forgotten.add("a");
    assertTrue(missed(checked).contains("Configured.forgotten is 1 elements and becomes 0 elements"), missed(checked));
    bean.forgotten.clear();
    bean.greeting = "changed";
    assertTrue(missed(checked).contains("Configured.greeting is changed and becomes hello"), missed(checked));
  }

  /** Captures less than its state, and restores more than it should. */
  static class Coded implements StateCapture {
    int captured;
    int missed;
    List<Integer> history = new ArrayList<>();

    @Override
    public byte[] captureState() {
      return ByteBuffer.allocate(4).putInt(captured).array();
    }

    @Override
    public void restoreState(byte[] state) {
      captured = ByteBuffer.wrap(state).getInt();
      history.add(captured);
    }
  }

  @Test
  void aStateCaptureOfTheClassIsCheckedToo() {
    RestoreCheck check = new RestoreCheck(Coded.class, Coded::new);
    Coded coded = new Coded();
    coded.history.add(3);
    coded.captured = 3;
    StateCapture checked = check.around(coded);
    assertEquals(4, checked.captureState().length);
    coded.missed = 1;
    assertTrue(missed(checked).contains("Coded.missed is 1 and becomes 0"), missed(checked));
    RestoreCheck alone = new RestoreCheck(Coded.class, null);
    String grows = missed(alone.around(coded));
    assertTrue(grows.contains("Coded.history is 1 elements and becomes 2 elements"), grows);
  }

  @Test
  void sharedReferencesAndOrdersCount() {
    Tally one = filled();
    Tally two = new Tally();
    MODEL.stateOf(two).restoreState(MODEL.stateOf(one).captureState());
    List<java.lang.reflect.Field> state =
        StateFields.candidates(Tally.class).stream().filter(MODEL.stateOf(one)::captures).toList();
    assertEquals(List.of(), StateSnapshot.of(one, state).differences(StateSnapshot.of(two, state), 5));
    two.byName.put("part 3", new Part(3));
    List<String> different = StateSnapshot.of(one, state).differences(StateSnapshot.of(two, state), 5);
    assertTrue(different.get(0).startsWith("Tally.byName -> Map [part 3]"), different.toString());
    Map<String, Integer> ordered = new LinkedHashMap<>();
    ordered.put("b", 1);
    ordered.put("a", 2);
    Map<String, Integer> other = new LinkedHashMap<>();
    other.put("a", 2);
    other.put("b", 1);
    Holder left = new Holder(ordered);
    Holder right = new Holder(other);
    List<java.lang.reflect.Field> fields = StateFields.candidates(Holder.class);
    assertTrue(!StateSnapshot.of(left, fields).differences(StateSnapshot.of(right, fields), 5).isEmpty());
    assertEquals(
        List.of(),
        StateSnapshot.of(new Holder(new HashMap<>(ordered)), fields)
            .differences(StateSnapshot.of(new Holder(new HashMap<>(other)), fields), 5));
  }

  record Holder(Map<String, Integer> map) {}
}
