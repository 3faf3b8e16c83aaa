package org.understudy.replication.core;

import org.understudy.replication.core.wire.WireWriter;

/**
 * What replicas send each other. Each package owns its messages, and how they are written and read. The tables in
 * {@code docs/design} say who sends what when. Immutable.
 */
public interface Message {
  /** Of a message without lists and texts, with the largest view. */
  long SMALL_BYTES = 1_024;

  /** The epoch that the message belongs to; for a message outside any, the sender's promise. */
  long epoch();

  /** What it is on the wire. A message that never leaves its process has no kind. */
  default MessageKind kind() {
    throw new UnsupportedOperationException(getClass().getName() + " has no form on the wire: give it a kind.");
  }

  /** Writes all but the epoch. */
  default void write(WireWriter out) {
    throw new UnsupportedOperationException(getClass().getName() + " has no form on the wire: write its parts.");
  }

  /** How many bytes it has on the wire, at most: without writing it. */
  default long encodedBytes() {
    return SMALL_BYTES;
  }

  /** The index of the update that it brings; 0 when it brings none. */
  default long updateIndex() {
    return 0;
  }

  /** Whether it passes others that wait to be sent. Of each kind of such messages only the newest waits. */
  default boolean isUrgent() {
    return false;
  }

  /** What it says when it passes an update of its epoch that waits to be sent to the same replica, and those behind that. */
  default Message passing(Message update) {
    return this;
  }

  /** Whether it takes the place of this message that waits before it, for it says all that that one says. */
  default boolean supersedes(Message earlier) {
    return false;
  }
}
