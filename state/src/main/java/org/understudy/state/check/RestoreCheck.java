package org.understudy.state.check;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
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
    second = others == null ? null : others.get();
    varying = second == null ? Set.of() : snapshot(second).differingFields(snapshot(others.get()));
  }

  /** Whether states are restored into a second object of the class. */
  public boolean hasSecond() {
    return second != null;
  }

  /**
   * Returns the state of a service object that a container has made. The second object gets what the container has set in it: values of
   * fields that the constructor leaves null, and other texts, numbers and constants.
   */
  public StateCapture aroundBean(StateCapture state) {
    if (second != null) {
      share(state);
    }
    return around(state);
  }

  private synchronized void share(StateCapture state) {
    Object bean = DelegatedState.targetOf(state);
    Object other = DelegatedState.targetOf(second);
    for (Class<?> at = other.getClass(); at != null && at != Object.class; at = at.getSuperclass()) {
      for (Field field : at.getDeclaredFields()) {
        boolean captured = state instanceof ObjectState marked && marked.captures(field);
        if (!captured && !Modifier.isStatic(field.getModifiers()) && field.trySetAccessible()) {
          share(field, bean, other);
        }
      }
    }
  }

  private static void share(Field field, Object bean, Object other) {
    try {
      Object value = field.get(bean);
      boolean constant = value instanceof String || value instanceof Number || value instanceof Boolean || value instanceof Enum;
      if (value != null && (constant || field.get(other) == null)) {
        field.set(other, value);
      }
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("An accessible field can be read and set.", e);
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
