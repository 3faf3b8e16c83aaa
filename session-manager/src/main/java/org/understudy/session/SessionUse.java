package org.understudy.session;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.understudy.session.record.AttributeForm;
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
   * @param digest of the bytes that this JVM writes for the object, where they are not those of the state: a map that was read can
   *     have another order of its entries; else null
   */
  record Loaded(long generation, byte[] digest) {
    /** Whether the bytes are those of the object as it was restored or written last, when its state was this one. */
    boolean isEqual(byte[] bytes, byte[] state) {
      return digest == null ? Arrays.equals(bytes, state) : Arrays.equals(AttributeForm.digest(bytes), digest);
    }
  }

  SessionUse(SessionTransaction transaction, SessionRecord before, String idBefore) {
    this.transaction = transaction;
    this.before = before;
    this.idBefore = idBefore;
  }

  /** The names in ascending order: those of the record before, unless they have changed. Most requests change values only. */
  List<String> names(Set<String> now) {
    boolean same = before != null && before.attributes().size() == now.size() && now.containsAll(before.attributes());
    return same ? before.attributes() : List.copyOf(new TreeSet<>(now));
  }
}
