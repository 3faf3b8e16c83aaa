package org.understudy.state;

import java.lang.reflect.Field;
import java.util.function.Supplier;
import org.understudy.replication.api.DelegatedState;

/** The state of one object, captured by its {@link StateModel}. */
public final class ObjectState implements DelegatedState {
  private final StateModel model;
  private final Object target;

  ObjectState(StateModel model, Object target) {
    this.model = model;
    this.target = target;
  }

  @Override
  public Object target() {
    return target;
  }

  /** Whether the state contains this field of the target itself. */
  public boolean captures(Field field) {
    return model.captures(field);
  }

  /** Returns the state of a new target, whose fields are unset: no constructor has run. For checks only. */
  public ObjectState blank() {
    return model.stateOf(model.blank());
  }

  /**
   * Returns a factory of further objects of the target's class, each with a state of its own, which is unset. All other fields are those
   * of the target. No constructor runs.
   *
   * @throws StateException when such an object would share what may change with the target; the message is the end of a sentence
   */
  public Supplier<ObjectState> seconds() {
    return new SecondObjects(model, target)::make;
  }

  @Override
  public byte[] captureState() {
    return model.write(target);
  }

  @Override
  public void restoreState(byte[] state) {
    model.restore(target, state);
  }
}
