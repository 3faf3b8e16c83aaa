package org.understudy.durability.compiler.classes;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Executable;
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
import java.util.stream.Stream;

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
      return new Parameterized((Class<?>) generic.getRawType(), generic.getOwnerType(), replaced(generic.getActualTypeArguments(), known));
    } else if (type instanceof GenericArrayType array) {
      Type component = replaced(array.getGenericComponentType(), known);
      return component instanceof Class<?> plain ? plain.arrayType() : new GenericArray(component);
    } else if (type instanceof WildcardType wildcard) {
      return new Wildcard(replaced(wildcard.getUpperBounds(), known), replaced(wildcard.getLowerBounds(), known));
    }
    return type;
  }

  private static Type[] replaced(Type[] types, Map<TypeVariable<?>, Type> known) {
    return Arrays.stream(types).map(each -> replaced(each, known)).toArray(Type[]::new);
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

  private record Wildcard(Type[] upper, Type[] lower) implements WildcardType {
    @Override
    public Type[] getUpperBounds() {
      return upper.clone();
    }

    @Override
    public Type[] getLowerBounds() {
      return lower.clone();
    }
  }

  /** The classes that stand in a type: its own, those of its arguments and bounds. */
  public static Stream<Class<?>> classes(Type type) {
    if (type instanceof Class<?> plain) {
      return plain.isArray() ? classes(plain.getComponentType()) : Stream.of(plain);
    } else if (type instanceof ParameterizedType generic) {
      return Stream.concat(
          Stream.of((Class<?>) generic.getRawType()), Arrays.stream(generic.getActualTypeArguments()).flatMap(Types::classes));
    } else if (type instanceof GenericArrayType array) {
      return classes(array.getGenericComponentType());
    } else if (type instanceof WildcardType wildcard) {
      return Stream.concat(Arrays.stream(wildcard.getUpperBounds()), Arrays.stream(wildcard.getLowerBounds())).flatMap(Types::classes);
    }
    // The bound of a variable can name the variable.
    return Stream.of(raw(type));
  }

  /** The public instance methods that stand in the source of a class or its supertypes, also in superclasses that are not public. */
  public static List<Method> methods(Class<?> type) {
    return Arrays.stream(type.getMethods())
        .filter(method -> !Modifier.isStatic(method.getModifiers()))
        .flatMap(method -> method.isBridge() ? bridged(method).stream() : method.isSynthetic() ? Stream.empty() : Stream.of(method))
        .toList();
  }

  /** The method of a superclass that is not public, to which the compiler of Java has made a bridge of the same types. */
  private static Optional<Method> bridged(Method bridge) {
    for (Class<?> type = bridge.getDeclaringClass().getSuperclass(); type != null; type = type.getSuperclass()) {
      for (Method method : type.getDeclaredMethods()) {
        if (!method.isSynthetic() && !Modifier.isAbstract(method.getModifiers()) && method.getName().equals(bridge.getName())
            && method.getReturnType() == bridge.getReturnType()
            && Arrays.equals(method.getParameterTypes(), bridge.getParameterTypes())) {
          return Modifier.isPublic(type.getModifiers()) ? Optional.empty() : Optional.of(method);
        }
      }
    }
    return Optional.empty();
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

  /** The first checked exception that a method or constructor declares. */
  public static Optional<Class<?>> checked(Executable executable) {
    return Arrays.stream(executable.getExceptionTypes()).filter(Types::isChecked).findFirst();
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
