package org.understudy.outbox;

/**
 * The reason why the outbox no longer sends a call, or no longer delivers its reply, until an operator decides.
 *
 * @param attempts counted attempts of the replica that gave up
 * @param reason a sentence; at most 1,024 characters are kept
 */
record DeadLetter(int attempts, String reason) {
  private static final int MAX_REASON = 1_024;

  DeadLetter {
    reason = reason.length() > MAX_REASON ? reason.substring(0, MAX_REASON) : reason;
  }

  byte[] encode() {
    return StoredForm.encode("A dead letter", 128, out -> {
      out.writeInt(attempts);
      out.writeUTF(reason);
    });
  }

  /** @throws IllegalArgumentException when the format is unknown or the bytes are truncated */
  static DeadLetter decode(byte[] bytes) {
    return StoredForm.decode(
        "A stored dead letter", bytes, in -> new DeadLetter(in.readInt(), in.readUTF()));
  }
}
