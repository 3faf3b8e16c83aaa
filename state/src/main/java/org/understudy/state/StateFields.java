package org.understudy.state;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import org.understudy.replication.api.ReplicatedState;

/** Selects the fields of a class that are state, ordered by superclass first, then by name. Static and transient fields never are. */
public final class StateFields {
  /** Names of annotations, because the class path may not contain the classes. */
  private static final Set<String> INJECTING =
      Set.of(
          "jakarta.annotation.Resource", "javax.annotation.Resource",
          "jakarta.inject.Inject", "javax.inject.Inject",
          "jakarta.ejb.EJB", "javax.ejb.EJB",
          "jakarta.persistence.PersistenceContext", "javax.persistence.PersistenceContext",
          "jakarta.persistence.PersistenceUnit", "javax.persistence.PersistenceUnit",
          "jakarta.xml.ws.WebServiceRef", "javax.xml.ws.WebServiceRef",
          "org.springframework.beans.factory.annotation.Autowired",
          "org.springframework.beans.factory.annotation.Value",
          "org.eclipse.microprofile.config.inject.ConfigProperty");

  /** Types that only a container or a library creates, even if no annotation injects them, and that do not call the service. */
  private static final Set<String> INDEPENDENT =
      Set.of(
          "org.understudy.replication.api.ResourceHome", "org.understudy.replication.api.Outgoing",
          "org.understudy.container.attachment.ServiceResources",
          "jakarta.xml.ws.WebServiceContext", "javax.sql.DataSource",
          "java.lang.System$Logger", "java.util.logging.Logger", "org.slf4j.Logger", "org.apache.commons.logging.Log");

  /** The same, but the listeners of their entities may be beans, which may call the service. */
  private static final Set<String> PERSISTENCE =
      Set.of("jakarta.persistence.EntityManager", "jakarta.persistence.EntityManagerFactory");

  private StateFields() {}

  /** Whether the class or one of its fields is marked with {@link ReplicatedState}. */
  public static boolean isMarked(Class<?> type) {
    return hierarchy(type).stream()
        .anyMatch(
            at ->
                at.isAnnotationPresent(ReplicatedState.class)
                    || Arrays.stream(at.getDeclaredFields()).anyMatch(field -> field.isAnnotationPresent(ReplicatedState.class)));
  }

  /**
   * Returns the fields that are the state of a marked object.
   *
   * @throws StateException when a marked field cannot be state, or it is unclear whether a field of a marked class is
   */
  public static List<Field> marked(Class<?> type) {
    List<Field> state = new ArrayList<>();
    for (Class<?> at : hierarchy(type)) {
      boolean whole = isWhole(type, at);
      for (Field field : sorted(at)) {
        boolean marked = field.isAnnotationPresent(ReplicatedState.class);
        if (marked && (isExcluded(field) || isInjected(field))) {
          throw new StateException(
              type.getSimpleName() + "." + field.getName() + ": the field is marked @ReplicatedState and is static, transient "
                  + "or injected. Remove one of them.");
        }
        if (marked || (whole && !isExcluded(field) && !isInjected(field))) {
          if (!marked && isOfInjectingConstructor(field)) {
            throw new StateException(
                type.getSimpleName() + "." + field.getName() + ": the class is marked @ReplicatedState, and a container may inject the "
                    + "field by a constructor. Mark the field transient, or with @ReplicatedState if it is state.");
          }
          state.add(field);
        }
      }
    }
    return state;
  }

  /** Returns the fields that are the state of an object reachable from a marked field. */
  static List<Field> all(Class<?> type) {
    return hierarchy(type).stream().flatMap(at -> sorted(at).stream()).filter(field -> !isExcluded(field)).toList();
  }

  /** Returns all fields that could hold state, marked or not. */
  public static List<Field> candidates(Class<?> type) {
    return all(type).stream().filter(field -> !isInjected(field)).toList();
  }

  /** Whether a class from the object's class up to this one, inclusive, is marked as a whole. */
  private static boolean isWhole(Class<?> type, Class<?> at) {
    for (Class<?> below = type; below != null; below = below.getSuperclass()) {
      if (below.isAnnotationPresent(ReplicatedState.class)) {
        return true;
      }
      if (below == at) {
        return false;
      }
    }
    return false;
  }

  static List<Class<?>> hierarchy(Class<?> type) {
    Deque<Class<?>> classes = new ArrayDeque<>();
    for (Class<?> at = type; at != null && at != Object.class; at = at.getSuperclass()) {
      classes.addFirst(at);
    }
    return List.copyOf(classes);
  }

  /** Sorts fields, because reflection returns them in no order. */
  private static List<Field> sorted(Class<?> type) {
    return Arrays.stream(type.getDeclaredFields()).sorted(Comparator.comparing(Field::getName)).toList();
  }

  private static boolean isExcluded(Field field) {
    return Modifier.isStatic(field.getModifiers()) || Modifier.isTransient(field.getModifiers());
  }

  /** Whether a constructor into which a container injects has a parameter of the field's type, unless that is a simple value. */
  private static boolean isOfInjectingConstructor(Field field) {
    Class<?> type = field.getType();
    return !type.isPrimitive()
        && !type.getName().startsWith("java.lang.")
        && Arrays.stream(field.getDeclaringClass().getDeclaredConstructors())
            .anyMatch(one -> isMarkedInjecting(one) && Arrays.asList(one.getParameterTypes()).contains(type));
  }

  /** Whether a container or a library sets the field. */
  static boolean isInjected(Field field) {
    return isIndependent(field.getType()) || PERSISTENCE.contains(field.getType().getName()) || isMarkedInjecting(field);
  }

  /** Whether a container or a library creates the objects of the type, and they do not call the service. */
  static boolean isIndependent(Class<?> type) {
    return INDEPENDENT.contains(type.getName());
  }

  private static boolean isMarkedInjecting(AnnotatedElement member) {
    for (Annotation annotation : member.getAnnotations()) {
      if (INJECTING.contains(annotation.annotationType().getName())) {
        return true;
      }
    }
    return false;
  }
}
