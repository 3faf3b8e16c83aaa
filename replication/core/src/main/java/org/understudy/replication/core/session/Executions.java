package org.understudy.replication.core.session;

import java.util.LinkedHashMap;
import java.util.Map;
import org.understudy.replication.api.SessionId;
import org.understudy.replication.core.Request;
import org.understudy.replication.core.RequestKey;

/** The requests whose service method runs now or whose outcome has no place in the order yet. */
final class Executions {
  private final Map<Long, Execution> byToken = new LinkedHashMap<>();
  private final Map<RequestKey, Execution> byKey = new LinkedHashMap<>();

  void add(Execution execution) {
    byToken.put(execution.boxedToken(), execution);
    Request request = execution.request();
    if (request.kind() == Request.Kind.UPDATE && request.key() != null) {
      byKey.put(request.key(), execution);
    }
  }

  /** The execution of this token, or null. */
  Execution find(long token) {
    return byToken.get(token);
  }

  /** The update under this key that was let in last and has not ended, or null. */
  Execution find(RequestKey key) {
    return key == null ? null : byKey.get(key);
  }

  /** The copy of this token waits no longer: who never returns must not gather the copies that were sent meanwhile. */
  void stopWaiting(long token) {
    for (Execution execution : byToken.values()) {
      execution.removeWaiting(token);
    }
  }

  /** Whether an update of the session is being executed: it does not expire meanwhile. */
  boolean isRunning(SessionId session) {
    for (RequestKey key : byKey.keySet()) {
      if (key instanceof RequestKey.OfSession of && of.session().equals(session)) {
        return true;
      }
    }
    return false;
  }

  /** It has ended. */
  void remove(Execution execution) {
    byToken.remove(execution.boxedToken());
    if (execution.request().key() != null) {
      byKey.remove(execution.request().key(), execution);
    }
  }
}
