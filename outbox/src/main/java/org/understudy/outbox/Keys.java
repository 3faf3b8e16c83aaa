package org.understudy.outbox;

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

  private Keys() {}

  static boolean isAny(String key) {
    return key.startsWith(CALLS) || key.startsWith(REPLIES) || key.startsWith(DEAD);
  }

  /** The id in a key of any of these kinds. */
  static String id(String key) {
    return key.substring(key.indexOf('/') + 1);
  }

  /** The index of the update that asked for the call with this id. */
  static long indexOf(String id) {
    return StateChange.indexOf(id);
  }
}
