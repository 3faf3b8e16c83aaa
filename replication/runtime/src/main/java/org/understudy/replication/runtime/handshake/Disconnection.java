package org.understudy.replication.runtime.handshake;

import java.io.EOFException;
import java.io.InterruptedIOException;
import java.net.SocketException;

/** Recognises that a connection has ended or was cut, or took too long, also where TLS reports that by an exception of its own. */
public final class Disconnection {
  private static final int MAX_CAUSES = 10;

  private Disconnection() {}

  /** Whether the end of a connection, or its silence, has caused this failure. */
  public static boolean isCauseOf(Throwable failure) {
    Throwable one = failure;
    for (int i = 0; i < MAX_CAUSES && one != null; i++) {
      if (one instanceof EOFException || one instanceof SocketException || one instanceof InterruptedIOException) {
        return true;
      }
      one = one.getCause();
    }
    return false;
  }
}
