package org.understudy.session.record;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.InvalidObjectException;
import java.io.NotSerializableException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.OutputStream;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.temporal.Temporal;

/**
 * Writes and reads attributes by Java serialization within {@link AttributeClasses}. The bytes come from replicas that know the group's
 * secret. Thread-safe.
 */
public final class AttributeForm {
  private static final int INITIAL_BYTES = 256;
  /** Each check looks at the whole stack. */
  private static final int OBJECTS_BETWEEN_CHECKS = 100;

  private static final String LISTING = "List the class in the attribute \"classes\" of the Manager element";

  private final AttributeClasses classes;
  private final RestoredObjects restored;

  public AttributeForm(AttributeClasses classes) {
    this.classes = classes;
    this.restored = new RestoredObjects(classes);
  }

  /** Whether no operation changes the object, so that it need not be compared after a request. */
  public static boolean isImmutable(Object value) {
    return value == null || value instanceof String || value instanceof Boolean || value instanceof Character || value instanceof Enum<?>
        || value instanceof Number && value.getClass().getName().startsWith("java.lang.") || value instanceof java.util.UUID
        || value instanceof Temporal && value.getClass().getName().startsWith("java.time.");
  }

  /**
   * The object as bytes.
   *
   * @param expected how many there are if their number has not changed; 0 if that is unknown
   * @throws AttributeException when an object of its graph cannot be written, or another replica would not read it
   */
  public byte[] write(String name, Object value, int expected) {
    ExactBytes bytes = new ExactBytes(expected == 0 ? INITIAL_BYTES : expected);
    try (ObjectOutputStream out = new CheckedOutput(bytes)) {
      out.writeObject(value);
    } catch (NotSerializableException e) {
      throw AttributeException.onWriting(
          subject(name, value),
          " contains an object of the class " + e.getMessage()
              + ", which does not implement Serializable. Make it Serializable, or keep it out of the session.", e);
    } catch (InvalidClassException e) {
      throw AttributeException.onWriting(
          subject(name, value),
          " contains an object of the class " + e.classname
              + ", which is neither a class of the web application nor a permitted one of the JDK. " + LISTING
              + ", or keep it out of the session.", e);
    } catch (StackOverflowError e) {
      throw AttributeException.onWriting(subject(name, value), " cannot be serialized: " + ReadFilter.tooDeep() + ".", e);
    } catch (IOException | RuntimeException e) {
      throw AttributeException.whileWriting(
          subject(name, value), " cannot be serialized: " + e + ". Does another thread change it?", e);
    }
    return bytes.bytes();
  }

  /**
   * Reads bytes of {@link #write} as another replica will, within the same limits: what is acknowledged can be read everywhere.
   *
   * @throws AttributeException when another replica could not read them
   */
  public void verify(String name, Object value, byte[] bytes) {
    ReadFilter filter = new ReadFilter(classes);
    try (ObjectInputStream in = new CheckedInput(bytes, filter, restored::checkTrial)) {
      in.readObject();
    } catch (IOException | ClassNotFoundException | RuntimeException | LinkageError | StackOverflowError e) {
      String details = " could not be read at another replica: " + reason(filter, e) + ". Change it, or keep it out of the session.";
      throw filter.reason() == null && !(e instanceof InvalidClassException || e instanceof InvalidObjectException)
          ? AttributeException.whileWriting(subject(name, value), details, e)
          : AttributeException.onWriting(subject(name, value), details, e);
    }
  }

  private static String reason(ReadFilter filter, Throwable failure) {
    if (failure instanceof StackOverflowError) {
      return ReadFilter.tooDeep();
    }
    return filter.reason() == null ? failure.toString() : failure + ", because " + filter.reason();
  }

  private static String subject(String name, Object value) {
    return name + " of the class " + value.getClass().getName();
  }

  /**
   * The object of these bytes.
   *
   * @throws AttributeException when the bytes are not permitted, or their class is missing or another one
   */
  public Object read(String name, byte[] bytes) {
    ReadFilter filter = new ReadFilter(classes);
    try (ObjectInputStream in = new CheckedInput(bytes, filter, restored::check)) {
      return in.readObject();
    } catch (IOException | ClassNotFoundException | RuntimeException | LinkageError | StackOverflowError e) {
      throw AttributeException.onReading(
          name,
          ", which another replica wrote, cannot be read: " + reason(filter, e) + ". Deploy the same version of the web"
              + " application on every replica, or declare serialVersionUID in its classes. " + LISTING + " if the filter rejected it.",
          e);
    }
  }

  /** A digest of an attribute's bytes, to detect changes in place. */
  public static byte[] digest(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java has SHA-256.", e);
    }
  }

  /** Gives its array away without a copy where the bytes fill it. */
  private static final class ExactBytes extends ByteArrayOutputStream {
    ExactBytes(int expected) {
      super(expected);
    }

    byte[] bytes() {
      return count == buf.length ? buf : toByteArray();
    }
  }

  private final class CheckedOutput extends ObjectOutputStream {
    /** After a failure, {@link ObjectOutputStream} writes the exception itself. */
    private boolean failed;
    private int objects;

    CheckedOutput(OutputStream out) throws IOException {
      super(out);
      enableReplaceObject(true);
    }

    /** Ends a recursion that no replica would read long before it fills the stack. {@link ObjectOutputStream} has no limit itself. */
    @Override
    protected Object replaceObject(Object value) {
      objects++;
      if (objects % OBJECTS_BETWEEN_CHECKS == 0 && depth() > ReadFilter.MAX_DEPTH) {
        throw new StackOverflowError(ReadFilter.tooDeep());
      }
      return value;
    }

    private static long depth() {
      return StackWalker.getInstance().walk(frames -> frames.filter(frame -> frame.getMethodName().equals("writeObject0")).count());
    }

    @Override
    protected void annotateClass(Class<?> type) throws IOException {
      failed |= type == NotSerializableException.class || type == InvalidClassException.class;
      if (!failed && !classes.allows(type)) {
        throw new InvalidClassException(type.getName(), "not permitted");
      }
    }
  }

  /** Judges each object that has been restored. */
  @FunctionalInterface
  private interface Check {
    Object check(Object restored) throws InvalidObjectException;
  }

  private final class CheckedInput extends ObjectInputStream {
    private final Check check;

    CheckedInput(byte[] bytes, ReadFilter filter, Check check) throws IOException {
      super(new ByteArrayInputStream(bytes));
      this.check = check;
      enableResolveObject(true);
      setObjectInputFilter(filter);
    }

    @Override
    protected Object resolveObject(Object object) throws InvalidObjectException {
      return check.check(object);
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass description) throws IOException, ClassNotFoundException {
      try {
        return Class.forName(description.getName(), false, classes.loader());
      } catch (ClassNotFoundException e) {
        return super.resolveClass(description);
      }
    }

    @Override
    protected Class<?> resolveProxyClass(String[] interfaces) throws IOException, ClassNotFoundException {
      ClassLoader loader = classes.loader();
      Class<?>[] types = new Class<?>[interfaces.length];
      for (int i = 0; i < types.length; i++) {
        types[i] = Class.forName(interfaces[i], false, classes.loader());
        // The class of a proxy belongs to the loader of an interface that is not public.
        loader = Modifier.isPublic(types[i].getModifiers()) ? loader : types[i].getClassLoader();
      }
      return Proxy.newProxyInstance(loader, types, (proxy, method, arguments) -> null).getClass();
    }
  }
}
