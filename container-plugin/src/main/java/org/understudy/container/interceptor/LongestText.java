package org.understudy.container.interceptor;

import jakarta.xml.bind.JAXBElement;
import jakarta.xml.ws.Holder;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds the longest text of a result before it is marshalled: in its objects, their fields, lists and maps. Calls no method of the
 * service's classes.
 */
final class LongestText {
  /** A result with more objects consists of small ones, or its texts after these are not found. */
  private static final int MAX_OBJECTS = 10_000;

  private static final List<String> NOT_OF_SERVICES = List.of("java.", "javax.", "jakarta.", "sun.", "com.sun.", "jdk.", "org.w3c.");

  /** The fields of a class that may lead to a text. */
  private static final ClassValue<List<Field>> FIELDS =
      new ClassValue<>() {
        @Override
        protected List<Field> computeValue(Class<?> type) {
          List<Field> fields = new ArrayList<>();
          for (Class<?> one = type; one != null && isOfService(one); one = one.getSuperclass()) {
            for (Field field : one.getDeclaredFields()) {
              boolean leads = !Modifier.isStatic(field.getModifiers()) && !field.getType().isPrimitive() && !field.getType().isEnum();
              if (leads && field.trySetAccessible()) {
                fields.add(field);
              }
            }
          }
          return fields;
        }
      };

  private final Deque<Object> open = new ArrayDeque<>();
  private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
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

  private static boolean isOfService(Class<?> type) {
    return NOT_OF_SERVICES.stream().noneMatch(type.getName()::startsWith);
  }

  private void add(Object one) {
    if (one instanceof String text) {
      longest = Math.max(longest, text.length());
    } else if (one != null && leadsOn(one) && seen.size() < MAX_OBJECTS && seen.add(one)) {
      open.add(one);
    }
  }

  private static boolean leadsOn(Object one) {
    return one instanceof Collection || one instanceof Map || one instanceof Object[] || one instanceof JAXBElement || one instanceof Holder
        || !FIELDS.get(one.getClass()).isEmpty();
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
      for (Field field : FIELDS.get(one.getClass())) {
        add(valueOf(field, one));
      }
    }
  }

  private static Object valueOf(Field field, Object of) {
    try {
      return field.get(of);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("The field " + field + " was made accessible before.", e);
    }
  }
}
