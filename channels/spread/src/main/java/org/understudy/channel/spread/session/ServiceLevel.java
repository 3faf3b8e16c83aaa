package org.understudy.channel.spread.session;

/**
 * What a daemon guarantees for a message. Both of these orders are one order for the whole group.
 *
 * <p>Neither makes a message stable for a client. SAFE means that every <em>daemon</em> of the membership has the message; a daemon that
 * dies, or that drops a session which reads too slowly, loses what its client has not read. Between the transitional signal and the next
 * membership, SAFE guarantees no more than AGREED.
 */
public enum ServiceLevel {
  /** Messages arrive in one order at all members. */
  AGREED(0x10),
  /** As AGREED, and only after every daemon of the membership has the message, unless the transitional signal came first. */
  SAFE(0x20);

  private final int bits;

  ServiceLevel(int bits) {
    this.bits = bits;
  }

  int bits() {
    return bits;
  }
}
