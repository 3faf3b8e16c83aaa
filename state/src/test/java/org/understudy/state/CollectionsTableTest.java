package org.understudy.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.AbstractMap;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Properties;
import java.util.Set;
import java.util.Stack;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.Vector;
import java.util.WeakHashMap;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.understudy.replication.api.ReplicatedState;

/**
 * Each collection of the JDK, and what state capture does with it. The table in {@code docs/services.md} has the same rows. Run with
 * {@code -Dunderstudy.write.docs=true} to write it.
 */
@SuppressWarnings({"JdkObsolete", "UnnecessaryAsync"}) // Services hold them.
class CollectionsTableTest {
  private static final Path DOCUMENT = Path.of("../docs/services.md");
  private static final String BEGIN = "<!-- collections: written by CollectionsTableTest -->\n";
  private static final String END = "<!-- end of the collections -->\n";

  /**
   * A row of the table.
   *
   * @param collection the expression that makes it
   * @param made an example with the elements 3, 1 and 2 where that is possible
   * @param restored the class of a restored one; null when it is not captured
   * @param note what is special; for a refused one, what to use instead
   */
  record Row(String collection, Object made, Class<?> restored, String note) {
    boolean isCaptured() {
      return restored != null;
    }

    @Override
    public String toString() {
      return collection;
    }

    String line() {
      return "| `" + collection + "` | " + (isCaptured() ? "captured" : "refused") + " | " + note + " |";
    }
  }

  enum Size {
    SMALL, LARGE
  }

  static class State {
    @ReplicatedState(types = {Integer.class, String.class, Size.class}) Object any;
    @ReplicatedState List<Object> none;
  }

  private static <C extends Collection<Object>> C filled(C empty) {
    Collections.addAll(empty, 3, 1, 2);
    return empty;
  }

  private static <M extends Map<Object, Object>> M filled(M empty) {
    for (int key : new int[] {3, 1, 2}) {
      empty.put(key, "v" + key);
    }
    return empty;
  }

  private static Row same(Object made, String note) {
    return new Row("new " + made.getClass().getSimpleName() + "<>()", made, made.getClass(), note);
  }

  private static Row same(String collection, Object made, String note) {
    return new Row(collection, made, made.getClass(), note);
  }

  private static Row refused(String collection, Object made, String instead) {
    return new Row(collection, made, null, instead);
  }

  static List<Row> rows() {
    return Stream.of(lists(), sets(), queues(), maps(), wrappers(), views()).flatMap(List::stream).toList();
  }

  private static List<Row> lists() {
    return List.of(
        same(filled(new ArrayList<>()), ""),
        same(filled(new LinkedList<>()), ""),
        same(filled(new Vector<>()), ""),
        same(filled(new CopyOnWriteArrayList<>()), ""),
        same("List.of(…)", List.of(3, 1, 2), "also `List.copyOf`; cannot contain itself"),
        same("stream.toList()", Stream.of(3, 1, 2).toList(), "cannot contain itself"),
        same("Arrays.asList(…)", Arrays.asList(3, 1, 2), "cannot contain itself; a list of its own, which no longer shares its array"),
        same("Collections.emptyList()", Collections.emptyList(), "also `emptySet`, `emptyMap`"),
        same("Collections.singletonList(…)", Collections.singletonList(3), "also `singleton`, `singletonMap`; cannot contain itself"),
        refused("new Stack<>()", new Stack<>(), "`new ArrayDeque<>()`"),
        refused("Collections.nCopies(…)", Collections.nCopies(2, 3), "`new ArrayList<>(…)`"));
  }

  private static List<Row> sets() {
    return List.of(
        same(filled(new HashSet<>()), ""),
        same(filled(new LinkedHashSet<>()), "keeps the order"),
        same(filled(new TreeSet<>(Collections.reverseOrder())), "keeps its comparator, whose class is declared like any other"),
        same(filled(new ConcurrentSkipListSet<>()), "keeps its comparator"),
        same(filled(new CopyOnWriteArraySet<>()), ""),
        same("ConcurrentHashMap.newKeySet()", filled(ConcurrentHashMap.newKeySet()), ""),
        same("EnumSet.of(…)", EnumSet.of(Size.LARGE), "the enum is declared"),
        same("Set.of(…)", Set.of(3, 1, 2),
            "also `Set.copyOf`; cannot contain itself, nor objects with a `hashCode` of their own that refer back to what contains it"),
        refused("Collections.newSetFromMap(…)", filled(Collections.newSetFromMap(new HashMap<>())),
            "`new HashSet<>()`, `ConcurrentHashMap.newKeySet()`"),
        refused("Collections.emptySortedSet()", Collections.emptySortedSet(), "`new TreeSet<>()`"));
  }

