package org.understudy.session;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.understudy.replication.core.update.StateChange;
import org.understudy.replication.runtime.Proposal;
import org.understudy.replication.runtime.state.AppliedState;
import org.understudy.session.record.SessionKeys;
import org.understudy.session.record.SessionRecord;

/**
 * One permitted execution: the sessions that it uses, with their locks, the versions of what it has read, and what it has changed. Used
 * by one thread; only {@link #commit} and {@link #rollback} are called by any.
 */
final class SessionTransaction implements Proposal {
  private static final Duration LOCK_PATIENCE = Duration.ofSeconds(60);

  private final ReplicatedSessionManager manager;
  private final AppliedState state;
  private final long token;
  private final Map<String, Long> versions = new HashMap<>();
  /** Of what has been read, to find out later whether another replica has changed it. */
  private final Map<String, Long> generations = new HashMap<>();
  private final Map<String, ReplicatedSession> sessions = new LinkedHashMap<>();
  private final Set<String> locked = new LinkedHashSet<>();
  private boolean ended;

  SessionTransaction(ReplicatedSessionManager manager, AppliedState state, long token) {
    this.manager = manager;
    this.state = state;
    this.token = token;
  }

  long token() {
    return token;
  }

  /** Whether the execution has used a session. */
  boolean isUsed() {
    return !sessions.isEmpty();
  }

  Map<String, Long> versions() {
    return versions;
  }

  /** The version of the newest update that the execution has seen. */
  long newestVersion() {
    return versions.values().stream().mapToLong(Long::longValue).max().orElse(0);
  }

  /** The version of live objects of the key, which the execution reads next. */
  long reading(String key) {
    versions.computeIfAbsent(key, state::version);
    return generations.computeIfAbsent(key, state::stateVersion);
  }

  /** Whether all that has been read is as it was. This replica cannot have changed it, because the sessions are locked. */
  boolean isCurrent() {
    return generations.entrySet().stream().allMatch(read -> state.stateVersion(read.getKey()) == read.getValue());
  }

  byte[] state(String key) {
    return state.state(key);
  }

  /** The session, with its lock; null when it does not exist or has expired. */
  ReplicatedSession find(String id) {
    ReplicatedSession known = sessions.get(id);
    if (known != null) {
      return known;
    }
    lock(id);
    String key = SessionKeys.record(id);
    long generation = reading(key);
    byte[] bytes = state(key);
    if (bytes == null) {
      manager.forget(id);
      return null;
    }
    ReplicatedSession session = manager.live(id);
    SessionRecord record = session.enter(this, bytes, generation);
    sessions.put(id, session);
    if (record.isExpired(manager.now())) {
      session.expire();
      return null;
    }
    return session;
  }

  /** Takes the session's lock, unless a request uses the session. Does not wait. */
  boolean lockUnused(String id) {
    boolean own = locked.contains(id) || manager.locks().takeUnused(id);
    if (own) {
      locked.add(id);
    }
    return own;
  }

  /**
   * Whether the group has room for one more session, with those that the execution has created and without those that it has ended.
   *
   * @param max sessions in the group
   */
  boolean admitsSession(long max) {
    return manager.times().size() + distinct().stream().mapToInt(ReplicatedSession::growth).sum() < max;
  }

  /** Each session once: one that has got another id is known by both. */
  private Set<ReplicatedSession> distinct() {
    return new LinkedHashSet<>(sessions.values());
  }

  /** Adds a session that has got its id. */
  void created(ReplicatedSession session) {
    lock(session.getIdInternal());
    session.enterNew(this);
    sessions.put(session.getIdInternal(), session);
  }

  /** Takes the lock of the id that a session gets. */
  void renamed(String id, ReplicatedSession session) {
    lock(id);
    sessions.put(id, session);
  }

  private void lock(String id) {
    if (locked.contains(id)) {
      return;
    }
    String occupied;
    try {
      occupied = manager.locks().take(id, LOCK_PATIENCE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      occupied = "The server is being stopped.";
    }
    if (occupied != null) {
      throw manager.refuse(occupied + " Nothing was executed. Retry later.");
    }
    locked.add(id);
  }

  /** The session after the execution: the last one that is valid; null for none. */
  ReplicatedSession session() {
    ReplicatedSession last = null;
    for (ReplicatedSession session : sessions.values()) {
      last = session.isValid() ? session : last;
    }
    return last;
  }

  /** What the execution has changed, after the web application has returned. */
  List<StateChange> capture() {
    List<StateChange> changes = new ArrayList<>();
    for (ReplicatedSession session : distinct()) {
      session.capture(changes);
    }
    return changes;
  }

  @Override
  public void commit() {
    end(true);
  }

  @Override
  public void rollback() {
    end(false);
  }

  private synchronized void end(boolean committed) {
    if (ended) {
      return;
    }
    ended = true;
    for (ReplicatedSession session : distinct()) {
      if (committed) {
        session.committed();
      } else {
        session.discard();
      }
    }
    locked.forEach(manager.locks()::release);
  }
}
