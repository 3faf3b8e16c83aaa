package org.understudy.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.http.HttpSession;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.catalina.Context;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.session.record.SessionKeys;
import org.understudy.session.record.SessionRecord;
import org.understudy.test.Condition;

/** The time of a session's last access, which each replica knows of the requests that it has got, and from the session's record. */
class AccessTimeTest {
  private static final AtomicReference<HttpSession> HELD = new AtomicReference<>();

  @TempDir
  private Path directory;

  private final Browser browser = new Browser();

  private static void application(Context context) {
    SessionServer.servlet(context, "/time", ServletAction.servlet((request, response) -> {
      request.getSession().setMaxInactiveInterval(4);
      HELD.compareAndSet(null, request.getSession());
      response.getWriter().print(request.getSession().getLastAccessedTime());
    }));
  }

  private long recorded(SessionCluster cluster) {
    return SessionRecord.decode(cluster.server(1).replica().state(SessionKeys.record(browser.cookie("JSESSIONID")))).accessed();
  }

  /** The record is written again when it is a quarter of the interval old. */
  @Test
  void aReplicaShowsTheAccessesThatTheRecordHas() throws Exception {
    try (SessionCluster cluster = new SessionCluster(2, directory, AccessTimeTest::application)) {
      browser.open(cluster.server(1).url("/time"));
      HttpSession held = HELD.get();
      long first = recorded(cluster);
      Condition.await("another record", () -> {
        try {
          browser.open(cluster.server(2).url("/time"));
          return recorded(cluster) > first;
        } catch (Exception e) {
          throw new IllegalStateException(e);
        }
      });
      long second = recorded(cluster);
      assertTrue(held.getLastAccessedTime() >= second, "by another thread: " + (second - held.getLastAccessedTime()) + " ms before");
      long shown = Long.parseLong(browser.open(cluster.server(1).url("/time")));
      assertTrue(shown >= second, "by a request: " + (second - shown) + " ms before");
    }
  }

  /** The clock of the replica that has written the record is ahead. */
  @Test
  void theTimeDoesNotGoBackAtAReplica() {
    long ahead = System.currentTimeMillis() + 3_600_000;
    ReplicatedSession session = new ReplicatedSession(new ReplicatedSessionManager(), null);
    session.restore("A", new SessionRecord(ahead, ahead, 60, null, null, List.of(), List.of()).encode());
    for (int access = 1; access <= 3; access++) {
      session.access();
      assertEquals(ahead, session.getLastAccessedTime(), "access " + access);
    }
  }
}
