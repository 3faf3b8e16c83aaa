package org.understudy.replication.core.session;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.understudy.replication.api.SessionId;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.request.RequestKey;

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

  /** The updates whose method has not returned, or will run again. */
  List<Execution> unproposed() {
    return byToken.values().stream()
        .filter(one -> !one.isProposed() && one.request().kind() != Request.Kind.READ)
        .toList();
  }

  /** What was applied here when the oldest run began whose method has not returned; the highest number for none. */
  long oldestRun() {
    long oldest = Long.MAX_VALUE;
    for (Execution execution : byToken.values()) {
      if (!execution.isProposed()) {
        oldest = Math.min(oldest, execution.began());
      }
    }
    return oldest;
  }

  /** The last admitted update under this key that has not ended, or null. */
  Execution find(RequestKey key) {
    return key == null ? null : byKey.get(key);
  }

  /** Cancels the wait of this token, so that an execution that never returns does not accumulate duplicates. */
  void stopWaiting(long token) {
    for (Execution execution : byToken.values()) {
      execution.removeWaiting(token);
    }
  }

  /** The sessions of which a request is being executed or waits for its place: they do not expire. */
  Set<SessionId> sessions() {
    Set<SessionId> sessions = new TreeSet<>();
    for (Execution execution : byToken.values()) {
      if (execution.request().key() instanceof RequestKey.OfSession of) {
        sessions.add(of.session());
      }
    }
    return sessions;
  }

  /** Removes an execution that has ended. */
  void remove(Execution execution) {
    byToken.remove(execution.boxedToken());
    if (execution.request().key() != null) {
      byKey.remove(execution.request().key(), execution);
    }
  }
}
