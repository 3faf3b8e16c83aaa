package org.understudy.state.check;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.temporal.Temporal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Date;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import org.understudy.state.StateFields;

/**
 * The values of the fields of an object at one moment, by path. Two snapshots are equal when the graphs are equal, with their shared
 * references. The order of hash tables is ignored. Static, transient and injected fields are left out, and so is the content of JDK
 * objects without values, for example locks. At most 200,000 values count. Uses reflection: for tests, and off the path of requests.
 */
public final class StateSnapshot {
  private static final int MAX_ENTRIES = 200_000;
  private static final int MAX_DEPTH = 200;
  private static final int MAX_TEXT = 80;

  private final Map<String, String> entries = new TreeMap<>();
  /** The entries that are times. */
  private final Map<String, Temporal> times = new HashMap<>();
  private final IdentityHashMap<Object, String> seen = new IdentityHashMap<>();

  private StateSnapshot() {}

  /** Takes a snapshot of an object's fields. No other thread may change them meanwhile. */
  public static StateSnapshot of(Object object, Collection<Field> fields) {
    StateSnapshot snapshot = new StateSnapshot();
    snapshot.seen.put(object, object.getClass().getSimpleName());
    for (Field field : fields) {
      snapshot.field(object, field, field.getDeclaringClass().getSimpleName() + "." + field.getName(), 0);
    }
    return snapshot;
  }

  /**
   * Returns the first differences, each with its path and both values.
   *
   * @param max the maximum number of differences
   */
  public List<String> differences(StateSnapshot other, int max) {
    return differences(other, max, Duration.ZERO);
  }

  /**
   * Returns the first differences.
   *
   * @param apart times that are less apart are equal: a database may keep fewer digits of them
   */
  public List<String> differences(StateSnapshot other, int max, Duration apart) {
    Set<String> paths = new LinkedHashSet<>(entries.keySet());
    paths.addAll(other.entries.keySet());
    List<String> differences = new ArrayList<>();
    for (String path : paths) {
      String here = entries.get(path);
      String there = other.entries.get(path);
      if ((here == null ? there != null : !here.equals(there)) && !areClose(times.get(path), other.times.get(path), apart)) {
        if (differences.size() == max) {
          break;
        }
        differences.add(path + " is " + text(here) + " and becomes " + text(there));
      }
    }
    return differences;
  }

  private static boolean areClose(Temporal here, Temporal there, Duration apart) {
    return here != null && there != null && here.getClass() == there.getClass()
        && Duration.between(here, there).abs().compareTo(apart) < 0;
  }

  /** Returns the paths of an object's own fields below which the snapshots differ. */
  public Set<String> differingFields(StateSnapshot other) {
    Set<String> differing = new LinkedHashSet<>();
    Set<String> paths = new LinkedHashSet<>(entries.keySet());
    paths.addAll(other.entries.keySet());
    for (String path : paths) {
      String here = entries.get(path);
      if (here == null || !here.equals(other.entries.get(path))) {
        differing.add(field(path));
      }
    }
    return differing;
  }

  private static String field(String path) {
    int end = path.indexOf(" -> ");
    return end < 0 ? path : path.substring(0, end);
  }

  /** Removes the entries of these fields and below. */
  StateSnapshot without(Set<String> fields) {
    entries.keySet().removeIf(path -> fields.contains(field(path)));
    return this;
  }

  private static String text(String value) {
    if (value == null) {
      return "absent";
    }
    return value.length() <= MAX_TEXT ? value : value.substring(0, MAX_TEXT) + "…";
  }

  private void field(Object owner, Field field, String path, int depth) {
    try {
      if (field.trySetAccessible()) {
        add(path, field.get(owner), depth);
      }
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("An accessible field can be read.", e);
    }
  }

  private void add(String path, Object value, int depth) {
    if (entries.size() >= MAX_ENTRIES || depth > MAX_DEPTH) {
      return;
    }
    if (value == null || value instanceof Enum || isText(value)) {
      entries.put(path, value == null ? "null" : value.toString());
      addTime(path, value);
      return;
    }
    String before = seen.putIfAbsent(value, path);
    if (before != null) {
      entries.put(path, "the same as " + before);
    } else if (value instanceof Map<?, ?> map) {
      addMap(path, map, depth);
    } else if (value instanceof Collection<?> collection) {
      addCollection(path, collection, depth);
    } else if (value.getClass().isArray()) {
      addArray(path, value, depth);
    } else if (value instanceof Optional<?> optional) {
      add(path + " -> value", optional.orElse(null), depth + 1);
    } else if (value instanceof AtomicReference<?> reference) {
      add(path + " -> value", reference.get(), depth + 1);
    } else if (!isOfJdk(value.getClass())) {
      entries.put(path, value.getClass().getTypeName());
      for (Field field : StateFields.candidates(value.getClass())) {
        field(value, field, path + " -> " + field.getDeclaringClass().getSimpleName() + "." + field.getName(), depth + 1);
      }
    }
  }

