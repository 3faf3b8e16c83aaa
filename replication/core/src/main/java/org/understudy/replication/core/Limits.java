package org.understudy.replication.core;

/**
 * Limits of one core; each is above zero.
 *
 * @param unstableUpdates updates sent and not yet stable, before new requests are refused as Overloaded
 * @param logBytes bytes of updates kept for a replica that is being brought up to date, before its transfer starts anew
 * @param chunkBytes bytes of state in one message of a state transfer, roughly
 * @param sessions open sessions in the group
 * @param openPerSession unanswered requests and kept replies of one session
 * @param messageIdWindow how many replies to requests without a session are kept for a repeated {@code wsa:MessageID}
 * @param sessionLeaseNanos how long a session lives without a request or a renewal
 * @param heldRequests requests that wait for a view change to end
 */
public record Limits(
    int unstableUpdates,
    long logBytes,
    int chunkBytes,
    int sessions,
    int openPerSession,
    int messageIdWindow,
    long sessionLeaseNanos,
    int heldRequests) {
  public static final Limits DEFAULTS =
      new Limits(10_000, 64L << 20, 256 << 10, 100_000, 2_048, 4_096, 600_000_000_000L, 4_096);

  public Limits {
    if (unstableUpdates < 1 || logBytes < 1 || chunkBytes < 1 || sessions < 1 || openPerSession < 1
        || messageIdWindow < 1 || sessionLeaseNanos < 1 || heldRequests < 1) {
      throw new IllegalArgumentException("Every limit is above zero.");
    }
  }
}
