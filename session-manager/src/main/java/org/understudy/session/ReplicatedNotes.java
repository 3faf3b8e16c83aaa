package org.understudy.session;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.apache.catalina.authenticator.Constants;

/**
 * The notes of Tomcat's authenticators that another replica needs in the middle of a login: the request that asked for the login, and
 * the id that the session had then. They are replicated like attributes, under names that the web application does not see.
 */
final class ReplicatedNotes {
  private static final String PREFIX = "\u0000";
  private static final Set<String> NAMES = Set.of(Constants.FORM_REQUEST_NOTE, Constants.SESSION_ID_NOTE);

  private ReplicatedNotes() {}

  /** The name under which a note is replicated; null for a note that stays at its replica. */
  static String attribute(String note) {
    return NAMES.contains(note) ? PREFIX + note : null;
  }

  /** The names that the web application sees. */
  static List<String> visible(Collection<String> names) {
    return names.stream().filter(name -> !name.startsWith(PREFIX)).toList();
  }
}
