package org.understudy.durability.proxy;

import org.understudy.replication.api.DelegatedState;
import org.understudy.state.ObjectState;
import org.understudy.state.StateModel;

/** A state object captured by its fields, with the fingerprint of their types. */
final class FieldState implements DelegatedState {
  private final StateModel model;
  private final ObjectState fields;

  FieldState(StateModel model, Object object) {
    this.model = model;
    this.fields = model.stateOf(object);
  }

  String fingerprint() {
    return model.fingerprint();
  }

  StateModel model() {
    return model;
  }

  @Override
  public Object target() {
    return fields.target();
  }

  @Override
  public byte[] captureState() {
    return fields.captureState();
  }

  @Override
  public void restoreState(byte[] state) {
    fields.restoreState(state);
  }
}
