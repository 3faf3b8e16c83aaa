package org.understudy.state;

import com.esotericsoftware.kryo.kryo5.io.KryoBufferOverflowException;
import com.esotericsoftware.kryo.kryo5.objenesis.strategy.StdInstantiatorStrategy;
import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;

/**
 * Captures and restores the state of objects of one class. Created at deployment from the declared types, which determine what a
 * captured state can contain. Thread-safe, but only one thread at a time may capture or restore one object.
 */
public final class StateModel {
  /** The maximum number of pooled instances of the library. */
  private static final int MAX_IDLE = 16;

  private final Shape shape;
  private final StateRules rules;
  /** What it captures, as the subject of a sentence. */
  private final String subject;
  private final byte[] header;
  private final ConcurrentLinkedQueue<Graph> idle = new ConcurrentLinkedQueue<>();

  private StateModel(Shape shape, StateRules rules, String subject, byte[] header) {
    this.shape = shape;
    this.rules = rules;
    this.subject = subject;
    this.header = header;
    // Finds at deployment what the library itself rejects.
    release(new Graph(shape, rules.bytes()));
  }

  /**
   * Examines a class that is marked with {@link org.understudy.replication.api.ReplicatedState}, and all types that its state
   * can contain.
   *
   * @throws StateException when a type cannot be captured, with the path to it
   */
  public static StateModel of(Class<?> type, StateRules rules) {
    return of(type, TypeWalk.shape(type, rules.serializable()), rules);
  }

  /**
   * Examines a class that no annotation need mark. In a class without {@link org.understudy.replication.api.ReplicatedState}, all fields
   * are state, also inherited ones, that are neither static nor transient nor injected.
   *
   * @throws StateException when a type cannot be captured, with the path to it, or the class has no such field
   */
  public static StateModel ofPlain(Class<?> type, StateRules rules) {
    if (StateFields.isMarked(type)) {
      return of(type, rules);
    }
    List<Field> fields = StateFields.candidates(type);
    if (fields.isEmpty()) {
      throw new StateException(type.getName() + " has no field that could be state.");
    }
    return of(type, TypeWalk.shape(type, fields, List.of(), rules.serializable()), rules);
  }

  private static StateModel of(Class<?> type, Shape shape, StateRules rules) {
    return new StateModel(shape, rules, "The state of " + type.getName(), shape.fingerprint());
  }

  /** Returns a model that writes no header. */
  static StateModel withoutHeader(Shape shape, StateRules rules, String subject) {
    return new StateModel(shape, rules, subject, new byte[0]);
  }

  /** Returns the state of an object of the class. */
  public ObjectState stateOf(Object target) {
    if (!shape.type().isInstance(target)) {
      throw new IllegalArgumentException(
          "A " + target.getClass().getName() + " is not a " + shape.type().getName() + ", whose state is replicated.");
    }
    return new ObjectState(this, target);
  }

  /** Returns the fingerprint of the classes, fields and types of the state. Replicas with equal ones can read each other's states. */
  public String fingerprint() {
    return HexFormat.of().formatHex(header.length == 0 ? shape.fingerprint() : header);
  }

  /** Whether a captured state has this shape. Then it can be restored unless its bytes are damaged. */
  public boolean hasShape(byte[] state) {
    return state.length >= header.length && Arrays.equals(state, 0, header.length, header, 0, header.length);
  }

  /** Returns the fingerprint in the header of a captured state. */
  public static String shapeOf(byte[] state) {
    return HexFormat.of().formatHex(state, 0, Math.min(state.length, Shape.FINGERPRINT_BYTES));
  }

  /** Returns the text that the fingerprint covers: one line for each class of the state. */
  public String description() {
    return shape.description();
  }

  /**
   * Returns the fields or constants of each class of the state, by the name of the class: what {@link #description} covers, in parts
   * that a message can name.
   */
  public SortedMap<String, List<String>> classes() {
    TreeMap<String, List<String>> classes = new TreeMap<>();
    add(classes, shape.root());
    shape.parts().forEach(part -> add(classes, part.description()));
    return classes;
  }

  /** Adds a description: name, kind, and the members, which are lines in a schema. A comma in a generic type is followed by a space. */
  private static void add(SortedMap<String, List<String>> classes, String description) {
    String[] words = description.split(" ", 3);
    String members = words[words.length - 1];
    classes.merge(words[0], List.of(members.split("\\s*\n\\s*|,(?! )")), StateModel::joined);
  }

  private static List<String> joined(List<String> one, List<String> other) {
    return Stream.concat(one.stream(), other.stream()).toList();
  }

  /** Returns the names of the captured fields of the object itself, each with its class. */
  public List<String> fields() {
    return shape.fields().stream().map(CapturedField::step).toList();
  }

  boolean captures(Field field) {
    return shape.fields().stream().anyMatch(captured -> captured.isOf(field));
  }

  Object blank() {
    return new StdInstantiatorStrategy().newInstantiatorOf(shape.type()).newInstance();
  }

  byte[] write(Object target) {
    Graph graph = acquire();
    try {
      byte[] written = graph.write(header, target);
      release(graph);
      return written;
    } catch (KryoBufferOverflowException e) {
      throw tooLarge(e);
    } catch (StateException e) {
      throw e.getCause() instanceof KryoBufferOverflowException ? tooLarge(e) : failed("captured", e);
    } catch (RuntimeException e) {
      throw failed("captured", e);
    } catch (StackOverflowError e) {
      throw failed("captured", endless());
    }
  }

  /** A hash code, a comparison or another method of the application runs into itself. */
  private static StateException endless() {
    return new StateException(
        "The stack overflows. Check whether an element of a set, or a key of a map, contains itself, and whether a method of the state's "
            + "classes calls itself without end.");
  }

  private StateException tooLarge(RuntimeException e) {
    StateException thrown = new StateException(
        subject + " is larger than " + rules.bytes() + " bytes, the limit of one resource.");
    thrown.addSuppressed(e);
    return thrown;
  }

  /** Replaces the values of all captured fields. Changes none when the bytes are not a state of this shape. */
  void restore(Object target, byte[] state) {
    if (!hasShape(state)) {
      throw new StateException(
          "The state of " + shape.type().getName() + " was captured with other fields or types: its shape is "
              + shapeOf(state) + ", the deployed one "
              + fingerprint() + ". Nothing was restored. Deploy the same version of the service on all replicas.");
    }
    Graph graph = acquire();
    Object[] values;
    try {
      values = graph.read(state, header.length, target);
      release(graph);
    } catch (RuntimeException e) {
      throw failed("restored", e);
    } catch (StackOverflowError e) {
      throw failed("restored", endless());
    }
    for (int i = 0; i < values.length; i++) {
      shape.fields().get(i).set(target, values[i]);
    }
  }

  private StateException failed(String what, RuntimeException e) {
    String message = e instanceof StateException ? e.getMessage() : StateException.through(shape.type().getSimpleName(), e).getMessage();
    StateException thrown = new StateException(subject + " cannot be " + what + ". " + message);
    thrown.initCause(e);
    return thrown;
  }

  private Graph acquire() {
    Graph graph = idle.poll();
    return graph == null ? new Graph(shape, rules.bytes()) : graph;
  }

  private void release(Graph graph) {
    if (graph.isSmall() && idle.size() < MAX_IDLE) {
      idle.add(graph);
    }
  }
}
