package org.understudy.state;

import com.esotericsoftware.kryo.kryo5.Kryo;
import com.esotericsoftware.kryo.kryo5.Serializer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The classes and fields that a state can contain.
 *
 * @param type the class of the object whose state it is
 * @param fields its captured fields, in order
 * @param others captures other objects of that class; null when the state cannot contain them
 * @param root the description of the object's own fields
 * @param parts the other classes, ordered by name
 */
record Shape(Class<?> type, List<CapturedField> fields, ObjectForm others, String root, List<Part> parts) {
  /**
   * The version of the captured form. Increase it when the form of the library or of a known class changes: replicas and journals of
   * another version have other fingerprints then, and nothing is read wrongly. The fingerprint covers the numbers of the known classes
   * anyhow.
   */
  private static final byte FORMAT = 2;

  static final int FINGERPRINT_BYTES = 16;

  /**
   * A class whose objects the state may contain.
   *
   * @param description everything that the captured form depends on
   * @param serializer creates the serializer for a {@link Kryo}
   */
  record Part(Class<?> type, String description, Supplier<Serializer<?>> serializer) {}

  Shape {
    fields = List.copyOf(fields);
    parts = parts.stream().sorted(Comparator.comparing(part -> part.type().getName())).toList();
  }

  /** Registers the classes beyond the known ones. */
  void register(Kryo kryo) {
    parts.forEach(part -> kryo.register(part.type(), part.serializer().get()));
    List<Class<?>> enums = parts.stream().<Class<?>>map(Part::type).filter(Class::isEnum).toList();
    kryo.register(java.util.EnumMap.class, new EnumMapForm(enums));
  }

  String description() {
    return parts.stream().map(Part::description).collect(Collectors.joining("\n", root + "\n", "\n"));
  }

  /** Returns the header of every captured state. */
  byte[] fingerprint() {
    return fingerprint(KnownTypes.ALL.types());
  }

  /** @param known the known classes in the order of their numbers: another version of the plugin may have others */
  byte[] fingerprint(Collection<Class<?>> known) {
    String numbers = known.stream().map(Class::getName).collect(Collectors.joining("\n", "\n", ""));
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest((description() + numbers).getBytes(StandardCharsets.UTF_8));
      byte[] head = Arrays.copyOf(digest, FINGERPRINT_BYTES);
      head[0] = FORMAT;
      return head;
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every JVM has SHA-256.", e);
    }
  }
}
