package org.understudy.session;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.understudy.replication.core.update.StateChange;
import org.understudy.replication.runtime.Proposal;
import org.understudy.replication.runtime.state.AppliedState;
import org.understudy.session.record.AttributeForm;
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
  /** What the web application has read of sessions that the request does not name, by key. */
  private final Map<String, Copy> copies = new LinkedHashMap<>();
  private final Set<String> locked = new LinkedHashSet<>();
  /** Sessions that the request does not name, and that it changes or ends. */
  private final Set<String> others = new LinkedHashSet<>();
  /** The execution must be undone and run again: what it rests on, or needs, is in another request's hands at this replica. */
  private boolean outdated;
  /** The session whose lock the execution needs, and another request has; null for none. */
  private String awaited;
  private boolean ended;

  /**
   * An attribute of a session that is not used.
   *
   * @param written the bytes that this JVM writes for the value; null for one that does not change
   */
  private record Copy(String session, String name, long generation, Object value, byte[] written) {}

  SessionTransaction(ReplicatedSessionManager manager, AppliedState state, long token) {
    this.manager = manager;
    this.state = state;
    this.token = token;
  }

  long token() {
    return token;
  }

  /** Whether the execution has used, found or read a session. */
  boolean isUsed() {
    return !sessions.isEmpty() || !found.isEmpty() || !copies.isEmpty();
  }

  /**
   * Whether the execution rests on a session that has ended, or has got another user, since it was found; or changes a session that another
   * request uses at this replica. Then it is undone, and runs again after {@link #awaitOther}.
   */
  boolean isOutdated() {
    return outdated;
  }

  /**
   * Waits until the other request has left the session that this execution needed. Called after the rollback: nobody waits for another
   * session while it holds a lock, so no two requests wait for each other.
   *
   * @return null when the execution may run again; otherwise the reason why not, as a sentence
   */
  String awaitOther() throws InterruptedException {
    String occupied = awaited == null ? null : manager.locks().take(awaited, LOCK_PATIENCE);
    if (awaited != null && occupied == null) {
      manager.locks().release(awaited);
    }
    return occupied;
  }

  /** Whether the request changes the session and does not name it, so that it is no access to it. */
  boolean isOther(String id) {
    return others.contains(id);
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

  /**
   * A session that the request does not name, with its lock; null when it does not exist or has expired. Does not wait.
   *
   * @throws UnavailableSessionException when another request uses the session here: the execution is {@linkplain #isOutdated outdated}
   */
  ReplicatedSession findOther(String id) {
    if (!lockUnused(id)) {
      outdated = true;
      awaited = id;
      throw new UnavailableSessionException("Another request uses the session that this one changes. The request runs again.");
    }
    if (!sessions.containsKey(id)) {
      others.add(id);
      copies.forEach((key, copy) -> readAgain(id, key, copy));
    }
    return find(id);
  }

  /** What was read of a session before it is used counts as read in the use, and must be as it was. */
  private void readAgain(String id, String key, Copy copy) {
    if (copy.session.equals(id) && reading(key) != copy.generation) {
      outdated = true;
      throw new UnavailableSessionException("The session has changed since it was read. The request runs again.");
    }
  }

  /** An attribute of a session that is not used, as it is stable; the same object each time. Null for none. */
  Object copy(String id, String name) {
    String key = SessionKeys.attribute(id, name);
    Copy known = copies.get(key);
    if (known == null) {
      long generation = state.stateVersion(key);
      Object value = manager.committedAttribute(id, name);
      byte[] written = AttributeForm.isImmutable(value) ? null : manager.form().write(name, value, 0);
      known = new Copy(id, name, generation, value, written);
      copies.put(key, known);
    }
    return known.value;
  }

  /** Lets what has been changed in place be a change of its session, which is used from here on. */
  private void useChanged(Copy copy) {
    boolean same = copy.written == null || Arrays.equals(copy.written, manager.form().write(copy.name, copy.value, copy.written.length));
    ReplicatedSession session = same ? null : findOther(copy.session);
    if (session != null) {
      session.takeChanged(copy.name, copy.value);
    }
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

  /**
   * The id of the request's session after the execution: of the last one that is valid; empty for none.
   *
   * @param requested the session that the request names; null for none
   */
  String sessionId(String requested) {
    String last = requested != null && found.containsKey(requested) ? requested : "";
    for (Map.Entry<String, ReplicatedSession> session : sessions.entrySet()) {
      last = session.getValue().isValid() && !isOther(session.getKey()) ? session.getValue().getIdInternal() : last;
    }
    return last;
  }

  /**
   * What the execution has changed, after the web application has returned.
   *
   * @throws UnavailableSessionException when the execution is {@linkplain #isOutdated outdated}
   */
  List<StateChange> capture() {
    List<StateChange> changes = new ArrayList<>();
    copies.values().forEach(this::useChanged);
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
