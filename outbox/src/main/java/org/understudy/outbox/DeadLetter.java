package org.understudy.outbox;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * The reason why the outbox no longer sends a call, or no longer delivers its reply, until an operator decides.
 *
 * @param attempts counted attempts of the replica that gave up
 * @param reason a sentence; at most 1,024 characters are kept
 */
record DeadLetter(int attempts, String reason) {
  private static final byte FORMAT = 1;
  private static final int MAX_REASON = 1_024;

  DeadLetter {
    reason = reason.length() > MAX_REASON ? reason.substring(0, MAX_REASON) : reason;
  }

  byte[] encode() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(128);
    DataOutputStream out = new DataOutputStream(bytes);
    try {
      out.writeByte(FORMAT);
      out.writeInt(attempts);
      out.writeUTF(reason);
    } catch (IOException e) {
      throw new UncheckedIOException("A dead letter cannot be stored: " + e.getMessage(), e);
    }
    return bytes.toByteArray();
  }

  /** @throws IllegalArgumentException when the format is unknown or the bytes are truncated */
  static DeadLetter decode(byte[] bytes) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      byte format = in.readByte();
      if (format != FORMAT) {
        throw new IllegalArgumentException("A stored dead letter has the unknown format " + format + ".");
      }
      return new DeadLetter(in.readInt(), in.readUTF());
    } catch (IOException e) {
      throw new IllegalArgumentException("A stored dead letter is truncated.", e);
    }
  }
}
