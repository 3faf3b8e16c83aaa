package org.understudy.outbox;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** The sessions with groups of replicas, as they are kept in the replicated state. Guarded by the table of calls. */
final class SessionTable {
  /** As long as a group keeps a session that is not used, by default. */
  private static final long UNUSED_NANOS = TimeUnit.MINUTES.toNanos(10);
  private static final long LOOK_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final Map<String, Session> byKey = new HashMap<>();
  private long lookAt;
  private boolean looked;

  /** A session, and since when no call has been sent in it, as far as this replica has looked. */
  private static final class Session {
    final GroupSession session;
    boolean unused;
    long since;
    /** It is about to be removed: no call may be sent in it. */
    boolean closing;

    Session(GroupSession session) {
      this.session = session;
    }
  }

  void note(String key, byte[] state) {
    if (state == null) {
      byKey.remove(key);
    } else {
      byKey.put(key, new Session(GroupSession.decode(state)));
    }
  }

  void forget() {
    byKey.clear();
  }

  GroupSession find(String destination) {
    Session found = byKey.get(Keys.session(destination));
    return found == null ? null : found.session;
  }

  boolean isClosing(String destination) {
    Session found = byKey.get(Keys.session(destination));
    return found != null && found.closing;
  }

  void keep(String key) {
    Session found = byKey.get(key);
    if (found != null) {
      found.closing = false;
      found.unused = false;
    }
  }

  /**
   * See {@link CallTable#closeUnusedSessions}. Looks once a minute.
   *
   * @param busy destinations about which something is to be done
   */
  List<String> closeUnused(long now, Collection<String> busy) {
    if (byKey.isEmpty() || looked && now - lookAt < 0) {
      return List.of();
    }
    looked = true;
    lookAt = now + LOOK_NANOS;
    Set<String> used = new HashSet<>();
    busy.forEach(name -> used.add(Keys.session(name)));
    List<String> unused = new ArrayList<>();
    byKey.forEach((key, session) -> {
      if (used.contains(key) || !session.unused) {
        session.unused = !used.contains(key);
        session.since = now;
      } else if (!session.closing && now - session.since >= UNUSED_NANOS) {
        session.closing = true;
        unused.add(key);
      }
    });
    return unused;
  }
}
