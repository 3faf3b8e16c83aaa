package org.understudy.state;

import com.esotericsoftware.kryo.kryo5.Kryo;
import com.esotericsoftware.kryo.kryo5.Serializer;
import com.esotericsoftware.kryo.kryo5.io.Input;
import com.esotericsoftware.kryo.kryo5.io.Output;
import java.lang.reflect.Array;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

/**
 * Forms of JDK containers. Sizes are checked against the remaining bytes before memory is allocated.
 *
 * <p>A set or map places an element by its hash code or its order. While an element is read that refers back to an object that is
 * being read, these may still change. Such a set or map is filled again when the whole graph has been read.
 */
final class ContainerForms {
  /** Whether equal objects of the class are one and the same, so that their fields do not matter to a hash table. */
  private static final ClassValue<Boolean> BY_IDENTITY =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
          try {
            return type.getMethod("hashCode").getDeclaringClass() == Object.class;
          } catch (NoSuchMethodException e) {
            throw new IllegalStateException("Every class has a hash code.", e);
          }
        }
      };

  private ContainerForms() {}

  private static void writeElements(Kryo kryo, Output output, Object[] elements) {
    output.writeVarInt(elements.length, true);
    int index = 0;
    try {
      for (Object element : elements) {
        kryo.writeClassAndObject(output, element);
        index++;
      }
    } catch (RuntimeException e) {
      throw StateException.through("[" + index + "]", e);
    }
  }

  private static Object[] readElements(Kryo kryo, Input input, int size) {
    Object[] read = new Object[size];
    for (int i = 0; i < size; i++) {
      read[i] = kryo.readClassAndObject(input);
    }
    return read;
  }

  private static int size(Input input, int parts) {
    int size = input.readVarInt(true);
    if (size < 0 || size > Integer.MAX_VALUE / parts) {
      throw new StateException("the captured state names a negative number of elements.");
    }
    ((BoundedInput) input).claim(size * parts);
    return size;
  }

  /**
   * A collection that is filled after its creation.
   *
   * @param <P> what it is made with, for example its comparator or its capacity
   */
  static final class OfCollection<P> extends Serializer<Collection<Object>> {
    private final Trait<Collection<Object>, P> trait;
    private final Function<P, Collection<Object>> empty;

    /** @param trait null when the collection has none */
    OfCollection(Trait<Collection<Object>, P> trait, Function<P, Collection<Object>> empty) {
      this.trait = trait;
      this.empty = empty;
    }

    @Override
    public void write(Kryo kryo, Output output, Collection<Object> collection) {
      if (trait != null) {
        trait.write(kryo, output, collection);
      }
      References references = Graph.references(kryo);
      references.open(collection);
      writeElements(kryo, output, collection.toArray());
      references.close();
    }

    @Override
    public Collection<Object> read(Kryo kryo, Input input, Class<? extends Collection<Object>> type) {
      Collection<Object> made = empty.apply(trait == null ? null : trait.read(kryo, input));
      kryo.reference(made);
      References references = Graph.references(kryo);
      int before = references.toOpen();
      references.open(made);
      if (made instanceof Set || made instanceof PriorityQueue) {
        Object[] elements = readElements(kryo, input, size(input, 1));
        place(references, references.toOpen() > before, () -> fill(made, elements));
      } else {
        for (int left = size(input, 1); left > 0; left--) {
          made.add(kryo.readClassAndObject(input));
        }
      }
      references.close();
      references.read(made, before);
      return made;
    }

    private static void fill(Collection<Object> made, Object[] elements) {
      made.clear();
      Collections.addAll(made, elements);
    }
  }

  /**
   * A map that is filled after its creation.
   *
   * @param <P> what it is made with, for example its comparator
   */
  static final class OfMap<P> extends Serializer<Map<Object, Object>> {
    private final Trait<Map<Object, Object>, P> trait;
    private final Function<P, Map<Object, Object>> empty;

    /** @param trait null when the map has none */
    OfMap(Trait<Map<Object, Object>, P> trait, Function<P, Map<Object, Object>> empty) {
      this.trait = trait;
      this.empty = empty;
    }

    @Override
    public void write(Kryo kryo, Output output, Map<Object, Object> map) {
      if (trait != null) {
        trait.write(kryo, output, map);
      }
      writeEntries(kryo, output, map);
    }

    @Override
    public Map<Object, Object> read(Kryo kryo, Input input, Class<? extends Map<Object, Object>> type) {
      Map<Object, Object> made = empty.apply(trait == null ? null : trait.read(kryo, input));
      kryo.reference(made);
      readEntries(kryo, input, made);
      return made;
    }
  }

  /**
   * Fills a set or map, and again at the end of the graph if one of its keys has referred to an open object.
   *
   * @param cyclic whether a key has
   */
  private static void place(References references, boolean cyclic, Runnable fill) {
    if (!cyclic) {
      fill.run();
      return;
    }
    try {
      // The constructor of a record may read it.
      fill.run();
    } catch (RuntimeException e) {
      // A hash code or comparison needs fields that are still unset. At the end, it gets them or fails the restore.
    }
    references.refillLater(fill);
  }

  static void readEntries(Kryo kryo, Input input, Map<Object, Object> map) {
    References references = Graph.references(kryo);
    boolean cyclic = false;
    int beforeAll = references.toOpen();
    references.open(map);
    Object[] keys = new Object[size(input, 2)];
    Object[] values = new Object[keys.length];
    for (int i = 0; i < keys.length; i++) {
      int before = references.toOpen();
      keys[i] = kryo.readClassAndObject(input);
      cyclic |= references.toOpen() > before;
      values[i] = kryo.readClassAndObject(input);
    }
    references.close();
    references.read(map, beforeAll);
    place(references, cyclic, () -> {
      map.clear();
      for (int i = 0; i < keys.length; i++) {
        map.put(keys[i], values[i]);
      }
    });
  }

  static void writeEntries(Kryo kryo, Output output, Map<?, ?> map) {
    Object[] entries = map.entrySet().toArray();
    output.writeVarInt(entries.length, true);
    References references = Graph.references(kryo);
    references.open(map);
    for (Object one : entries) {
      Map.Entry<?, ?> entry = (Map.Entry<?, ?>) one;
      String step = "Map key";
      try {
        kryo.writeClassAndObject(output, entry.getKey());
        step = "Map value";
        kryo.writeClassAndObject(output, entry.getValue());
      } catch (RuntimeException e) {
        throw StateException.through(step, e);
      }
    }
    references.close();
  }

  /** An immutable collection or holder, created from its elements. It cannot be part of a cycle. */
  static final class Immutable<T> extends Serializer<T> {
    private final Function<T, Object[]> elements;
    private final Function<Object[], T> constructor;
    /** Every element, or every second one, is placed by its hash code; 0: none is. */
    private final int hashed;

    Immutable(Function<T, Object[]> elements, Function<Object[], T> constructor) {
      this(elements, constructor, 0);
    }

    Immutable(Function<T, Object[]> elements, Function<Object[], T> constructor, int hashed) {
      this.elements = elements;
      this.constructor = constructor;
      this.hashed = hashed;
    }

    @Override
    public void write(Kryo kryo, Output output, T object) {
      References references = Graph.references(kryo);
      references.beginImmutable(object);
      int before = references.toOpen();
      Object[] all = elements.apply(object);
      writeElements(kryo, output, all);
      if (hashed > 0 && references.toOpen() > before) {
        requireIdentities(object, all);
      }
      references.endImmutable();
    }

    /** It cannot be filled again when the objects to which its elements refer have been restored. */
    private void requireIdentities(T object, Object[] all) {
      for (int i = 0; i < all.length; i += hashed) {
        if (!BY_IDENTITY.get(all[i].getClass())) {
          throw new StateException(
              "an immutable " + object.getClass().getTypeName() + " holds objects that refer back to what contains it, so their "
                  + "hash codes are unknown when it is restored. Use a HashSet or a HashMap.");
        }
      }
    }

    @Override
    public T read(Kryo kryo, Input input, Class<? extends T> type) {
      References references = Graph.references(kryo);
      int before = references.toOpen();
      T made = constructor.apply(readElements(kryo, input, size(input, 1)));
      references.read(made, before);
      return made;
    }
  }

  /** An array of objects. */
  static final class OfArray extends Serializer<Object[]> {
    private final Class<?> component;

    OfArray(Class<?> component) {
      this.component = component;
    }

    @Override
    public void write(Kryo kryo, Output output, Object[] array) {
      writeElements(kryo, output, array);
    }

    @Override
    public Object[] read(Kryo kryo, Input input, Class<? extends Object[]> type) {
      Object[] made = (Object[]) Array.newInstance(component, size(input, 1));
      kryo.reference(made);
      References references = Graph.references(kryo);
      int before = references.toOpen();
      for (int i = 0; i < made.length; i++) {
        Object element = kryo.readClassAndObject(input);
        if (element != null && !component.isInstance(element)) {
          throw new StateException(
              "the captured array of " + component.getName() + " has an element of " + element.getClass().getName() + ".");
        }
        made[i] = element;
      }
      references.read(made, before);
      return made;
    }
  }

  /** An atomic reference. */
  static final class OfReference extends Serializer<AtomicReference<Object>> {
    @Override
    public void write(Kryo kryo, Output output, AtomicReference<Object> reference) {
      kryo.writeClassAndObject(output, reference.get());
    }

    @Override
    public AtomicReference<Object> read(Kryo kryo, Input input, Class<? extends AtomicReference<Object>> type) {
      AtomicReference<Object> made = new AtomicReference<>();
      kryo.reference(made);
      References references = Graph.references(kryo);
      int before = references.toOpen();
      made.set(kryo.readClassAndObject(input));
      references.read(made, before);
      return made;
    }
  }

  /** The single instance of a class. */
  static final class Constant extends Serializer<Object> {
    private final Object constant;

    Constant(Object constant) {
      this.constant = constant;
    }

    @Override
    public void write(Kryo kryo, Output output, Object object) {}

    @Override
    public Object read(Kryo kryo, Input input, Class<? extends Object> type) {
      return constant;
    }
  }

  /** A value with a text form. */
  static final class Text<T> extends Serializer<T> {
    private final Function<T, String> print;
    private final Function<String, T> parse;

    Text(Function<T, String> print, Function<String, T> parse) {
      this.print = print;
      this.parse = parse;
    }

    @Override
    public void write(Kryo kryo, Output output, T value) {
      output.writeString(print.apply(value));
    }

    @Override
    public T read(Kryo kryo, Input input, Class<? extends T> type) {
      return parse.apply(input.readString());
    }
  }
}
