package org.understudy.container.interceptor;

import jakarta.xml.bind.JAXBElement;
import jakarta.xml.ws.Holder;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;

/**
 * Finds the longest text of a result before it is marshalled: in its objects, their fields, lists and maps. Calls no method of the
 * service's classes.
 */
final class LongestText {
  /** A result with more objects consists of small ones, or its texts after these are not found. */
  private static final int MAX_OBJECTS = 10_000;

  private static final List<String> NOT_OF_SERVICES = List.of("java.", "javax.", "jakarta.", "sun.", "com.sun.", "jdk.", "org.w3c.");

  private static final MethodType GETTER = MethodType.methodType(Object.class, Object.class);

  /** Of the fields of a class that may lead to a text: method handles, because there is no reflection on the way of a request. */
  private static final ClassValue<MethodHandle[]> GETTERS =
      new ClassValue<>() {
        @Override
        protected MethodHandle[] computeValue(Class<?> type) {
          List<MethodHandle> getters = new ArrayList<>();
          for (Class<?> one = type; one != null && isOfService(one); one = one.getSuperclass()) {
            for (Field field : one.getDeclaredFields()) {
              if (!Modifier.isStatic(field.getModifiers()) && mayLead(field.getType()) && field.trySetAccessible()) {
                getters.add(getter(field));
              }
            }
          }
          return getters.toArray(new MethodHandle[0]);
        }
      };

  private final Deque<Object> open = new ArrayDeque<>();
  /** Also those that have been found before, where objects refer to each other. */
  private int found;
  private int longest;

  private LongestText() {}

  /** Returns the length of the longest text in characters; 0 for none. */
  static int of(Object result) {
    LongestText search = new LongestText();
    search.add(result);
    while (!search.open.isEmpty()) {
      search.enter(search.open.remove());
    }
    return search.longest;
  }

  /** Whether values of the type can be a text, or contain one: not those of a final class such as {@link Integer}. */
  private static boolean mayLead(Class<?> type) {
    boolean value = Modifier.isFinal(type.getModifiers()) && type.getName().startsWith("java.");
    return type == String.class || !type.isPrimitive() && !type.isEnum() && !value;
  }

  private static boolean isOfService(Class<?> type) {
    return NOT_OF_SERVICES.stream().noneMatch(type.getName()::startsWith);
  }

  private void add(Object one) {
    if (one instanceof String text) {
      longest = Math.max(longest, text.length());
    } else if (one != null && leadsOn(one) && found++ < MAX_OBJECTS) {
      open.add(one);
    }
  }

  private static boolean leadsOn(Object one) {
    return one instanceof Collection || one instanceof Map || one instanceof Object[] || one instanceof JAXBElement || one instanceof Holder
        || GETTERS.get(one.getClass()).length > 0;
  }

  private void enter(Object one) {
    if (one instanceof Collection<?> collection) {
      collection.forEach(this::add);
    } else if (one instanceof Map<?, ?> map) {
      map.keySet().forEach(this::add);
      map.values().forEach(this::add);
    } else if (one instanceof Object[] array) {
      for (Object element : array) {
        add(element);
      }
    } else if (one instanceof JAXBElement<?> element) {
      add(element.getValue());
    } else if (one instanceof Holder<?> holder) {
      add(holder.value);
    } else {
      for (MethodHandle getter : GETTERS.get(one.getClass())) {
        add(get(getter, one));
      }
    }
  }

  private static MethodHandle getter(Field field) {
    try {
      return MethodHandles.lookup().unreflectGetter(field).asType(GETTER);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("The field " + field + " was made accessible before.", e);
    }
  }

  private static Object get(MethodHandle getter, Object of) {
    try {
      return (Object) getter.invokeExact(of);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("A field handle threw a checked exception.", e);
    }
  }
}