  @SuppressWarnings("JavaUtilDate") // Services hold them.
  private void addTime(String path, Object value) {
    if (value instanceof Instant || value instanceof LocalDateTime || value instanceof LocalTime) {
      times.put(path, (Temporal) value);
    } else if (value instanceof Date date) {
      times.put(path, Instant.ofEpochMilli(date.getTime()));
    }
  }

  private void addMap(String path, Map<?, ?> map, int depth) {
    entries.put(path, map.size() + " entries");
    List<Map.Entry<String, Map.Entry<?, ?>>> sorted = new ArrayList<>();
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      sorted.add(Map.entry(canonical(entry.getKey(), depth), entry));
    }
    if (!(map instanceof LinkedHashMap || map instanceof SortedMap)) {
      sorted.sort(Comparator.comparing(Map.Entry::getKey));
    }
    int place = 0;
    for (Map.Entry<String, Map.Entry<?, ?>> entry : sorted) {
      boolean inOrder = map instanceof LinkedHashMap;
      String step = path + " -> Map " + (inOrder ? place++ + " " : "") + "[" + text(entry.getKey()) + "]";
      add(step + " key", entry.getValue().getKey(), depth + 1);
      add(step, entry.getValue().getValue(), depth + 1);
    }
  }

  private void addCollection(String path, Collection<?> collection, int depth) {
    entries.put(path, collection.size() + " elements");
    List<Object> elements = new ArrayList<>(collection);
    if (collection instanceof Set && !(collection instanceof LinkedHashSet || collection instanceof SortedSet)) {
      IdentityHashMap<Object, String> texts = new IdentityHashMap<>();
      elements.forEach(element -> texts.put(element, canonical(element, depth)));
      elements.sort(Comparator.comparing(texts::get));
    }
    for (int i = 0; i < elements.size(); i++) {
      add(path + " -> [" + i + "]", elements.get(i), depth + 1);
    }
  }

  private void addArray(String path, Object array, int depth) {
    int length = Array.getLength(array);
    entries.put(path, length + " elements");
    if (array instanceof byte[] bytes) {
      entries.put(path + " -> bytes", java.util.HexFormat.of().formatHex(bytes));
      return;
    }
    for (int i = 0; i < length; i++) {
      add(path + " -> [" + i + "]", Array.get(array, i), depth + 1);
    }
  }

  /** Returns the text by which elements of an unordered collection are sorted. */
  private static String canonical(Object element, int depth) {
    if (element == null || element instanceof Enum || isText(element)) {
      return String.valueOf(element);
    }
    StateSnapshot alone = new StateSnapshot();
    alone.add("", element, depth + 1);
    return alone.entries.toString();
  }

  /** Whether the text of the object is its value. */
  private static boolean isText(Object value) {
    Class<?> type = value.getClass();
    String name = type.getName();
    return isOfJdk(type)
        && !(value instanceof Collection || value instanceof Map || value instanceof Optional || value instanceof AtomicReference)
        && !type.isArray()
        && (name.startsWith("java.lang.") || name.startsWith("java.math.") || name.startsWith("java.time.")
            || name.startsWith("java.util.concurrent.atomic.") || name.startsWith("java.net.UR")
            || value instanceof Date
            || List.of("java.util.UUID", "java.util.BitSet", "java.util.Locale", "java.util.Currency").contains(name)
            || value instanceof javax.xml.datatype.XMLGregorianCalendar || value instanceof javax.xml.namespace.QName)
        && !(value instanceof Thread || value instanceof ThreadLocal || value instanceof ClassLoader || type == Object.class);
  }

  private static boolean isOfJdk(Class<?> type) {
    ClassLoader loader = type.getClassLoader();
    return loader == null || loader == ClassLoader.getPlatformClassLoader();
  }
}
