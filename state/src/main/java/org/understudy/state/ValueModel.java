package org.understudy.state;

import java.lang.reflect.Field;
import java.util.Collection;
import java.util.List;

/**
 * Encodes single values whose classes are known at deployment, for example the arguments of a call as a record. The bytes have no header
 * and name no class: who keeps them also keeps {@link #fingerprint}. Thread-safe.
 */
public final class ValueModel {
  private final StateModel model;

  /** The graph of a value begins with an object, which the value is a field of. */
  private static final class Held {
    Object value;
  }

  private ValueModel(StateModel model) {
    this.model = model;
  }

  /**
   * Examines the classes, and all types that their values can contain.
   *
   * @param subject what the values are, as the subject of a sentence in messages: "A call of the object machines"
   * @param types the classes of the values
   * @throws StateException when a type cannot be encoded, with the path to it
   */
  public static ValueModel of(String subject, Collection<Class<?>> types, StateRules rules) {
    List<Field> fields = StateFields.all(Held.class);
    return new ValueModel(StateModel.withoutHeader(TypeWalk.shape(Held.class, fields, types, rules.serializable()), rules, subject));
  }

  /** Returns the fingerprint of the classes and types. Replicas with equal ones can read each other's values. */
  public String fingerprint() {
    return model.fingerprint();
  }

  /**
   * Encodes a value.
   *
   * @throws StateException when it contains an object of another class, or is too large
   */
  public byte[] encode(Object value) {
    Held held = new Held();
    held.value = value;
    return model.write(held);
  }

  /**
   * Decodes a value.
   *
   * @throws StateException when the bytes are not an encoded value
   */
  public Object decode(byte[] bytes) {
    Held held = new Held();
    model.restore(held, bytes);
    return held.value;
  }
}
