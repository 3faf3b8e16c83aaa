package org.understudy.outbox;

/**
 * The session in which calls are sent to a group of replicas. It is stored before the first call is sent in it, and advanced in the update
 * that stores the outcome of a call. So every replica sends the first waiting call under the same number.
 *
 * @param id the session id that the called group assigned
 * @param next the sequence number of the first call that waits; from 1
 */
record GroupSession(String id, long next) {
  /** Returns the session with the next sequence number. */
  GroupSession advanced() {
    return new GroupSession(id, next + 1);
  }

  byte[] encode() {
    return StoredForm.encode("The session with a group", 64, out -> {
      out.writeUTF(id);
      out.writeLong(next);
    });
  }

  /** @throws IllegalArgumentException when the format is unknown or the bytes are truncated */
  static GroupSession decode(byte[] bytes) {
    return StoredForm.decode(
        "The stored session with a group", bytes, in -> new GroupSession(in.readUTF(), in.readLong()));
  }
}
