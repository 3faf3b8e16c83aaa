package org.understudy.state;

import org.understudy.replication.api.DelegatedState;

/** The state of one object, as its {@link StateModel} describes it. */
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

  @Override
  public byte[] captureState() {
    return model.write(target);
  }

  @Override
  public void restoreState(byte[] state) {
    model.restore(target, state);
  }
}
