package org.understudy.replication.runtime.handshake;

import java.io.IOException;

/**
 * Thrown when the other end of a connection is not admitted; the message is one sentence with the reason, never the secret.
 */
public final class RefusedPeerException extends IOException {
  private static final long serialVersionUID = 1L;

  /** The reason; sent as its ordinal plus one in the answer to a hello. */
  public enum Reason {
    /** It proves another secret than the group's. */
    SECRET,
    /** It uses another version of the protocol. */
    PROTOCOL,
    /** It proves the secret, but its configuration differs. */
    CONFIGURATION,
    /** Its bytes were altered on the way, or replayed. */
    FORGED
  }

  private final Reason reason;

  public RefusedPeerException(Reason reason, String message) {
    super(message);
    this.reason = reason;
  }

  public Reason reason() {
    return reason;
  }
}
