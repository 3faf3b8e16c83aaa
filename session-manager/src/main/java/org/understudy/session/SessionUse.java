package org.understudy.session;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.understudy.session.record.SessionRecord;

/** The use of a session by one transaction. Belongs to the session, and to the thread of the transaction. */
final class SessionUse {
  final SessionTransaction transaction;
  /** Before the transaction; null for a new session. */
  final SessionRecord before;
  final String idBefore;
  final Set<String> read = new HashSet<>();
  final Set<String> written = new HashSet<>();
  /** What is known of the attributes after the commit. */
  final Map<String, Loaded> captured = new HashMap<>();
  long recordGeneration;

  /**
   * An attribute's object.
   *
   * @param generation of the state that it was restored from
   * @param digest of the object's bytes, as this JVM writes them
   */
  record Loaded(long generation, byte[] digest) {}

  SessionUse(SessionTransaction transaction, SessionRecord before, String idBefore) {
    this.transaction = transaction;
    this.before = before;
    this.idBefore = idBefore;
  }
}
