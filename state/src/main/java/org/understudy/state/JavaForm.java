package org.understudy.state;

import com.esotericsoftware.kryo.kryo5.Kryo;
import com.esotericsoftware.kryo.kryo5.Serializer;
import com.esotericsoftware.kryo.kryo5.io.Input;
import com.esotericsoftware.kryo.kryo5.io.Output;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;

/** The form of an object of a configured class: Java serialization. References to objects outside of its graph are not preserved. */
final class JavaForm extends Serializer<Object> {
  private static final int MAX_DEPTH = 100;

  private final Set<String> classes;
  private final ClassLoader loader;

  /** @param classes names of all classes that may be read, exactly */
  JavaForm(Set<String> classes, ClassLoader loader) {
    this.classes = classes;
    this.loader = loader;
  }

  /** Returns the version and the fields of each class. Another version would be read with defaults for the fields that it lacks. */
  static String describe(Set<String> classes, ClassLoader loader) {
    StringBuilder described = new StringBuilder("serialized");
    for (String name : new TreeSet<>(classes)) {
      try {
        ObjectStreamClass form = ObjectStreamClass.lookup(Class.forName(name, false, loader));
        if (form != null) {
          described.append(' ').append(name).append(' ').append(form.getSerialVersionUID());
          Arrays.stream(form.getFields()).forEach(field -> described.append(',').append(field));
        }
      } catch (ClassNotFoundException | LinkageError e) {
        // Then no object of it is read either.
        described.append(' ').append(name).append(" missing");
      }
    }
    return described.toString();
  }

  @Override
  public void write(Kryo kryo, Output output, Object object) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream stream = new ObjectOutputStream(bytes)) {
      stream.writeObject(object);
    } catch (IOException e) {
      throw new StateException("Java serialization of " + object.getClass().getName() + " fails: " + e + ".");
    }
    // Rejects at capture what no replica could read.
    read(bytes.toByteArray());
    output.writeVarInt(bytes.size(), true);
    output.writeBytes(bytes.toByteArray());
  }

  @Override
  public Object read(Kryo kryo, Input input, Class<? extends Object> type) {
    Object read = read(input.readBytes(input.readVarInt(true)));
    if (!type.isInstance(read)) {
      throw new StateException("the serialized object is not of " + type.getName() + ".");
    }
    return read;
  }

  private Object read(byte[] bytes) {
    try (ObjectInputStream stream = new Filtered(new ByteArrayInputStream(bytes), bytes.length)) {
      return stream.readObject();
    } catch (IOException | ClassNotFoundException e) {
      throw new StateException(
          "a serialized object cannot be read: " + e.getMessage()
              + ". Each of its classes must be listed in understudy.state.serializable.");
    }
  }

  /** Loads only listed classes. */
  private final class Filtered extends ObjectInputStream {
    Filtered(InputStream bytes, int length) throws IOException {
      super(bytes);
      setObjectInputFilter(new Listed(length));
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass described) throws IOException, ClassNotFoundException {
      if (!isListed(described.getName())) {
        throw new ClassNotFoundException(described.getName() + " is not listed");
      }
      return Class.forName(described.getName(), false, loader);
    }

    @Override
    protected Class<?> resolveProxyClass(String[] interfaces) throws ClassNotFoundException {
      throw new ClassNotFoundException("a proxy is never read");
    }
  }

  private boolean isListed(String name) {
    return classes.contains(name) || name.matches("\\[+[ZBCSIJFD]") || (name.startsWith("[") && isListed(component(name)));
  }

  private static String component(String array) {
    String component = array.substring(1);
    return component.startsWith("L") ? component.substring(1, component.length() - 1) : component;
  }

  /** Permits listed classes, and arrays that together have at most as many elements as the stream has bytes. */
  private final class Listed implements ObjectInputFilter {
    private final int length;
    private long elements;

    Listed(int length) {
      this.length = length;
    }

    @Override
    public Status checkInput(FilterInfo info) {
      elements += Math.max(0, info.arrayLength());
      if (info.depth() > MAX_DEPTH || info.references() > length || elements > length) {
        return Status.REJECTED;
      }
      Class<?> type = info.serialClass();
      if (type == null) {
        return Status.UNDECIDED;
      }
      return isListed(type.getName()) ? Status.ALLOWED : Status.REJECTED;
    }
  }
}
