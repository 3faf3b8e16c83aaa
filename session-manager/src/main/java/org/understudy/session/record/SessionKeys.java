package org.understudy.session.record;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.understudy.replication.core.limit.KeyKind;
import org.understudy.replication.core.limit.KeyKinds;

/**
 * The keys of sessions in the replicated state. A session has one key for its {@link SessionRecord} and one for each attribute, so that
 * only changed attributes are sent and two requests conflict only when they use the same attribute.
 */
public final class SessionKeys {
  /** The prefix of the keys of records. */
  public static final String RECORDS = "session/";

  private static final String ATTRIBUTES = "attribute/";

  private SessionKeys() {}

  /** The key of the session's record. */
  public static String record(String session) {
    return RECORDS + session;
  }

  /** The session of a key of a record. */
  public static String sessionOf(String recordKey) {
    return recordKey.substring(RECORDS.length());
  }

  /** The key of one attribute. The encoding keeps a slash and a number sign, which mean something in keys, out of the name. */
  public static String attribute(String session, String name) {
    return ATTRIBUTES + session + "/=" + URLEncoder.encode(name, StandardCharsets.UTF_8);
  }

  /**
   * The kinds of these keys.
   *
   * @param maxSessions in the group
   */
  public static KeyKinds kinds(long maxSessions) {
    return new KeyKinds(
        List.of(KeyKind.counted(RECORDS, "sessions", maxSessions, "sessions"), KeyKind.parts(ATTRIBUTES, RECORDS)));
  }
}
