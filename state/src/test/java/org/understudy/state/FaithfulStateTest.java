package org.understudy.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.xml.bind.annotation.XmlElement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.ReplicatedState;
import org.understudy.state.letter.Letter;
import org.understudy.state.letter.ObjectFactory;

/** What is captured is restored as it was; what cannot be is refused when it is captured. */
class FaithfulStateTest {
  private static String notCaptured(Object state) {
    ObjectState captured = StateModel.of(state.getClass(), StateRules.DEFAULTS).stateOf(state);
    return assertThrows(StateException.class, captured::captureState).getMessage();
  }

  private static <T> T restored(T from, T into) {
    StateModel model = StateModel.of(from.getClass(), StateRules.DEFAULTS);
    model.stateOf(into).restoreState(model.stateOf(from).captureState());
    return into;
  }

  /** What {@code task} returns on a stack of 64 MiB: how deep JAXB gets on the default one depends on the machine. */
  private static String withDeepStack(Callable<String> task) throws Exception {
    FutureTask<String> result = new FutureTask<>(task);
    new Thread(null, result, "deep stack", 64L << 20).start();
    return result.get(1, TimeUnit.MINUTES);
  }

  /** An element that contains elements of its own type. */
  public static class Nest {
    @XmlElement public Nest inner;
  }

  static class XmlState {
    @ReplicatedState(xml = Letter.class) Letter letter = new Letter();
    @ReplicatedState(xml = Nest.class) Nest nest = new Nest();
  }

  @Test
  void xmlThatNoReplicaCouldReadIsNotCaptured() {
    for (String text : List.of("\u0001", "a\u000bb", "\ufffe")) {
      XmlState state = new XmlState();
      state.letter.content = new ObjectFactory().createText(text);
      String message = notCaptured(state);
      assertTrue(message.contains("XmlState.letter: ") && message.contains("no replica could read it"), message);
    }
  }

  @Test
  void xmlDeeperThanTheLimitsOfReadingIsNotCaptured() throws Exception {
    XmlState state = new XmlState();
    state.nest.inner = new Nest();
    assertNotNull(restored(state, new XmlState()).nest.inner);
    for (int depth = 0; depth < 1_100; depth++) {
      Nest around = new Nest();
      around.inner = state.nest;
      state.nest = around;
    }
    String message = withDeepStack(() -> notCaptured(state));
    assertTrue(message.contains("no replica could read it") && message.contains("epth"), message);
  }

  static class Containers {
    @ReplicatedState List<Collection<Object>> collections = new ArrayList<>();
    @ReplicatedState List<Map<Object, Object>> maps = new ArrayList<>();
    @ReplicatedState(types = {String.class, Integer.class}) Object any;
  }

  @SuppressWarnings("unchecked") // The class is that of the collection.
  private static <C extends Collection<Object>> C back(C collection) {
    Containers state = new Containers();
    state.collections.add(collection);
    return (C) restored(state, new Containers()).collections.get(0);
  }

  private static Map<Object, Object> back(Map<Object, Object> map) {
    Containers state = new Containers();
    state.maps.add(map);
    return restored(state, new Containers()).maps.get(0);
  }

  private static String notCaptured(Collection<Object> collection) {
    Containers state = new Containers();
    state.collections.add(collection);
    return notCaptured((Object) state);
  }

  @Test
  void queuesKeepTheirCapacity() {
    LinkedBlockingQueue<Object> queue = back(new LinkedBlockingQueue<>(3));
    assertTrue(queue.isEmpty());
    assertEquals(3, queue.remainingCapacity());
    LinkedBlockingDeque<Object> full = new LinkedBlockingDeque<>(2);
    full.addAll(List.of("a", "b"));
    LinkedBlockingDeque<Object> deque = back(full);
    assertEquals(List.of("a", "b"), new ArrayList<>(deque));
    assertFalse(deque.offer("c"));
    assertEquals(Integer.MAX_VALUE, back(new LinkedBlockingQueue<>()).remainingCapacity());
    LinkedBlockingDeque<Object> unbounded = new LinkedBlockingDeque<>(List.of("a"));
    assertEquals(Integer.MAX_VALUE - 1, back(unbounded).remainingCapacity());
  }

  @Test
  void linkedMapsKeepTheirKindOfOrder() {
    for (int size = 0; size < 3; size++) {
      for (boolean byAccess : List.of(false, true)) {
        Map<Object, Object> map = new LinkedHashMap<>(16, 0.75f, byAccess);
        for (int key = 0; key < size; key++) {
          map.put(key, "v");
        }
        Map<Object, Object> into = back(map);
        List<Object> before = new ArrayList<>(map.keySet());
        assertEquals(before, new ArrayList<>(into.keySet()));
        into.put("x", 1);
        into.put("y", 2);
        assertEquals(1, into.get("x"));
        Object last = new ArrayList<>(into.keySet()).get(size + 1);
        assertEquals(byAccess ? "x" : "y", last);
        // Capturing is no access.
        assertEquals(before, new ArrayList<>(map.keySet()));
      }
    }
  }

  @Test
  void synchronizedMapsAndSetsStaySorted() {
    Map<Object, Object> map = back(Collections.synchronizedMap(new TreeMap<>(Map.of("b", 1))));
    map.put("a", 2);
    assertEquals("{a=2, b=1}", map.toString());
    Map<Object, Object> reverse = back(Collections.synchronizedMap(new TreeMap<>(Collections.reverseOrder())));
    reverse.putAll(Map.of("a", 1, "b", 2));
    assertEquals("{b=2, a=1}", reverse.toString());
    Set<Object> set = back(Collections.synchronizedSet(new TreeSet<>(Set.of(3, 2))));
    set.add(1);
    assertEquals("[1, 2, 3]", set.toString());
    Map<Object, Object> linked = new LinkedHashMap<>();
    linked.put("b", 1);
    Map<Object, Object> unsorted = back(Collections.synchronizedMap(linked));
    unsorted.put("a", 2);
    assertEquals("{b=1, a=2}", unsorted.toString());
  }

  @Test
  void aSynchronizedCollectionOfASetIsNotCaptured() {
    assertTrue(notCaptured(Collections.synchronizedCollection(new TreeSet<>())).contains("Collections.synchronizedSet"));
    assertTrue(notCaptured(Collections.synchronizedCollection(new HashSet<>())).contains("Collections.synchronizedSet"));
    assertEquals("[b, a, b]", back(Collections.synchronizedCollection(new ArrayList<>(List.of("b", "a", "b")))).toString());
  }

  @Test
  @SuppressWarnings("UnnecessaryAsync") // Its class is what is tested.
  void theKeysOfAConcurrentMapAreAView() {
    ConcurrentHashMap<Object, Object> map = new ConcurrentHashMap<>(Map.of("a", 1));
    assertTrue(notCaptured(map.keySet()).contains("is a view of another collection"));
    assertTrue(notCaptured(map.keySet("value")).contains("is a view of another collection"));
    Set<Object> set = ConcurrentHashMap.newKeySet();
    set.add("a");
    Set<Object> into = back(set);
    into.add("b");
    assertEquals(Set.of("a", "b"), into);
  }
}
