package org.understudy.state;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes second objects of a class. They have a state of their own and share all other fields with the first object, which must
 * therefore be injected or immutable: with a shared cache or index, a second object would show changes of the first. Thread-safe.
 */
final class SecondObjects {
  private static final MethodType GETTER = MethodType.methodType(Object.class, Object.class);
  private static final MethodType SETTER = MethodType.methodType(void.class, Object.class, Object.class);

  private final StateModel model;
  private final Object first;
  private final List<Shared> shared = new ArrayList<>();

  /** A field that is no state. */
  private record Shared(MethodHandle getter, MethodHandle setter) {}

  /** @throws StateException when a field that is no state may change */
  SecondObjects(StateModel model, Object first) {
    this.model = model;
    this.first = first;
    for (Class<?> at : StateFields.hierarchy(first.getClass())) {
      for (Field field : at.getDeclaredFields()) {
        if (!Modifier.isStatic(field.getModifiers()) && !model.captures(field)) {
          shared.add(shared(field));
        }
      }
    }
  }

  private static Shared shared(Field field) {
    if (!StateFields.isInjected(field) && !isImmutable(field)) {
      throw new StateException(
          "the field " + field.getDeclaringClass().getSimpleName() + "." + field.getName() + " is neither state nor injected and may "
              + "change, so a second object cannot share it");
    }
    try {
      field.setAccessible(true);
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      return new Shared(lookup.unreflectGetter(field).asType(GETTER), lookup.unreflectSetter(field).asType(SETTER));
    } catch (IllegalAccessException | InaccessibleObjectException | SecurityException e) {
      throw new StateException("the field " + field.getName() + " cannot be accessed: " + e.getMessage());
    }
  }

  private static boolean isImmutable(Field field) {
    Class<?> type = field.getType();
    return Modifier.isFinal(field.getModifiers()) && (type.isPrimitive() || type.isEnum() || KnownTypes.ALL.isValue(type));
  }

  /** Returns a new object, whose state is unset. No constructor runs. */
  ObjectState make() {
    Object made = model.blank();
    try {
      for (Shared field : shared) {
        field.setter().invokeExact(made, (Object) field.getter().invokeExact(first));
      }
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("A field handle threw a checked exception.", e);
    }
    return model.stateOf(made);
  }
}
