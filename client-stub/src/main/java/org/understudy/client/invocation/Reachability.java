package org.understudy.client.invocation;

import java.net.URI;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which replicas this client has failed to reach lately; all invocations of a group share it. A client that is cut off from
 * those alone that serve its requests asks the others to forward them, and tries the former again from time to time. Has no
 * clock: times are
 * in nanoseconds of the caller's. Thread-safe.
 */
public final class Reachability {
  /** Longer than a group needs to replace a primary that has failed for all. */
  static final long CUT_OFF_NANOS = 1_000_000_000L;
  static final long PROBE_NANOS = 5_000_000_000L;

  /**
   * A replica that is not reached.
   *
   * @param since of the first attempt that failed
   * @param probed when it was tried last
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

  /** Whether the replica has been unreachable for so long that other replicas are to forward to it. */
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
