package org.understudy.channel.spread.session;

import java.io.IOException;

/** Thrown for bytes of a daemon that are no valid session, and for a session that the daemon rejects. */
public final class SpreadProtocolException extends IOException {
  private static final long serialVersionUID = 1L;

  private final boolean nameTaken;

  public SpreadProtocolException(String message) {
    this(message, false);
  }

  SpreadProtocolException(String message, boolean nameTaken) {
    super(message);
    this.nameTaken = nameTaken;
  }

  /** Whether the daemon rejects the session because another one has its name. */
  public boolean isNameTaken() {
    return nameTaken;
  }
}
