package org.understudy.replication.core;

import org.understudy.replication.core.wire.WireReader;

/**
 * A kind of messages that travel between processes.
 *
 * @param number that stands first in the bytes of a message, from 0 to 255; of one kind only within a strategy. Shared
 *     packages have those below 64, strategies those from 64 on
 * @param name as written in the attribute {@code type} of a peer message in SOAP, for example {@code StateUpdate}
 * @param topic under which notifications carry it, for example {@code Membership}
 * @param reader reads what {@link Message#write} wrote
 */
public record MessageKind(int number, String name, String topic, Reader reader) {
  /** Reads the parts of a message behind its epoch. */
  @FunctionalInterface
  public interface Reader {
    /**
     * Throws an {@link IllegalArgumentException} or an {@link IndexOutOfBoundsException} for what is no such message; skips
     * nothing.
     */
    Message read(long epoch, WireReader in);
  }
}
