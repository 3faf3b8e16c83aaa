package org.understudy.outbox;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** The bytes of an entry of the outbox in the replicated state: a format number, then the fields. */
final class StoredForm {
  private static final byte FORMAT = 1;

  private StoredForm() {}

  /** Writes the fields of an entry. */
  @FunctionalInterface
  interface Writer {
    void write(DataOutputStream out) throws IOException;
  }

  /** Reads the fields of an entry. */
  @FunctionalInterface
  interface Reader<T> {
    T read(DataInputStream in) throws IOException;
  }

  /**
   * Encodes an entry.
   *
   * @param what names the entry, as the beginning of a sentence
   * @param size the expected number of bytes
   * @throws UncheckedIOException when a text is too long to be stored
   */
  static byte[] encode(String what, int size, Writer fields) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(size);
    DataOutputStream out = new DataOutputStream(bytes);
    try {
      out.writeByte(FORMAT);
      fields.write(out);
    } catch (IOException e) {
      throw new UncheckedIOException(what + " cannot be stored: " + e.getMessage(), e);
    }
    return bytes.toByteArray();
  }

  /**
   * Decodes an entry.
   *
   * @param what names the stored entry, as the beginning of a sentence
   * @throws IllegalArgumentException when the format is unknown or the bytes are truncated
   */
  static <T> T decode(String what, byte[] bytes, Reader<T> fields) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      byte format = in.readByte();
      if (format != FORMAT) {
        throw new IllegalArgumentException(what + " has the unknown format " + format + ".");
      }
      return fields.read(in);
    } catch (IOException e) {
      throw new IllegalArgumentException(what + " is truncated.", e);
    }
  }
}
