package org.understudy.replication.core.limit;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.understudy.replication.core.wire.UnreadableException;
import org.understudy.replication.core.wire.WireReader;
import org.understudy.replication.core.wire.WireWriter;

/**
 * The limits of one replica on what the group stores, in a form that can be replicated: where several replicas propose
 * updates, all decide by the limits of one of them. The parts are those of {@link Limits} and {@link ByteLimits}.
 *
 * @param keys the maximum number of keys of each kind that has one, by {@link KeyKind#prefix}
 */
public record ReplicatedLimits(
    int sessions,
    int openPerSession,
    int identities,
    int callerPercent,
    long state,
    long replies,
    long sessionReplies,
    Map<String, Long> keys) {
  private static final int LEAST_KEY_BYTES = 4 + Long.BYTES;
  private static final int FIXED_BYTES = 64;
  /** An upper bound: UTF-8 needs at most three bytes for a char. */
  private static final int BYTES_PER_CHAR = 3;

  /** In ascending order of the prefixes, so that equal limits are encoded alike. */
  public ReplicatedLimits {
    keys = Collections.unmodifiableMap(new TreeMap<>(keys));
  }

  /** The part of these limits that binds the group. */
  public static ReplicatedLimits of(Limits limits) {
    ByteLimits bytes = limits.bytes();
    return new ReplicatedLimits(
        limits.sessions(), limits.openPerSession(), limits.identities(), limits.callerPercent(), bytes.state(),
        bytes.replies(), bytes.sessionReplies(), limits.kinds().maxima());
  }

  /**
   * The maximum number of keys of this kind; 0 for no limit. Which kinds have one is the same at every replica, and keys of no
   * known kind share the empty prefix with those of a kind that may have one.
   */
  public long max(KeyKind kind) {
    return kind.max() == 0 ? 0 : keys.getOrDefault(kind.prefix(), kind.max());
  }

  /** An upper bound of its encoded size. */
  public long encodedBytes() {
    long bytes = FIXED_BYTES;
    for (String prefix : keys.keySet()) {
      bytes += LEAST_KEY_BYTES + (long) BYTES_PER_CHAR * prefix.length();
    }
    return bytes;
  }

  /** Encodes it for {@link #read}. */
  public void write(WireWriter out) {
    out.i32(sessions);
    out.i32(openPerSession);
    out.i32(identities);
    out.u8(callerPercent);
    out.i64(state);
    out.i64(replies);
    out.i64(sessionReplies);
    out.i32(keys.size());
    keys.forEach((prefix, max) -> {
      out.string(prefix);
      out.i64(max);
    });
  }

  /** Decodes what {@link #write} wrote. */
  public static ReplicatedLimits read(WireReader in) {
    int sessions = (int) positive(in.i32());
    int openPerSession = (int) positive(in.i32());
    int identities = (int) positive(in.i32());
    int callerPercent = (int) positive(in.u8(100));
    long state = positive(in.i64());
    long replies = positive(in.i64());
    long sessionReplies = positive(in.i64());
    Map<String, Long> keys = new TreeMap<>();
    for (int count = in.count(LEAST_KEY_BYTES); count > 0; count--) {
      keys.put(in.string(), positive(in.i64()));
    }
    return new ReplicatedLimits(
        sessions, openPerSession, identities, callerPercent, state, replies, sessionReplies, keys);
  }

  private static long positive(long limit) {
    if (limit < 1) {
      throw new UnreadableException("A message holds the limit " + limit + "; every limit is above zero.");
    }
    return limit;
  }
}
