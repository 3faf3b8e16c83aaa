package org.understudy.state;

import com.esotericsoftware.kryo.kryo5.Kryo;
import com.esotericsoftware.kryo.kryo5.Serializer;
import com.esotericsoftware.kryo.kryo5.io.Input;
import com.esotericsoftware.kryo.kryo5.io.Output;
import java.lang.reflect.Array;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

/** Forms of JDK containers. Sizes are checked against the remaining bytes before memory is allocated. */
final class ContainerForms {
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
      writeElements(kryo, output, collection.toArray());
    }

    @Override
    public Collection<Object> read(Kryo kryo, Input input, Class<? extends Collection<Object>> type) {
      Collection<Object> made = empty.apply(trait == null ? null : trait.read(kryo, input));
      kryo.reference(made);
      for (int left = size(input, 1); left > 0; left--) {
        made.add(kryo.readClassAndObject(input));
      }
      return made;
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

  static void readEntries(Kryo kryo, Input input, Map<Object, Object> map) {
    for (int left = size(input, 2); left > 0; left--) {
      Object key = kryo.readClassAndObject(input);
      map.put(key, kryo.readClassAndObject(input));
    }
  }

  static void writeEntries(Kryo kryo, Output output, Map<?, ?> map) {
    Object[] entries = map.entrySet().toArray();
    output.writeVarInt(entries.length, true);
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
  }

  /** An immutable collection or holder, created from its elements. It cannot be part of a cycle. */
  static final class Immutable<T> extends Serializer<T> {
    private final Function<T, Object[]> elements;
    private final Function<Object[], T> constructor;

    Immutable(Function<T, Object[]> elements, Function<Object[], T> constructor) {
      this.elements = elements;
      this.constructor = constructor;
    }

    @Override
    public void write(Kryo kryo, Output output, T object) {
      Graph.References references = Graph.references(kryo);
      references.beginImmutable(object);
      writeElements(kryo, output, elements.apply(object));
      references.endImmutable();
    }

    @Override
    public T read(Kryo kryo, Input input, Class<? extends T> type) {
      Object[] read = new Object[size(input, 1)];
      for (int i = 0; i < read.length; i++) {
        read[i] = kryo.readClassAndObject(input);
      }
      return constructor.apply(read);
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
      for (int i = 0; i < made.length; i++) {
        Object element = kryo.readClassAndObject(input);
        if (element != null && !component.isInstance(element)) {
          throw new StateException(
              "the captured array of " + component.getName() + " has an element of " + element.getClass().getName() + ".");
        }
        made[i] = element;
      }
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
      made.set(kryo.readClassAndObject(input));
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
