package org.understudy.outbox;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.understudy.replication.core.StateChange;

/** Where calls are kept in the replicated state. The id of a call orders it among all: it is the same behind each prefix. */
final class Keys {
  /** The log of the calls, see {@link StateChange#NUMBERED}. */
  static final String LOG = "outgoing";
  static final String CALLS = LOG + "/";
  /** What a destination answered, until the service has taken it. */
  static final String REPLIES = "outgoing-reply/";
  /** Why a call is a dead letter. */
  static final String DEAD = "outgoing-dead/";

  /** The session with a group of replicas, by a hash of the destination. */
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

  /** Where the session with a destination is kept. */
  static String session(String destination) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(destination.getBytes(StandardCharsets.UTF_8));
      return SESSIONS + HexFormat.of().formatHex(hash, 0, 16);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java has SHA-256.", e);
    }
  }

  /** The index of the update that asked for the call with this id. */
  static long indexOf(String id) {
    return StateChange.indexOf(id);
  }
}
