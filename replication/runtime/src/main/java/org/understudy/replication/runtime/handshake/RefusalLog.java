package org.understudy.replication.runtime.handshake;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.understudy.replication.api.ReplicaId;

/** Throttles log lines for refusals to one a minute for each cause. Thread-safe, bounded. */
public final class RefusalLog {
  private static final long INTERVAL_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final int MAX_CAUSES = 64;
  private static final int MAX_CHARACTERS = 300;

  private final Map<String, Long> logged = new HashMap<>();

  /** Text from a peer, made safe for a log line: truncated, and without control and format characters, which could forge lines. */
  public static String printable(String text) {
    String whole = String.valueOf(text);
    String cut = whole.length() > MAX_CHARACTERS ? whole.substring(0, MAX_CHARACTERS) + "…" : whole;
    return cut.replaceAll("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]", "?");
  }

  /** Why a connection failed, made safe for a log line. The end of a stream has no message. */
  public static String printable(IOException cause) {
    return cause.getMessage() == null ? "the connection has ended" : printable(cause.getMessage());
  }

  /** The reason why a replica is not connected, for operators, in one line. */
  public static String reason(ReplicaId peer, IOException cause) {
    // A refusal is a sentence of this replica, in which the peer's texts are printable already.
    return "Replica " + peer + ": " + (cause instanceof RefusedPeerException ? cause.getMessage() : printable(cause));
  }

  /** Whether this cause is to be logged now. More causes than 64 within a minute are not logged. */
  public synchronized boolean isDue(String cause, long nowNanos) {
    Long last = logged.get(cause);
    if (last != null && nowNanos - last < INTERVAL_NANOS) {
      return false;
    }
    if (last == null && logged.size() >= MAX_CAUSES) {
      logged.values().removeIf(at -> nowNanos - at >= INTERVAL_NANOS);
      if (logged.size() >= MAX_CAUSES) {
        return false;
      }
    }
    logged.put(cause, nowNanos);
    return true;
  }
}
