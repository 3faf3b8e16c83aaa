package org.understudy.container.service;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns of declarations in a service whose effects are not replicated: databases, queues, clients of other services, and static fields
 * that are not final. Examines declarations only; see {@code docs/services.md} for other effects.
 */
public final class OutsideEffects {
  private static final Logger LOG = LoggerFactory.getLogger(OutsideEffects.class);
  /** Names of types, because the application may not contain the classes. */
  private static final Set<String> TYPES =
      Set.of(
          "javax.sql.DataSource", "java.sql.Connection", "jakarta.persistence.EntityManager",
          "jakarta.persistence.EntityManagerFactory", "jakarta.jms.ConnectionFactory", "jakarta.jms.JMSContext",
          "jakarta.mail.Session");
  /** Annotations that inject such a client, independent of its type. */
  private static final Set<String> ANNOTATIONS =
      Set.of(
          "jakarta.persistence.PersistenceContext", "jakarta.persistence.PersistenceUnit", "jakarta.xml.ws.WebServiceRef");

  private OutsideEffects() {}

  /**
   * Logs a warning for each declaration.
   *
   * @param service the class of the service object, not of a proxy
   * @param state the class of the resources' state; that of the service when it keeps its state in itself
   */
  public static void warn(Class<?> service, Class<?> state) {
    Set<Class<?>> classes = new LinkedHashSet<>(hierarchy(service));
    classes.addAll(hierarchy(state));
    for (Class<?> type : classes) {
      try {
        effects(type).forEach(LOG::warn);
        statics(type).forEach(LOG::warn);
      } catch (LinkageError e) {
        LOG.debug("The declarations of {} cannot be read, because a class is missing.", type.getName(), e);
      }
    }
  }

  private static Collection<Class<?>> hierarchy(Class<?> type) {
    List<Class<?>> classes = new ArrayList<>();
    for (Class<?> at = type; at != null && at != Object.class; at = at.getSuperclass()) {
      classes.add(at);
    }
    return classes;
  }

  private static List<String> effects(Class<?> type) {
    List<String> found = new ArrayList<>();
    for (Field field : type.getDeclaredFields()) {
      if (!field.isSynthetic() && (isOutside(field.getType()) || isInjected(field))) {
        found.add(effect(type, "the field " + field.getName(), field.getType()));
      }
    }
    for (Method method : type.getDeclaredMethods()) {
      if (method.getParameterCount() == 1 && method.getName().startsWith("set")
          && (isOutside(method.getParameterTypes()[0]) || isInjected(method))) {
        found.add(effect(type, "the method " + method.getName(), method.getParameterTypes()[0]));
      }
    }
    for (Constructor<?> constructor : type.getDeclaredConstructors()) {
      for (Class<?> parameter : constructor.getParameterTypes()) {
        if (isOutside(parameter)) {
          found.add(effect(type, "its constructor", parameter));
        }
      }
    }
    return found;
  }

  private static String effect(Class<?> type, String where, Class<?> what) {
    return type.getName() + " gets a " + what.getName() + " in " + where + ". What it does there is not replicated, not undone with "
        + "an execution, and repeated at a failover. Call services through ResourceHome.outgoing(), and let anything else recognise "
        + "a repetition. See \"What a service must not do\" in docs/services.md.";
  }

  private static boolean isInjected(AnnotatedElement element) {
    for (Annotation annotation : element.getAnnotations()) {
      if (ANNOTATIONS.contains(annotation.annotationType().getName())) {
        return true;
      }
    }
    return false;
  }

  private static boolean isOutside(Class<?> type) {
    if (type == null || type.isPrimitive()) {
      return false;
    }
    boolean outside = TYPES.contains(type.getName()) || isOutside(type.getSuperclass());
    for (Class<?> parent : type.getInterfaces()) {
      outside = outside || isOutside(parent);
    }
    return outside;
  }

  private static List<String> statics(Class<?> type) {
    List<String> found = new ArrayList<>();
    for (Field field : type.getDeclaredFields()) {
      if (isVariable(field) && !field.isSynthetic()) {
        found.add(
            "The static field " + type.getName() + "." + field.getName() + " can change and is not replicated: each replica has its own "
                + "value. Keep it in the state, or make it final.");
      }
    }
    return found;
  }

  private static boolean isVariable(Member field) {
    return Modifier.isStatic(field.getModifiers()) && !Modifier.isFinal(field.getModifiers());
  }
}
