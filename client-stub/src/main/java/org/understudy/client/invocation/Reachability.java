package org.understudy.client.invocation;

import java.net.URI;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The replicas that this client failed to reach lately, shared by all invocations of a group. A client that cannot reach
 * the replicas that serve its requests asks others to forward them, and probes the former from time to time. Has no clock:
 * the caller passes times in nanoseconds. Thread-safe.
 */
public final class Reachability {
  /** Longer than a group needs to replace a primary that has really failed. */
  static final long CUT_OFF_NANOS = 1_000_000_000L;
  static final long PROBE_NANOS = 5_000_000_000L;

  /**
   * An unreachable replica.
   *
   * @param since the first failed attempt
   * @param probed the last attempt
   */
  private record Failing(long since, long probed) {}

  private final Map<URI, Failing> failing = new ConcurrentHashMap<>();

  void failed(URI replica, long now) {
    failing.compute(replica, (uri, known) -> new Failing(known == null ? now : known.since, now));
  }

  void reached(URI replica) {
    if (!failing.isEmpty()) {
      failing.remove(replica);
    }
  }

  /** Whether the replica has been unreachable so long that other replicas are to forward to it. */
  boolean isCutOff(URI replica, long now) {
    Failing known = failing.get(replica);
    return known != null && now - known.since >= CUT_OFF_NANOS;
  }

  /** Whether an attempt should skip the replica. Every few seconds it returns false, to one caller. */
  boolean skips(URI replica, long now) {
    Failing known = failing.get(replica);
    if (known == null || now - known.since < CUT_OFF_NANOS) {
      return false;
    }
    return now - known.probed < PROBE_NANOS || !failing.replace(replica, known, new Failing(known.since, now));
  }
}
