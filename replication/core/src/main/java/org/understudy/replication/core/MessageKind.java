package org.understudy.replication.core;

import org.understudy.replication.core.wire.WireReader;

/**
 * A kind of messages that travel between processes.
 *
 * @param number the first byte of an encoded message, from 0 to 255; unique within a strategy. Shared packages use numbers
 *     below 64, strategies from 64 on
 * @param name the attribute {@code type} of a peer message in SOAP, for example {@code StateUpdate}
 * @param topic under which notifications carry it, for example {@code Membership}
 * @param reader decodes what {@link Message#write} wrote
 */
public record MessageKind(int number, String name, String topic, Reader reader) {
  /** Decodes the parts of a message after its epoch. */
  @FunctionalInterface
  public interface Reader {
    /**
     * Throws an {@link IllegalArgumentException} or {@link IndexOutOfBoundsException} for invalid bytes; never skips
     * unknown ones.
     */
    Message read(long epoch, WireReader in);
  }
}
