package org.understudy.container.service;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import org.understudy.container.configuration.ConfigurationException;
import org.understudy.replication.api.ReplicatedState;
import org.understudy.replication.api.StateCapture;
import org.understudy.state.StateException;
import org.understudy.state.StateFields;
import org.understudy.state.Targets;

/**
 * Rejects a service object that uses another object whose class marks state, where that state would not be captured. A container may
 * have injected the other object, in any scope.
 */
final class UncapturedState {
  /** Types whose type argument is the class of the object that they return. Names, because the application may not contain them. */
  private static final Set<String> PROVIDERS =
      Set.of("jakarta.inject.Provider", "jakarta.enterprise.inject.Instance", "org.springframework.beans.factory.ObjectProvider");

  private UncapturedState() {}

  /**
   * Checks the fields of a service object. A class that implements {@link StateCapture} captures what it chooses, and passes.
   *
   * @param service the class of the object, without the subclass of a container
   * @throws ConfigurationException when a field that is no state holds an object whose class marks state
   */
  static void check(Object bean, Class<?> service) throws ConfigurationException {
    if (bean instanceof StateCapture) {
      return;
    }
    Set<Field> captured = new HashSet<>(StateFields.marked(service));
    for (Class<?> at = service; at != null && at != Object.class; at = at.getSuperclass()) {
      for (Field field : at.getDeclaredFields()) {
        if (!field.getType().isPrimitive() && !Modifier.isStatic(field.getModifiers()) && !captured.contains(field)) {
          check(bean, service, field);
        }
      }
    }
  }

  private static void check(Object bean, Class<?> service, Field field) throws ConfigurationException {
    Object value = value(bean, field);
    for (Class<?> type : types(field, value)) {
      if (StateFields.isMarked(type)) {
        throw ReplicableService.refused(
            service,
            "its field " + field.getName() + " refers to a " + type.getName() + scope(value) + ", whose class has fields marked @"
                + ReplicatedState.class.getSimpleName() + ". Only the state of the service object itself is captured. Move these "
                + "fields into the service, or keep the state in WS-Resources (@ResourceState)");
      }
    }
  }

  private static Object value(Object bean, Field field) {
    try {
      return field.trySetAccessible() ? field.get(bean) : null;
    } catch (IllegalAccessException e) {
      // The declared type is known.
      return null;
    }
  }

  private static Set<Class<?>> types(Field field, Object value) {
    Set<Class<?>> types = new LinkedHashSet<>(Set.of(field.getType()));
    if (PROVIDERS.contains(field.getType().getName()) && field.getGenericType() instanceof ParameterizedType generic) {
      for (Type argument : generic.getActualTypeArguments()) {
        if (argument instanceof Class<?> type) {
          types.add(type);
        }
      }
    }
    if (value != null) {
      types.add(typeBehind(value));
    }
    return types;
  }

  private static Class<?> typeBehind(Object value) {
    try {
      return Targets.typeBehind(value);
    } catch (StateException e) {
      return Targets.typeOf(value.getClass());
    }
  }

  private static String scope(Object value) {
    try {
      Class<?> scope = value == null ? null : Targets.scopeOf(value);
      return scope == null ? "" : " of the scope @" + scope.getSimpleName();
    } catch (StateException e) {
      return "";
    }
  }
}
