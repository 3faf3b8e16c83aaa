package org.understudy.durability.proxy;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.understudy.replication.api.StateCapture;
import org.understudy.state.StateFields;
import org.understudy.state.StateModel;
import org.understudy.state.ValueModel;
import org.understudy.state.check.StateSnapshot;

/**
 * Executes calls again in a copy of one state object, and compares it with another state. Only for objects that are captured by their
 * fields and have a constructor without parameters. Thread-safe; uses reflection, and so belongs on no request's path.
 *
 * @param <T> the interface of the state object
 */
final class Replay<T> {
  private final String name;
  private final Constructor<? extends T> constructor;
  private final StateModel form;
  private final ValueModel calls;
  private final List<Field> fields;

  private Replay(String name, Constructor<? extends T> constructor, StateModel form, ValueModel calls) {
    this.name = name;
    this.constructor = constructor;
    this.form = form;
    this.calls = calls;
    Class<?> type = constructor.getDeclaringClass();
    this.fields = StateFields.isMarked(type) ? StateFields.marked(type) : StateFields.candidates(type);
  }

  /** Returns null when the object cannot be compared. */
  static <T> Replay<T> of(String name, T object, StateCapture form, ValueModel calls) {
    if (calls == null || !(form instanceof FieldState captured) || captured.target() != object) {
      return null;
    }
    try {
      @SuppressWarnings("unchecked") // The class of this object.
      Constructor<? extends T> constructor = ((Class<? extends T>) object.getClass()).getDeclaredConstructor();
      constructor.setAccessible(true);
      return new Replay<>(name, constructor, captured.model(), calls);
    } catch (NoSuchMethodException | SecurityException | java.lang.reflect.InaccessibleObjectException e) {
      return null;
    }
  }

  /** One object, which {@link #apply} changes. */
  final class Copy {
    private final T object = make();
    private final StateCapture state = form.stateOf(object);
    private final Set<String> repeated = new TreeSet<>();

    Copy(byte[] whole) {
      state.restoreState(whole);
    }

    void apply(UpdateWriter.Kind kind, byte[] part) {
      if (kind == UpdateWriter.Kind.STATE) {
        state.restoreState(part);
        repeated.clear();
      } else {
        @SuppressWarnings("unchecked") // The model knows the records of this proxy only.
        Call<T> call = (Call<T>) calls.decode(part);
        repeated.add(call.getClass().getSimpleName());
        execute(call, object);
      }
    }

    /** Returns a sentence about the difference to this state, or null. */
    String difference(byte[] whole) {
      if (repeated.isEmpty() || Arrays.equals(state.captureState(), whole)) {
        return null;
      }
      // Hash tables with the same entries may have another order.
      T other = make();
      form.stateOf(other).restoreState(whole);
      Set<String> differing = StateSnapshot.of(object, fields).differingFields(StateSnapshot.of(other, fields));
      return differing.isEmpty()
          ? null
          : "In the state object " + name + ", the fields " + differing + " differ after these calls were executed again: " + repeated
              + ".";
    }
  }

  private T make() {
    try {
      return constructor.newInstance();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("No copy of the state object " + name + " can be made: " + e + ".", e);
    }
  }

  static <T> void execute(Call<T> call, T object) {
    try {
      call.on(object);
    } catch (Exception e) {
      // As at the primary, where the update includes what the method changed before it threw. A difference shows at the next checkpoint.
    }
  }
}
