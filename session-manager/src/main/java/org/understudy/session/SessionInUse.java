package org.understudy.session;

import java.io.NotSerializableException;
import java.io.ObjectOutputStream;
import java.security.Principal;
import org.apache.catalina.realm.GenericPrincipal;
import org.apache.catalina.session.StandardSession;
import org.understudy.session.record.SessionRecord;

/** A session with its use: what the thread of the use has done to its id and its life is seen by other threads when it is stable. */
abstract class SessionInUse extends StandardSession {
  private static final long serialVersionUID = 1L;

  private final transient ReplicatedSessionManager replicated;
  private final transient Runs runs;
  /** The running use; null between two. Set by the holder of the session's lock, and by any thread when the use ends. */
  private transient volatile SessionUse use;
  /** The last record that was needed. */
  private transient volatile Decoded decoded;

  /** A record and its bytes, which are replaced and never changed. */
  private record Decoded(byte[] bytes, SessionRecord record) {}

  SessionInUse(ReplicatedSessionManager manager) {
    super(manager);
    this.replicated = manager;
    this.runs = manager.runs();
  }

  /** The record with these bytes. Most requests and readers need the one that the last of them has needed. */
  final SessionRecord decode(byte[] bytes) {
    Decoded last = decoded;
    if (last == null || last.bytes != bytes) {
      last = new Decoded(bytes, SessionRecord.decode(bytes));
      decoded = last;
    }
    return last.record;
  }

  /** The record in the state that this replica has applied, for threads without a transaction; null for none. */
  final SessionRecord committedRecord() {
    byte[] bytes = replicated.committedRecord(getIdInternal());
    return bytes == null ? null : decode(bytes);
  }

  /** Begins a use, or ends it with null. */
  final void setUse(SessionUse some) {
    use = some;
  }

  /** The running use, by any thread; null between two. */
  final SessionUse use() {
    return use;
  }

  /** How many sessions more the group has after the use: 1, 0 or -1. */
  final int growth() {
    return (isValid ? 1 : 0) - (use.idBefore == null ? 0 : 1);
  }

  final Runs runs() {
    return runs;
  }

  /** The use by the calling thread, or null. Waits for the use by another one, if the thread's request names the session. */
  final SessionUse current() {
    SessionUse own = own();
    if (own == null && id != null) {
      runs.enter(getIdInternal());
      own = own();
    }
    return own;
  }

  private SessionUse own() {
    SessionUse running = use;
    return running != null && runs.executes(running.transaction) ? running : null;
  }

  /** Whether the calling thread has begun to use the session. Begins nothing. */
  final boolean isUsedHere() {
    return own() != null;
  }

  /** The use by another thread of a session that existed before; null for none. */
  private SessionUse unseen() {
    SessionUse running = use;
    return running != null && running.idBefore != null && !runs.executes(running.transaction) ? running : null;
  }

  /** The use by the calling thread. */
  final SessionUse changing() {
    SessionUse running = current();
    if (running == null && id != null) {
      runs.enterOther(getIdInternal());
      running = own();
    }
    if (running == null) {
      throw new IllegalStateException(
          "The session has ended, or is changed outside a request. Change it in the thread that processes a request of the web application,"
              + " before the servlet returns.");
    }
    return running;
  }

  @Override
  public final String getId() {
    return isValidInternal() ? getIdInternal() : super.getId();
  }

  @Override
  public final String getIdInternal() {
    SessionUse other = unseen();
    return other == null ? id : other.idBefore;
  }

  /** Expiry is decided in the log, not by this replica's clock. */
  @Override
  public final boolean isValid() {
    return isValidInternal();
  }

  @Override
  protected final boolean isValidInternal() {
    return isValid || expiring || unseen() != null;
  }

  @Override
  public final void access() {
    lastAccessedTime = Math.max(lastAccessedTime, thisAccessedTime);
    thisAccessedTime = Math.max(thisAccessedTime, replicated.now());
  }

  /** Shows an access at any replica. The time never goes back here, though clocks of replicas differ. */
  final void accessedAt(long time) {
    thisAccessedTime = Math.max(thisAccessedTime, time);
  }

  /** In a request, the time of the one before. Else that of the last one that this replica knows. */
  @Override
  public final long getLastAccessedTime() {
    SessionRecord record = id == null || current() != null ? null : committedRecord();
    if (record != null) {
      accessedAt(record.accessed());
      lastAccessedTime = Math.max(lastAccessedTime, record.accessed());
    }
    return super.getLastAccessedTime();
  }

  @Override
  public final int getMaxInactiveInterval() {
    SessionRecord record = id == null || current() != null ? null : committedRecord();
    return record == null ? super.getMaxInactiveInterval() : record.maxInactiveSeconds();
  }

  /** The user; without a use by the calling thread, the one that is stable. */
  @Override
  public final Principal getPrincipal() {
    SessionRecord record = id == null || isUsedHere() ? null : committedRecord();
    return record == null ? super.getPrincipal() : user(record);
  }

  /** The user of a record; null for none. */
  static GenericPrincipal user(SessionRecord record) {
    return record.user() == null ? null : new GenericPrincipal(record.user(), record.roles());
  }

  /** How the user has logged in; without a use by the calling thread, what is stable. */
  @Override
  public final String getAuthType() {
    SessionRecord record = id == null || isUsedHere() ? null : committedRecord();
    return record == null ? super.getAuthType() : record.authType();
  }

  @Override
  public final void endAccess() {
    // Another request may use the session already.
  }

  /** Sessions leave this JVM in the form of the module, not as objects. */
  @Override
  public final void writeObjectData(ObjectOutputStream out) throws NotSerializableException {
    throw new NotSerializableException(getClass().getName());
  }
}
