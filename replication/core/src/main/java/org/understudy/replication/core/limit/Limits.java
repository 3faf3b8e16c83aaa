package org.understudy.replication.core.limit;

/**
 * Limits of one core; each is above zero. Those of what is replicated are decided by the limits of the primary alone.
 *
 * @param unstableUpdates updates sent and not yet stable, before new requests are refused as Overloaded
 * @param logBytes bytes of updates kept for a replica that is being brought up to date, before its transfer starts anew
 * @param chunkBytes bytes of state in one message of a state transfer, roughly
 * @param sessions open sessions in the group
 * @param openPerSession unanswered requests and kept replies of one session
 * @param identities kept identities of requests that are known by their {@code wsa:MessageID}
 * @param identityNanos how long such an identity is kept
 * @param sessionLeaseNanos how long a session lives without a request or a renewal
 * @param heldRequests requests that wait for a view change to end, or for an update
 * @param bytes what may be held in bytes
 * @param callerPercent of a limit on what the group keeps (sessions, identities, replies, state, keys of a kind) that one
 *     owner may use, from 1 to 100
 * @param kinds of the keys of the state
 */
public record Limits(
    int unstableUpdates,
    long logBytes,
    int chunkBytes,
    int sessions,
    int openPerSession,
    int identities,
    long identityNanos,
    long sessionLeaseNanos,
    int heldRequests,
    ByteLimits bytes,
    int callerPercent,
    KeyKinds kinds) {
  /** By default, an owner may use half of a limit. */
  public static final int CALLER_PERCENT = 50;

  public static final Limits DEFAULTS =
      new Limits(
          10_000, 64L << 20, 256 << 10, 100_000, 2_048, 800_000, 120_000_000_000L, 600_000_000_000L, 4_096,
          ByteLimits.DEFAULTS);

  /** Limits with the default owner share and without kinds of keys. */
  public Limits(
      int unstableUpdates,
      long logBytes,
      int chunkBytes,
      int sessions,
      int openPerSession,
      int identities,
      long identityNanos,
      long sessionLeaseNanos,
      int heldRequests,
      ByteLimits bytes) {
    this(
        unstableUpdates, logBytes, chunkBytes, sessions, openPerSession, identities, identityNanos, sessionLeaseNanos,
        heldRequests, bytes, CALLER_PERCENT, KeyKinds.NONE);
  }

  /** Returns these limits with other kinds of keys. */
  public Limits with(KeyKinds some) {
    return new Limits(
        unstableUpdates, logBytes, chunkBytes, sessions, openPerSession, identities, identityNanos, sessionLeaseNanos,
        heldRequests, bytes, callerPercent, some);
  }

  public Limits {
    if (unstableUpdates < 1 || logBytes < 1 || chunkBytes < 1 || sessions < 1 || openPerSession < 1
        || identities < 1 || identityNanos < 1 || sessionLeaseNanos < 1 || heldRequests < 1) {
      throw new IllegalArgumentException("Every limit must be above zero.");
    }
    if (callerPercent < 1 || callerPercent > 100) {
      throw new IllegalArgumentException("An owner's share is 1 to 100 %.");
    }
  }
}
