package org.understudy.session;

import jakarta.servlet.http.HttpSession;
import java.util.List;
import java.util.function.Predicate;
import org.understudy.replication.api.VersionHandle;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.runtime.Replica;
import org.understudy.session.record.AttributeException;
import org.understudy.session.record.SessionRecord;

/** Searches the state of this replica, when it shows all that was stable when the search began. Thread-safe. */
final class SessionSearch implements GroupSessions {
  private final ReplicatedSessionManager manager;

  SessionSearch(ReplicatedSessionManager manager) {
    this.manager = manager;
  }

  @Override
  public List<HttpSession> ofUser(String name) {
    return matching(record -> name.equals(record.user()), id -> true);
  }

  @Override
  public List<HttpSession> withAttribute(String name, Predicate<Object> property) {
    return matching(
        record -> record.attributes().contains(name),
        id -> {
          try {
            Object value = manager.committedAttribute(id, name);
            return value != null && property.test(value);
          } catch (AttributeException e) {
            // Logged.
            return false;
          }
        });
  }

  private List<HttpSession> matching(Predicate<SessionRecord> record, Predicate<String> session) {
    awaitStable();
    return manager.times().matching(record).stream().filter(session).map(id -> manager.live(id).getSession()).toList();
  }

  private void awaitStable() {
    Replica replica = manager.replica();
    if (replica == null) {
      throw new UnavailableSessionException("The web application is being stopped.");
    }
    try {
      if (new CurrentRead(replica, Request.SERVICE).run(VersionHandle.INITIAL, () -> {}) instanceof Submission.Event.Failed failed) {
        throw new UnavailableSessionException("The sessions of the group cannot be searched: " + failed.failure().sentence());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UnavailableSessionException("The server is being stopped.");
    }
  }
}
