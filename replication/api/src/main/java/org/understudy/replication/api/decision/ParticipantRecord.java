package org.understudy.replication.api.decision;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;

/**
 * What a prepared update records about the distributed transaction that it is a part of. Replicated with the update. Compared by
 * content; its array must not be changed.
 *
 * @param transaction the id of the transaction, a URI
 * @param rest what else the participant needs to learn the decision, for example the addresses of the coordinator; opaque
 */
public record ParticipantRecord(String transaction, byte[] rest) {
  /** The length of the longest id, in characters. */
  public static final int MAX_CHARS = 1_024;

  /** The size of the largest rest. */
  public static final int MAX_BYTES = 64 << 10;

  /** @throws IllegalArgumentException when the id is empty, or either part is too long */
  public ParticipantRecord {
    Objects.requireNonNull(rest, "rest");
    if (transaction.isEmpty() || transaction.length() > MAX_CHARS || rest.length > MAX_BYTES) {
      throw new IllegalArgumentException(
          "The id of a transaction has 1 to " + MAX_CHARS + " characters and its record at most " + MAX_BYTES + " bytes, not "
              + transaction.length() + " and " + rest.length + ".");
    }
  }

  /** The rest of a participant that keeps text there, in UTF-8. */
  public String restText() {
    return new String(rest, StandardCharsets.UTF_8);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ParticipantRecord that && transaction.equals(that.transaction) && Arrays.equals(rest, that.rest);
  }

  @Override
  public int hashCode() {
    return 31 * transaction.hashCode() + Arrays.hashCode(rest);
  }

  @Override
  public String toString() {
    return transaction;
  }
}
