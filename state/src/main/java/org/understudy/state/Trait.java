package org.understudy.state;

import com.esotericsoftware.kryo.kryo5.Kryo;
import com.esotericsoftware.kryo.kryo5.io.Input;
import com.esotericsoftware.kryo.kryo5.io.Output;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.Spliterator;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * What a collection or map of the JDK is made with, beside its class and elements. It stands before the elements.
 *
 * @param <C> the collection or map
 * @param <P> the trait; null is the default of the class
 */
final class Trait<C, P> {
  private final Class<?> type;
  private final Function<C, P> of;

  private Trait(Class<?> type, Function<C, P> of) {
    this.type = type;
    this.of = of;
  }

  void write(Kryo kryo, Output output, C container) {
    kryo.writeClassAndObject(output, of.apply(container));
  }

  @SuppressWarnings("unchecked") // The class was checked; a comparator compares what the collection held when it was captured.
  P read(Kryo kryo, Input input) {
    Object read = kryo.readClassAndObject(input);
    if (read == null || type.isInstance(read)) {
      return (P) read;
    }
    throw new StateException(
        "the captured state has a " + read.getClass().getName() + " where a collection needs a " + type.getName() + ".");
  }

  @SuppressWarnings("unchecked") // It compares what the collection holds.
  private static <C> Trait<C, Comparator<Object>> order(Function<C, Comparator<?>> of) {
    return new Trait<>(Comparator.class, container -> (Comparator<Object>) of.apply(container));
  }

  static Trait<Collection<Object>, Comparator<Object>> orderOfSet() {
    return order(set -> ((SortedSet<Object>) set).comparator());
  }

  static Trait<Collection<Object>, Comparator<Object>> orderOfQueue() {
    return order(queue -> ((PriorityQueue<Object>) queue).comparator());
  }

  static Trait<Map<Object, Object>, Comparator<Object>> orderOfMap() {
    return order(map -> ((SortedMap<Object, Object>) map).comparator());
  }

  /** The order of the set within a synchronized one, which its spliterator shows; null when that is not sorted. */
  static Trait<Collection<Object>, Comparator<Object>> orderOfSynchronizedSet() {
    return order(set -> sorting(set.spliterator()));
  }

  /** The order of the map within a synchronized one; null when that is not sorted. */
  static Trait<Map<Object, Object>, Comparator<Object>> orderOfSynchronizedMap() {
    return order(map -> sorting(map.keySet().spliterator()));
  }

  private static Comparator<?> sorting(Spliterator<Object> elements) {
    if (!elements.hasCharacteristics(Spliterator.SORTED)) {
      return null;
    }
    Comparator<?> comparator = elements.getComparator();
    return comparator == null ? Comparator.naturalOrder() : comparator;
  }

  /** The capacity of a queue; null when it has no limit. */
  static Trait<Collection<Object>, Integer> capacity() {
    return new Trait<>(Integer.class, queue -> {
      long capacity = (long) queue.size() + ((BlockingQueue<Object>) queue).remainingCapacity();
      return capacity >= Integer.MAX_VALUE ? null : (Integer) (int) capacity;
    });
  }

  /** True for a map in the order of access, null for one in the order of insertion. */
  static Trait<Map<Object, Object>, Boolean> accessOrder() {
    return new Trait<>(Boolean.class, map -> isInAccessOrder(map) ? Boolean.TRUE : null);
  }

  /** The map has no method for it. Only a copy may be accessed: the map itself would change its order. */
  @SuppressWarnings("unchecked") // A clone, to which any keys may be added.
  private static boolean isInAccessOrder(Map<Object, Object> map) {
    LinkedHashMap<Object, Object> copy = (LinkedHashMap<Object, Object>) ((LinkedHashMap<Object, Object>) map).clone();
    copy.clear();
    copy.put(1, 1);
    copy.put(2, 2);
    return copy.get(1) != null && !copy.keySet().iterator().next().equals(1);
  }

  /** Refuses the keys of a map, which have the class of a set. */
  static Trait<Collection<Object>, Void> noView() {
    return new Trait<>(Void.class, set -> {
      if (!Boolean.TRUE.equals(((ConcurrentHashMap.KeySetView<?, ?>) (Collection<?>) set).getMappedValue())) {
        throw new StateException(
            "a " + set.getClass().getName() + " is a view of another collection. Keep a copy, for example by Set.copyOf.");
      }
      return null;
    });
  }

  /** Refuses a synchronized collection that would come back without the rules of a set. */
  static Trait<Collection<Object>, Void> noSet() {
    return new Trait<>(Void.class, collection -> {
      Spliterator<Object> elements = collection.spliterator();
      if (elements.hasCharacteristics(Spliterator.DISTINCT) || elements.hasCharacteristics(Spliterator.SORTED)) {
        throw new StateException("a synchronized collection contains a set. Use Collections.synchronizedSet.");
      }
      return null;
    });
  }
}
