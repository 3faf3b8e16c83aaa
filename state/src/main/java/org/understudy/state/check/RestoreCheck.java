package org.understudy.state.check;

import java.lang.reflect.Field;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.understudy.replication.api.DelegatedState;
import org.understudy.replication.api.StateCapture;
import org.understudy.state.ObjectState;
import org.understudy.state.StateException;
import org.understudy.state.StateFields;

/**
 * Restores each captured state into a second object and compares the two. It finds fields that change and are not captured, and restores
 * that do not replace the whole state. For tests: each update costs
 * a restore and a comparison by reflection. Thread-safe.
 */
public final class RestoreCheck {
  private static final int MAX_REPORTED = 5;

  private final List<Field> fields;
  /** Null when there is no second object. */
  private final StateCapture second;
  /** Fields in which two new objects differ; they are not compared. */
  private final Set<String> varying;

  /**
   * @param type the class of the objects whose state is captured
   * @param others creates new objects of the type; null when that is impossible. Then uncaptured state is found in marked classes
   *     only, as a change since {@link #around}
   */
  public RestoreCheck(Class<?> type, Supplier<? extends StateCapture> others) {
    fields = StateFields.candidates(type);
    if (others == null) {
      second = null;
      varying = Set.of();
    } else {
      second = others.get();
      varying = snapshot(second).differingFields(snapshot(others.get()));
    }
  }

  /** Returns a state that is checked at each capture. */
  public StateCapture around(StateCapture state) {
    StateSnapshot initial = second == null && state instanceof ObjectState marked ? uncaptured(marked) : null;
    return new Checked(state, initial);
  }

  private StateSnapshot snapshot(StateCapture state) {
    return StateSnapshot.of(DelegatedState.targetOf(state), fields);
  }

  private StateSnapshot uncaptured(ObjectState state) {
    return StateSnapshot.of(state.target(), fields.stream().filter(field -> !state.captures(field)).toList());
  }

  /** Synchronized, because all threads share the second object. */
  private synchronized void compareWithSecond(StateCapture state, byte[] captured) {
    second.restoreState(captured);
    StateSnapshot live = snapshot(state).without(varying);
    report(state, live.differences(snapshot(second).without(varying), MAX_REPORTED));
  }

  private void compareWithBlank(ObjectState state, StateSnapshot initial, byte[] captured) {
    List<Field> restored = fields.stream().filter(state::captures).toList();
    ObjectState blank = state.blank();
    blank.restoreState(captured);
    StateSnapshot live = StateSnapshot.of(state.target(), restored);
    report(state, live.differences(StateSnapshot.of(blank.target(), restored), MAX_REPORTED));
    report(state, uncaptured(state).differences(initial, MAX_REPORTED));
  }

  private void compareWithItself(StateCapture state, byte[] captured) {
    StateSnapshot before = snapshot(state);
    state.restoreState(captured);
    report(state, before.differences(snapshot(state), MAX_REPORTED));
  }

  private static void report(StateCapture state, List<String> differences) {
    if (!differences.isEmpty()) {
      throw new StateException(
          "The captured state of " + DelegatedState.targetOf(state).getClass().getName() + " misses something (understudy.check=restore). "
              + "After a restore, " + String.join("; ", differences)
              + ". Capture the field, or mark it transient if it is no state.");
    }
  }

  /** A checked state. */
  private final class Checked implements DelegatedState {
    private final StateCapture state;
    private final StateSnapshot initial;

    Checked(StateCapture state, StateSnapshot initial) {
      this.state = state;
      this.initial = initial;
    }

    @Override
    public Object target() {
      return DelegatedState.targetOf(state);
    }

    @Override
    public byte[] captureState() {
      byte[] captured = state.captureState();
      if (second != null) {
        compareWithSecond(state, captured.clone());
      } else if (state instanceof ObjectState marked) {
        compareWithBlank(marked, initial, captured.clone());
      } else {
        compareWithItself(state, captured.clone());
      }
      return captured;
    }

    @Override
    public void restoreState(byte[] captured) {
      state.restoreState(captured);
    }
  }
}
