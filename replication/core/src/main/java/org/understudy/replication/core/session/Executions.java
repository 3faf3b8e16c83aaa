package org.understudy.replication.core.session;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.understudy.replication.api.SessionId;
import org.understudy.replication.core.Request;
import org.understudy.replication.core.RequestKey;

/** The requests whose service method runs now, and the repetitions that wait for it. */
public final class Executions {

  /** One run of a service method. */
  public static final class Execution {
    public final long token;
    public final Request request;
    /** The epoch in which it was let in; 0 for a read at a backup. What it did in another epoch is void. */
    public final long epoch;
    /** The epoch of the view in which it was let in. */
    public final long view;
    /** The round that confirms it, where reads are confirmed by rounds. */
    public final long round;
    public final List<Long> waiting = new ArrayList<>();

    Execution(long token, Request request, long epoch, long view, long round) {
      this.round = round;
      this.token = token;
      this.request = request;
      this.epoch = epoch;
      this.view = view;
    }
  }

  private final Map<Long, Execution> byToken = new LinkedHashMap<>();
  private final Map<RequestKey, Execution> byKey = new LinkedHashMap<>();

  public void start(long token, Request request, long epoch, long view, long round) {
    Execution execution = new Execution(token, request, epoch, view, round);
    byToken.put(token, execution);
    if (request.kind() == Request.Kind.UPDATE && request.key() != null) {
      byKey.put(request.key(), execution);
    }
  }

  /** The update under this key that is being executed in this epoch, or null. */
  public Execution find(RequestKey key, long epoch) {
    Execution execution = key == null ? null : byKey.get(key);
    return execution == null || execution.epoch != epoch ? null : execution;
  }

  /** The copy of this token waits no longer: who never returns must not gather the copies that were sent meanwhile. */
  public void stopWaiting(long token) {
    for (Execution execution : byToken.values()) {
      execution.waiting.remove((Long) token);
    }
  }

  /** Whether an update of the session is being executed: it does not expire meanwhile. */
  public boolean isRunning(SessionId session) {
    for (RequestKey key : byKey.keySet()) {
      if (key instanceof RequestKey.OfSession of && of.session().equals(session)) {
        return true;
      }
    }
    return false;
  }

  /** Ends a run; null when the token is unknown. */
  public Execution finish(long token) {
    Execution execution = byToken.remove(token);
    if (execution != null && execution.request.key() != null) {
      byKey.remove(execution.request.key(), execution);
    }
    return execution;
  }
}
