package org.understudy.outbox;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.understudy.replication.api.OutgoingReply;

/**
 * The form of a reply in the replicated state, until the service has taken it.
 *
 * @param body one XML element in UTF-8 that declares every prefix it uses; empty: none
 * @param reason a sentence for logs; at most 1,024 characters are kept
 */
@SuppressWarnings("ArrayRecordComponent")
record StoredReply(OutgoingReply.Kind kind, byte[] body, String reason) {
  private static final byte FORMAT = 1;
  private static final int MAX_REASON = 1_024;

  StoredReply {
    reason = reason.length() > MAX_REASON ? reason.substring(0, MAX_REASON) : reason;
  }

  byte[] encode() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(body.length + 64);
    DataOutputStream out = new DataOutputStream(bytes);
    try {
      out.writeByte(FORMAT);
      out.writeUTF(kind.name());
      out.writeUTF(reason);
      out.writeInt(body.length);
      out.write(body);
    } catch (IOException e) {
      throw new UncheckedIOException("The reply to an outgoing call cannot be stored: " + e.getMessage(), e);
    }
    return bytes.toByteArray();
  }

  /** @throws IllegalArgumentException when the format is unknown or the bytes are truncated */
  static StoredReply decode(byte[] bytes) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      byte format = in.readByte();
      if (format != FORMAT) {
        throw new IllegalArgumentException("The stored reply to an outgoing call has the unknown format " + format + ".");
      }
      OutgoingReply.Kind kind = OutgoingReply.Kind.valueOf(in.readUTF());
      String reason = in.readUTF();
      return new StoredReply(kind, in.readNBytes(in.readInt()), reason);
    } catch (IOException e) {
      throw new IllegalArgumentException("The stored reply to an outgoing call is truncated.", e);
    }
  }
}
