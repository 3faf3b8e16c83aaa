package org.understudy.replication.runtime.handshake;

import java.io.IOException;

/** The other end of a connection is not admitted; the message is one sentence that names the reason, never the secret. */
public final class RefusedPeerException extends IOException {
  private static final long serialVersionUID = 1L;

  /** Why; sent as its ordinal plus one in the answer to a hello. */
  public enum Reason {
    /** It proves another secret than the group's. */
    SECRET,
    /** It does not speak this version of the protocol. */
    PROTOCOL,
    /** It proves the secret, but its configuration differs. */
    CONFIGURATION,
    /** What it sent was altered on the way, or sent before. */
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
