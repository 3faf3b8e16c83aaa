package org.understudy.state;

import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A declared type in which type variables and wildcards are replaced by their arguments or bounds.
 *
 * @param arguments the arguments of a parameterized type, or the component of an array; empty for a raw or plain type
 */
record ResolvedType(Class<?> raw, List<ResolvedType> arguments) {
  static ResolvedType of(Class<?> raw) {
    return new ResolvedType(raw, raw.isArray() ? List.of(of(raw.getComponentType())) : List.of());
  }

  static ResolvedType of(Type type, Map<TypeVariable<?>, ResolvedType> variables) {
    if (type instanceof Class<?> plain) {
      return of(plain);
    }
    if (type instanceof ParameterizedType parameterized) {
      List<ResolvedType> arguments =
          Arrays.stream(parameterized.getActualTypeArguments()).map(argument -> of(argument, variables)).toList();
      return new ResolvedType((Class<?>) parameterized.getRawType(), arguments);
    }
    if (type instanceof GenericArrayType array) {
      ResolvedType component = of(array.getGenericComponentType(), variables);
      return new ResolvedType(component.raw.arrayType(), List.of(component));
    }
    if (type instanceof WildcardType wildcard) {
      return of(wildcard.getUpperBounds()[0], variables);
    }
    TypeVariable<?> variable = (TypeVariable<?>) type;
    ResolvedType bound = variables.get(variable);
    return bound == null ? of(erasure(variable)) : bound;
  }

  /**
   * Returns a class that extends or implements this type directly or not. Type parameters that it passes on directly get the
   * arguments of this type; others get their bounds.
   */
  ResolvedType subtype(Class<?> type) {
    TypeVariable<?>[] parameters = type.getTypeParameters();
    if (parameters.length == 0) {
      return of(type);
    }
    Map<TypeVariable<?>, ResolvedType> found = new HashMap<>();
    Stream.concat(Stream.of(type.getGenericInterfaces()), Stream.ofNullable(type.getGenericSuperclass()))
        .filter(ParameterizedType.class::isInstance)
        .map(ParameterizedType.class::cast)
        .filter(above -> above.getRawType() == raw)
        .forEach(above -> {
          Type[] passed = above.getActualTypeArguments();
          for (int i = 0; i < passed.length && i < arguments.size(); i++) {
            if (passed[i] instanceof TypeVariable<?> variable) {
              found.put(variable, arguments.get(i));
            }
          }
        });
    return new ResolvedType(type, Arrays.stream(parameters).map(parameter -> of(parameter, found)).toList());
  }

  /** Returns the raw class, because a bound may refer to its own variable. */
  private static Class<?> erasure(Type type) {
    if (type instanceof Class<?> plain) {
      return plain;
    }
    if (type instanceof ParameterizedType parameterized) {
      return (Class<?>) parameterized.getRawType();
    }
    return type instanceof TypeVariable<?> variable ? erasure(variable.getBounds()[0]) : Object.class;
  }

  /** Returns the types for the type variables of the class and its superclasses. */
  Map<TypeVariable<?>, ResolvedType> variables() {
    Map<TypeVariable<?>, ResolvedType> variables = new HashMap<>();
    TypeVariable<?>[] parameters = raw.getTypeParameters();
    for (int i = 0; i < parameters.length && i < arguments.size(); i++) {
      variables.put(parameters[i], arguments.get(i));
    }
    Class<?> at = raw;
    while (at != null && at.getSuperclass() != null) {
      Type above = at.getGenericSuperclass();
      at = at.getSuperclass();
      if (above instanceof ParameterizedType parameterized) {
        ResolvedType resolved = of(parameterized, variables);
        TypeVariable<?>[] inherited = at.getTypeParameters();
        for (int i = 0; i < inherited.length; i++) {
          variables.put(inherited[i], resolved.arguments.get(i));
        }
      }
    }
    return variables;
  }
}