  private static List<Row> queues() {
    return List.of(
        same(filled(new ArrayDeque<>()), ""),
        same(filled(new PriorityQueue<>()), "keeps its comparator"),
        same(filled(new ConcurrentLinkedQueue<>()), ""),
        same(filled(new ConcurrentLinkedDeque<>()), ""),
        same(filled(new LinkedBlockingQueue<>(7)), "keeps its capacity"),
        same(filled(new LinkedBlockingDeque<>(7)), "keeps its capacity"),
        refused("new ArrayBlockingQueue<>(n)", filled(new ArrayBlockingQueue<>(7)), "`new LinkedBlockingQueue<>(n)`"),
        refused("new PriorityBlockingQueue<>()", filled(new PriorityBlockingQueue<>()), "`new PriorityQueue<>()`, with a lock"),
        refused("new DelayQueue<>()", new DelayQueue<>(), "`new PriorityQueue<>()`, with a lock"),
        refused("new LinkedTransferQueue<>()", filled(new LinkedTransferQueue<>()), "`new LinkedBlockingQueue<>()`"),
        refused("new SynchronousQueue<>()", new SynchronousQueue<>(), "it holds nothing: mark the field transient"),
        refused("Collections.asLifoQueue(…)", Collections.asLifoQueue(new ArrayDeque<>()), "`new ArrayDeque<>()`"));
  }

  private static List<Row> maps() {
    return List.of(
        same(filled(new HashMap<>()), ""),
        same(filled(new LinkedHashMap<>(16, 0.75f, true)), "keeps the order, and whether it is that of access"),
        same(filled(new TreeMap<>(Collections.reverseOrder())), "keeps its comparator"),
        same(filled(new Hashtable<>()), ""),
        same(filled(new ConcurrentHashMap<>()), ""),
        same(filled(new ConcurrentSkipListMap<>()), "keeps its comparator"),
        same("new EnumMap<>(…)", new EnumMap<>(Map.of(Size.LARGE, 1)), "the enum is declared"),
        same("Map.of(…)", Map.of(3, "v3", 1, "v1"), "also `Map.copyOf`; as `Set.of`, for its keys"),
        refused("new IdentityHashMap<>()", filled(new IdentityHashMap<>()), "`new HashMap<>()`: values have no identity in a state"),
        refused("new WeakHashMap<>()", filled(new WeakHashMap<>()), "`new HashMap<>()`; a cache is transient"),
        refused("new Properties()", filled(new Properties()), "`new HashMap<>()`"),
        refused("Collections.emptySortedMap()", Collections.emptySortedMap(), "`new TreeMap<>()`"),
        refused("Map.entry(…)", Map.entry(3, "v3"), "a record"),
        refused("new AbstractMap.SimpleEntry<>(…)", new AbstractMap.SimpleEntry<>(3, "v3"), "a record"));
  }

  private static List<Row> wrappers() {
    return List.of(
        same("Collections.synchronizedList(new ArrayList<>())", Collections.synchronizedList(filled(new ArrayList<>())),
            "of any list with random access; its own list becomes an `ArrayList`"),
        refused("Collections.synchronizedList(new LinkedList<>())", Collections.synchronizedList(filled(new LinkedList<>())),
            "`Collections.synchronizedList(new ArrayList<>())`"),
        same("Collections.synchronizedSet(…)", Collections.synchronizedSet(filled(new TreeSet<>())),
            "its own set becomes a `TreeSet` if it was sorted, else a `LinkedHashSet`"),
        same("Collections.synchronizedMap(…)", Collections.synchronizedMap(filled(new TreeMap<>())),
            "its own map becomes a `TreeMap` if it was sorted, else a `LinkedHashMap` in the order of insertion"),
        same("Collections.synchronizedCollection(new ArrayList<>())", Collections.synchronizedCollection(filled(new ArrayList<>())),
            "its own collection becomes an `ArrayList`"),
        refused("Collections.synchronizedCollection(new HashSet<>())", Collections.synchronizedCollection(filled(new HashSet<>())),
            "`Collections.synchronizedSet(…)`; so for every collection that is a set"),
        refused("Collections.synchronizedSortedSet(…)", Collections.synchronizedSortedSet(filled(new TreeSet<>())),
            "`Collections.synchronizedSet(new TreeSet<>())`, `new ConcurrentSkipListSet<>()`"),
        refused("Collections.synchronizedSortedMap(…)", Collections.synchronizedSortedMap(filled(new TreeMap<>())),
            "`Collections.synchronizedMap(new TreeMap<>())`, `new ConcurrentSkipListMap<>()`"),
        refused("Collections.unmodifiableList(…)", Collections.unmodifiableList(filled(new ArrayList<>())),
            "`List.copyOf`, `Set.copyOf`, `Map.copyOf`; so for all `unmodifiable…`"),
        refused("Collections.checkedList(…)", Collections.checkedList(filled(new ArrayList<>()), Object.class),
            "the collection within; so for all `checked…`"));
  }

