package org.understudy.outbox;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.understudy.replication.core.update.StateChange;

/** The keys of calls in the replicated state. The id of a call follows each prefix, and orders the calls. */
final class Keys {
  /** The log of the calls, see {@link StateChange#NUMBERED}. */
  static final String LOG = "outgoing";
  static final String CALLS = LOG + "/";
  /** The answers of destinations, until the service has taken them. */
  static final String REPLIES = "outgoing-reply/";
  /** The reasons why calls are dead letters. */
  static final String DEAD = "outgoing-dead/";

  /** The sessions with groups of replicas, by a hash of the destination. */
  static final String SESSIONS = "outgoing-session/";

  private Keys() {}

  static boolean isAny(String key) {
    return key.startsWith(CALLS) || key.startsWith(REPLIES) || key.startsWith(DEAD)
        || key.startsWith(SESSIONS);
  }

  /** The id in a key of any of these kinds. */
  static String id(String key) {
    return key.substring(key.indexOf('/') + 1);
  }

  /** Returns the key of the session with a destination. */
  static String session(String destination) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(destination.getBytes(StandardCharsets.UTF_8));
      return SESSIONS + HexFormat.of().formatHex(hash, 0, 16);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java has SHA-256.", e);
    }
  }

  /** Returns the index of the update that added the call with this id. */
  static long indexOf(String id) {
    return StateChange.indexOf(id);
  }
}
