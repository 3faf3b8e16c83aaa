package org.understudy.state;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Modifier;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Makes second objects of a class. They have a state of their own and share all other fields with the first object, also the static
 * ones. One thread reads a second object while another changes the first. With a shared cache or index, a second object would show half
 * a change. Through an injected object that refers back to the first object, it would read that one. So the shared fields must be
 * immutable, or have a type whose objects do not call the service. What other injected objects refer to is not examined: that may change
 * after deployment, and a lazy proxy does not show it. Examines the fields of the object's classes only, not the static fields of other
 * classes that it calls. Thread-safe.
 */
final class SecondObjects {
  /** Immutable classes that no state contains. */
  private static final Set<Class<?>> IMMUTABLE = Set.of(Class.class, Pattern.class, DateTimeFormatter.class);
  private static final MethodType GETTER = MethodType.methodType(Object.class, Object.class);
  private static final MethodType SETTER = MethodType.methodType(void.class, Object.class, Object.class);

  private final StateModel model;
  private final Object first;
  private final List<Shared> shared = new ArrayList<>();

  /** A field that is no state. */
  private record Shared(MethodHandle getter, MethodHandle setter) {}

  /**
   * @throws StateException when a field that is no state may change, its value cannot be examined, or an injected object may refer to the
   *     first object
   */
  SecondObjects(StateModel model, Object first) {
    this.model = model;
    this.first = first;
    for (Class<?> at : StateFields.hierarchy(first.getClass())) {
      for (Field field : at.getDeclaredFields()) {
        boolean isStatic = Modifier.isStatic(field.getModifiers());
        // Tools add synthetic static fields, for example to measure coverage.
        if (!model.captures(field) && !(isStatic && field.isSynthetic())) {
          check(field);
          if (!isStatic) {
            shared.add(shared(field));
          }
        }
      }
    }
  }

  private void check(Field field) {
    if (StateFields.isIndependent(field.getType()) || isImmutable(field)) {
      return;
    }
    boolean isStatic = Modifier.isStatic(field.getModifiers());
    String name = field.getDeclaringClass().getSimpleName() + "." + field.getName();
    if (!StateFields.isInjected(field)) {
      throw new StateException(
          "the " + (isStatic ? "static " : "") + "field " + name
              + " is neither state nor injected and may change, so a second object cannot share it");
    }
    // The declared type decides, since a container may set the field later.
    if (!isValue(field.getType())) {
      throw new StateException(
          "the injected field " + name + " has the type " + field.getType().getSimpleName()
              + ", which may refer back to the service object, so a second object cannot share it");
    }
  }

  private static boolean isValue(Class<?> type) {
    return type.isPrimitive() || type.isEnum() || IMMUTABLE.contains(type) || KnownTypes.ALL.isValue(type);
  }

  private static Shared shared(Field field) {
    try {
      field.setAccessible(true);
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      return new Shared(lookup.unreflectGetter(field).asType(GETTER), lookup.unreflectSetter(field).asType(SETTER));
    } catch (IllegalAccessException | InaccessibleObjectException | SecurityException e) {
      throw new StateException("the field " + field.getName() + " cannot be accessed: " + e.getMessage());
    }
  }

  private boolean isImmutable(Field field) {
    try {
      return Modifier.isFinal(field.getModifiers()) && field.trySetAccessible() && isImmutable(field.get(first));
    } catch (IllegalAccessException e) {
      return false;
    }
  }

  /** The declared type alone does not decide: a collection may be immutable, and a subclass of a value may not. */
  private static boolean isImmutable(Object value) {
    if (value == null || value instanceof Enum || IMMUTABLE.contains(value.getClass()) || KnownTypes.ALL.isValue(value.getClass())) {
      return true;
    }
    if (!value.getClass().getName().startsWith("java.util.ImmutableCollections$")) {
      return false;
    }
    return value instanceof Map<?, ?> map
        ? map.entrySet().stream().allMatch(entry -> isImmutable(entry.getKey()) && isImmutable(entry.getValue()))
        : value instanceof Collection<?> elements && elements.stream().allMatch(SecondObjects::isImmutable);
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