  private static List<Row> views() {
    return List.of(
        refused("list.subList(…)", filled(new ArrayList<>()).subList(0, 2), "a copy: `new ArrayList<>(…)`"),
        refused("map.keySet()", filled(new HashMap<>()).keySet(), "a copy; so for `values` and `entrySet`"),
        refused("treeMap.headMap(…)", filled(new TreeMap<>()).headMap(3),
            "a copy: `new TreeMap<>(…)`; so for `descendingMap` and the like"),
        new Row("treeSet.headSet(…)", filled(new TreeSet<>()).headSet(3), TreeSet.class,
            "as a `TreeSet` of its own, without the bounds; so for `descendingSet` and the like"),
        refused("concurrentHashMap.keySet()", filled(new ConcurrentHashMap<>()).keySet(), "`ConcurrentHashMap.newKeySet()`"),
        refused("concurrentHashMap.keySet(value)", filled(new ConcurrentHashMap<>()).keySet("v"), "`ConcurrentHashMap.newKeySet()`"),
        same("concurrentHashMap.keySet(Boolean.TRUE)", new ConcurrentHashMap<Object, Boolean>(Map.of(3, true)).keySet(Boolean.TRUE),
            "as a set of its own: Java does not distinguish it from `newKeySet()`"));
  }

  private static Object restored(Object collection) {
    StateModel model = StateModel.of(State.class, StateRules.DEFAULTS);
    State from = new State();
    from.any = collection;
    State into = new State();
    model.stateOf(into).restoreState(model.stateOf(from).captureState());
    return into.any;
  }

  /** Returns the content in its order, if there is one. */
  private static List<Object> content(Object collection) {
    return collection instanceof Map<?, ?> map ? new ArrayList<>(map.entrySet()) : new ArrayList<>((Collection<?>) collection);
  }

  @ParameterizedTest
  @MethodSource("rows")
  void aRowIsTrue(Row row) {
    if (row.isCaptured()) {
      Object restored = restored(row.made());
      assertEquals(row.restored(), restored.getClass());
      boolean ordered =
          !(row.made() instanceof HashSet || row.made() instanceof HashMap || row.made() instanceof PriorityQueue)
              || row.made() instanceof LinkedHashSet || row.made() instanceof LinkedHashMap;
      List<Object> before = content(row.made());
      assertEquals(ordered ? before : new HashSet<>(before), ordered ? content(restored) : new HashSet<>(content(restored)));
      boolean constant = row.collection().startsWith("Collections.empty");
      if (!constant) {
        assertNotSame(row.made(), restored);
      }
    } else {
      StateException refused = assertThrows(StateException.class, () -> restored(row.made()));
      assertTrue(refused.getMessage().contains("State.any: "), refused.getMessage());
      assertTrue(!refused.getMessage().contains("Name it in"), refused.getMessage());
      assertTrue(!row.note().isEmpty());
    }
  }

  @Test
  void noCollectionThatIsCapturedLacksARow() {
    Set<Class<?>> inTable = new HashSet<>();
    rows().stream().filter(Row::isCaptured).forEach(row -> inTable.add(row.restored()));
    // Further classes of the same rows.
    inTable.addAll(
        List.of(
            List.of(1).getClass(), Set.of(1).getClass(), Map.of(1, 1).getClass(), Collections.emptySet().getClass(),
            Collections.emptyMap().getClass(), Collections.singleton(1).getClass(), Collections.singletonMap(1, 1).getClass(),
            EnumSet.class));
    List<String> missing =
        KnownTypes.ALL.types().stream()
            .filter(type -> Collection.class.isAssignableFrom(type) || Map.class.isAssignableFrom(type))
            .filter(type -> !inTable.contains(type))
            .map(Class::getName)
            .toList();
    assertEquals(List.of(), missing);
  }

  @Test
  void theTableOfTheDocumentHasTheseRows() throws Exception {
    String table =
        rows().stream().map(Row::line).reduce(
                "| collection | state capture | restored as, or use instead |\n|---|---|---|", (all, line) -> all + "\n" + line)
            .replace("  |", " |") + "\n";
    String document = Files.readString(DOCUMENT);
    int begin = document.indexOf(BEGIN) + BEGIN.length();
    int end = document.indexOf(END);
    if (Boolean.getBoolean("understudy.write.docs")) {
      Files.writeString(DOCUMENT, document.substring(0, begin) + table + document.substring(end));
    } else {
      assertEquals(table, document.substring(begin, end));
    }
  }
}
