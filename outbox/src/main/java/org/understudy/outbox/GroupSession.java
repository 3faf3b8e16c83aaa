package org.understudy.outbox;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * The session in which calls are sent to a group of replicas. It is stored before the first call is sent in it, and advanced in the update
 * that stores the outcome of a call. So every replica sends the first waiting call under the same number.
 *
 * @param id the session id that the called group assigned
 * @param next the sequence number of the first call that waits; from 1
 */
record GroupSession(String id, long next) {
  private static final byte FORMAT = 1;

  /** Returns the session with the next sequence number. */
  GroupSession advanced() {
    return new GroupSession(id, next + 1);
  }

  byte[] encode() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(64);
    DataOutputStream out = new DataOutputStream(bytes);
    try {
      out.writeByte(FORMAT);
      out.writeUTF(id);
      out.writeLong(next);
    } catch (IOException e) {
      throw new UncheckedIOException("The session with a group cannot be stored: " + e.getMessage(), e);
    }
    return bytes.toByteArray();
  }

  /** @throws IllegalArgumentException when the format is unknown or the bytes are truncated */
  static GroupSession decode(byte[] bytes) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      byte format = in.readByte();
      if (format != FORMAT) {
        throw new IllegalArgumentException("The stored session with a group has the unknown format " + format + ".");
      }
      return new GroupSession(in.readUTF(), in.readLong());
    } catch (IOException e) {
      throw new IllegalArgumentException("The stored session with a group is truncated.", e);
    }
  }
}
