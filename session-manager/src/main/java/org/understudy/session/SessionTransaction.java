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
  /** Sessions that have been found and not been used, so that they are not locked; as they were found. */
  private final Map<String, SessionRecord> found = new LinkedHashMap<>();
  private final Set<String> locked = new LinkedHashSet<>();
  /** The execution must be undone and run again: it has found a session that another request of this replica has ended since. */
  private boolean outdated;
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
    return !sessions.isEmpty() || !found.isEmpty();
  }

  /** Whether the execution rests on a session that has ended, or has got another user, since it was found. Then it runs again. */
  boolean isOutdated() {
    return outdated;
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

  /** Whether all that has been read is as it was. This replica can have changed only what was found and not used. */
  boolean isCurrent() {
    return generations.entrySet().stream().allMatch(read -> state.stateVersion(read.getKey()) == read.getValue());
  }

  byte[] state(String key) {
    return state.state(key);
  }

  /**
   * The session, without its lock until it is used: Tomcat looks it up for each request that names it, and asks for its user only. Null
   * when it does not exist or has expired.
   */
  ReplicatedSession look(String id) {
    ReplicatedSession known = sessions.get(id);
    if (known != null) {
      return known;
    }
    String key = SessionKeys.record(id);
    reading(key);
    byte[] bytes = state(key);
    if (bytes == null) {
      return null;
    }
    ReplicatedSession session = manager.live(id);
    SessionRecord record = session.decode(bytes);
    if (record.isExpired(manager.now())) {
      return find(id);
    }
    found.putIfAbsent(id, record);
    return session;
  }

  /**
   * The session, with its lock; null when it does not exist or has expired.
   *
   * @throws UnavailableSessionException when its lock cannot be taken, or the execution is {@linkplain #isOutdated outdated}
   */
  ReplicatedSession find(String id) {
    ReplicatedSession known = sessions.get(id);
    if (known != null) {
      return known;
    }
    lock(id);
    String key = SessionKeys.record(id);
    SessionRecord before = found.remove(id);
    if (before != null) {
      readAgain(key, before);
    }
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

  /** What has been seen of the session without its lock: that it exists, and its user. Nothing else need be as it was. */
  private void readAgain(String key, SessionRecord before) {
    if (!isAsFound(key, before)) {
      outdated = true;
      throw new UnavailableSessionException("The session has changed while the request waited for it. The request runs again.");
    }
    versions.remove(key);
    generations.remove(key);
  }

  private boolean isAsFound(String key, SessionRecord before) {
    byte[] bytes = state(key);
    return bytes != null && SessionRecord.decode(bytes).hasUserOf(before);
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

  /** The id of the session after the execution: of the last one that is valid; empty for none. */
  String sessionId() {
    String last = found.keySet().stream().findFirst().orElse("");
    for (ReplicatedSession session : sessions.values()) {
      last = session.isValid() ? session.getIdInternal() : last;
    }
    return last;
  }

  /** What the execution has changed, after the web application has returned. */
  List<StateChange> capture() {
    List<StateChange> changes = new ArrayList<>();
    Map.copyOf(found).forEach(this::showAccess);
    for (ReplicatedSession session : distinct()) {
      session.capture(changes);
    }
    return changes;
  }

  /** Uses a session that was only found where its record must show the access. Another request that uses it shows its own. */
  private void showAccess(String id, SessionRecord before) {
    if (before.isAccessDue(manager.now()) && lockUnused(id) && isAsFound(SessionKeys.record(id), before)) {
      find(id);
    }
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
