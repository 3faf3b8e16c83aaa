package org.understudy.state;

import com.esotericsoftware.kryo.kryo5.Kryo;
import com.esotericsoftware.kryo.kryo5.Registration;
import com.esotericsoftware.kryo.kryo5.Serializer;
import com.esotericsoftware.kryo.kryo5.io.Input;
import com.esotericsoftware.kryo.kryo5.io.Output;
import com.esotericsoftware.kryo.kryo5.util.DefaultClassResolver;
import java.util.List;

/**
 * Writes and reads one state at a time with its own instance of the library. Not thread-safe. After an exception it must not
 * be used again.
 */
final class Graph {
  /** The maximum depth of nested objects, because each level uses frames of the stack. */
  static final int MAX_DEPTH = 400;

  private static final int FIRST_BYTES = 512;
  private static final int MAX_KEPT_BYTES = 1 << 16;

  private final Class<?> type;
  private final List<CapturedField> fields;
  /** Null when the state cannot contain another object of the class. */
  private final ObjectForm others;
  private final Kryo kryo;
  private final Root root = new Root();
  private final BoundedInput input = new BoundedInput();
  private final Output output;
  private Object target;
  private Object[] values;

  Graph(Shape shape, int maxBytes) {
    type = shape.type();
    fields = shape.fields();
    others = shape.others();
    output = new Output(FIRST_BYTES, Math.max(FIRST_BYTES, maxBytes));
    kryo = new RegisteredOnly(type);
    kryo.setRegistrationRequired(true);
    kryo.setOptimizedGenerics(false);
    kryo.setMaxDepth(MAX_DEPTH);
    KnownTypes.ALL.register(kryo);
    shape.register(kryo);
    kryo.register(type, root);
  }

  static References references(Kryo kryo) {
    return (References) kryo.getReferenceResolver();
  }

  /** Returns whether its buffers are small enough to be kept for the next state. */
  boolean isSmall() {
    return output.getBuffer().length <= MAX_KEPT_BYTES;
  }

  /** Returns the header, followed by the fields of the target. */
  byte[] write(byte[] header, Object owner) {
    target = owner;
    output.reset();
    output.writeBytes(header);
    references(kryo).root(owner);
    kryo.writeObject(output, owner, root);
    target = null;
    return output.toBytes();
  }

  /** Returns the values of the fields of the target, which is not changed yet. */
  Object[] read(byte[] bytes, int offset, Object owner) {
    target = owner;
    values = null;
    input.begin(bytes, offset, bytes.length - offset);
    kryo.readObject(input, type, root);
    List<Runnable> refills = references(kryo).takeRefills();
    Object[] read = values;
    if (read == null || input.position() != bytes.length) {
      throw new StateException("the captured state is damaged: it does not end with its last field.");
    }
    refills.forEach(Runnable::run);
    target = null;
    values = null;
    input.begin(new byte[0], 0, 0);
    return read;
  }

  /** The form of the object whose state it is, the first in the bytes. Reading does not create it: references to it refer to the target. */
  private final class Root extends Serializer<Object> {
    @Override
    public void write(Kryo kryo, Output output, Object object) {
      if (object != target && others == null) {
        throw new StateException("the state contains a second " + type.getName() + ", which no declared type permits.");
      }
      if (object != target) {
        others.write(kryo, output, object);
        return;
      }
      for (CapturedField field : fields) {
        field.write(kryo, output, object);
      }
    }

    @Override
    public Object read(Kryo kryo, Input input, Class<? extends Object> type) {
      if (values != null) {
        return other(kryo, input);
      }
      values = new Object[fields.size()];
      kryo.reference(target);
      for (int i = 0; i < values.length; i++) {
        values[i] = fields.get(i).read(kryo, input);
      }
      return target;
    }

    /** Reads another object of the same class, if a declared type permits one. */
    private Object other(Kryo kryo, Input input) {
      if (others == null) {
        throw new StateException("the captured state is damaged: it holds its owner twice.");
      }
      return others.read(kryo, input, type);
    }
  }

  /** Accepts only classes that were registered at deployment. */
  private static final class RegisteredOnly extends Kryo {
    RegisteredOnly(Class<?> root) {
      super(new Numbered(root), new References());
    }

    @Override
    @SuppressWarnings("rawtypes") // As the library declares it.
    protected String unregisteredClassMessage(Class type) {
      return Unregistered.reason(type);
    }
  }

  /** Writes and accepts numbers of classes only, never names. */
  private static final class Numbered extends DefaultClassResolver {
    private final Class<?> root;

    Numbered(Class<?> root) {
      this.root = root;
    }

    @Override
    @SuppressWarnings("rawtypes") // As the library declares it.
    public Registration getRegistration(Class type) {
      Registration known = super.getRegistration(type);
      // The object may be of a subclass that a container has generated.
      return known == null && Targets.isGenerated(type) && type.getSuperclass() == root ? super.getRegistration(root) : known;
    }

    @Override
    protected Registration readName(Input input) {
      throw new StateException("the captured state is damaged: it names a class.");
    }
  }
}
