package org.understudy.replication.core;

import org.understudy.replication.core.wire.WireWriter;

/**
 * A message between replicas. Each package owns its messages and their encoding. The tables in {@code docs/design} list who
 * sends what when. Immutable.
 */
public interface Message {
  /** The size of a message with the largest view and without lists and texts. */
  long SMALL_BYTES = 1_024;

  /** The message's epoch; for a message outside any epoch, the sender's promise. */
  long epoch();

  /** The kind on the wire, or null for a message that never leaves its process. */
  default MessageKind kind() {
    throw new UnsupportedOperationException(getClass().getName() + " has no form on the wire: give it a kind.");
  }

  /** Encodes all parts except the epoch. */
  default void write(WireWriter out) {
    throw new UnsupportedOperationException(getClass().getName() + " has no form on the wire: write its parts.");
  }

  /** An upper bound of the encoded size, computed without encoding. */
  default long encodedBytes() {
    return SMALL_BYTES;
  }

  /** The index of the update that the message carries, or whose place it is; 0 for none. */
  default long updateIndex() {
    return 0;
  }

  /** Whether the message overtakes queued ones. Of each such kind, only the newest message stays in the queue. */
  default boolean isUrgent() {
    return false;
  }

  /** Returns the message to send instead when this one overtakes queued updates of its epoch to the same replica. */
  default Message passing(Message update) {
    return this;
  }

  /** Whether this message replaces an earlier queued one, because it contains everything that the earlier one states. */
  default boolean supersedes(Message earlier) {
    return false;
  }
}
