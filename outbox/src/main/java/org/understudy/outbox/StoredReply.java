package org.understudy.outbox;

import org.understudy.replication.api.OutgoingReply;

/**
 * The form of a reply in the replicated state, until the service has taken it.
 *
 * @param body one XML element in UTF-8 that declares every prefix it uses; empty: none
 * @param reason a sentence for logs; at most 1,024 characters are kept
 */
@SuppressWarnings("ArrayRecordComponent")
record StoredReply(OutgoingReply.Kind kind, byte[] body, String reason) {
  private static final int MAX_REASON = 1_024;

  StoredReply {
    reason = reason.length() > MAX_REASON ? reason.substring(0, MAX_REASON) : reason;
  }

  byte[] encode() {
    return StoredForm.encode("The reply to an outgoing call", body.length + 64, out -> {
      out.writeUTF(kind.name());
      out.writeUTF(reason);
      out.writeInt(body.length);
      out.write(body);
    });
  }

  /** @throws IllegalArgumentException when the format is unknown or the bytes are truncated */
  static StoredReply decode(byte[] bytes) {
    return StoredForm.decode("The stored reply to an outgoing call", bytes, in -> {
      OutgoingReply.Kind kind = OutgoingReply.Kind.valueOf(in.readUTF());
      String reason = in.readUTF();
      return new StoredReply(kind, in.readNBytes(in.readInt()), reason);
    });
  }
}
