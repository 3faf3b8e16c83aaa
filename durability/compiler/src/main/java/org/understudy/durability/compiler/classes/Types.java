package org.understudy.durability.compiler.classes;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Questions about types that reflection does not answer. */
public final class Types {
  private static final List<Class<?>> WIDENING =
      List.of(byte.class, short.class, int.class, long.class, float.class, double.class);
  private static final Map<Class<?>, Class<?>> BOXES = Map.of(
      boolean.class, Boolean.class, byte.class, Byte.class, short.class, Short.class, char.class, Character.class, int.class, Integer.class,
      long.class, Long.class, float.class, Float.class, double.class, Double.class, void.class, Void.class);

  private Types() {}

  /** The class of a type without its arguments; for a type variable, that of its bound. */
  public static Class<?> raw(Type type) {
    if (type instanceof Class<?> plain) {
      return plain;
    } else if (type instanceof ParameterizedType generic) {
      return (Class<?>) generic.getRawType();
    } else if (type instanceof GenericArrayType array) {
      return raw(array.getGenericComponentType()).arrayType();
    } else if (type instanceof TypeVariable<?> variable) {
      return raw(variable.getBounds()[0]);
    }
    return raw(((WildcardType) type).getUpperBounds()[0]);
  }

  /** The class that boxes a primitive one, or the class itself. */
  public static Class<?> boxed(Class<?> type) {
    return BOXES.getOrDefault(type, type);
  }

  /** Whether a value of one type can be passed where the other one is declared. Type arguments are left to the compiler of Java. */
  public static boolean isAssignable(Type from, Type to) {
    Class<?> source = raw(from);
    Class<?> target = raw(to);
    if (target.isAssignableFrom(source)) {
      return true;
    }
    if (target.isPrimitive()) {
      Class<?> primitive = source.isPrimitive() ? source : unboxed(source);
      int width = WIDENING.indexOf(primitive);
      return primitive == target || width >= 0 && width < WIDENING.indexOf(target)
          || primitive == char.class && WIDENING.indexOf(target) >= 2;
    }
    return source.isPrimitive() && target.isAssignableFrom(boxed(source));
  }

  private static Class<?> unboxed(Class<?> box) {
    return BOXES.entrySet().stream().filter(entry -> entry.getValue() == box).map(Map.Entry::getKey).findFirst().orElse(null);
  }

  /** The type that a method of a supertype has in a class: type variables of supertypes are replaced. */
  public static Type in(Type context, Class<?> declaring, Type type) {
    Map<TypeVariable<?>, Type> known = new HashMap<>();
    collect(context, declaring, known);
    return replaced(type, known);
  }

  private static boolean collect(Type context, Class<?> declaring, Map<TypeVariable<?>, Type> known) {
    Class<?> type = raw(context);
    if (!declaring.isAssignableFrom(type)) {
      return false;
    }
    if (context instanceof ParameterizedType generic) {
      TypeVariable<?>[] variables = type.getTypeParameters();
      for (int i = 0; i < variables.length; i++) {
        known.put(variables[i], replaced(generic.getActualTypeArguments()[i], known));
      }
    }
    if (type == declaring) {
      return true;
    }
    if (type.getGenericSuperclass() != null && collect(type.getGenericSuperclass(), declaring, known)) {
      return true;
    }
    return Arrays.stream(type.getGenericInterfaces()).anyMatch(each -> collect(each, declaring, known));
  }

  private static Type replaced(Type type, Map<TypeVariable<?>, Type> known) {
    if (type instanceof TypeVariable<?> variable) {
      return known.getOrDefault(variable, type);
    } else if (type instanceof ParameterizedType generic) {
      Type[] arguments = Arrays.stream(generic.getActualTypeArguments()).map(each -> replaced(each, known)).toArray(Type[]::new);
      return new Parameterized((Class<?>) generic.getRawType(), generic.getOwnerType(), arguments);
    } else if (type instanceof GenericArrayType array) {
      Type component = replaced(array.getGenericComponentType(), known);
      return component instanceof Class<?> plain ? plain.arrayType() : new GenericArray(component);
    }
    return type;
  }

  private record Parameterized(Class<?> rawType, Type owner, Type[] arguments) implements ParameterizedType {
    @Override
    public Type[] getActualTypeArguments() {
      return arguments.clone();
    }

    @Override
    public Type getRawType() {
      return rawType;
    }

    @Override
    public Type getOwnerType() {
      return owner;
    }
  }

  private record GenericArray(Type component) implements GenericArrayType {
    @Override
    public Type getGenericComponentType() {
      return component;
    }
  }

  /** An annotation of the element by the name of its class. */
  public static Optional<Annotation> annotation(AnnotatedElement element, String name) {
    return Arrays.stream(element.getAnnotations()).filter(each -> each.annotationType().getName().equals(name)).findFirst();
  }

  /** A text that an annotation has; empty where it has the default value. */
  public static String text(Annotation annotation, String member) {
    try {
      return String.valueOf(annotation.annotationType().getMethod(member).invoke(annotation));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(annotation + " has no " + member + ".", e);
    }
  }

  /** Whether a class of exceptions must be declared. */
  public static boolean isChecked(Class<?> exception) {
    return !RuntimeException.class.isAssignableFrom(exception) && !Error.class.isAssignableFrom(exception);
  }

  /** The name in a message: simple names of types. */
  public static String signature(Method method) {
    return method.getName() + "("
        + String.join(", ", Arrays.stream(method.getParameterTypes()).map(Class::getSimpleName).toList()) + ")";
  }

  /** Whether generated code in a package may use a class. */
  public static boolean isAccessible(Class<?> type, String fromPackage) {
    Class<?> element = type;
    while (element.isArray()) {
      element = element.getComponentType();
    }
    boolean samePackage = element.getPackageName().equals(fromPackage);
    for (Class<?> each = element; each != null; each = each.getEnclosingClass()) {
      if (!Modifier.isPublic(each.getModifiers()) && !(samePackage && !Modifier.isPrivate(each.getModifiers()))) {
        return false;
      }
    }
    return true;
  }
}
