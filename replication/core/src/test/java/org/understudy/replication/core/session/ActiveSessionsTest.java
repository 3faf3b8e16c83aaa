package org.understudy.replication.core.session;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.SessionId;

/** What a replica reports to the one that ends sessions, once in ten seconds. */
class ActiveSessionsTest {
  private static final long SECOND = 1_000_000_000L;

  private final ActiveSessions active = new ActiveSessions(10 * SECOND, true);

  private static SessionId session(int number) {
    return new SessionId(0, number);
  }

  private int reports(SessionId session, long from, long seconds) {
    int reports = 0;
    for (long now = from; now < from + seconds; now++) {
      reports += active.take(now * SECOND).contains(session) ? 1 : 0;
    }
    return reports;
  }

  @Test
  void sessionIsReportedAtOnceAndAgain() {
    active.take(100 * SECOND);
    active.add(session(1));
    assertEquals(List.of(session(1)), active.take(101 * SECOND));
    assertEquals(2, reports(session(1), 102, 60), "because a report can be lost");
  }

  @Test
  void sessionThatIsActiveAllTheTimeIsReportedOnceAnInterval() {
    int reports = 0;
    for (long now = 100; now < 1_100; now++) {
      active.add(session(1));
      reports += active.take(now * SECOND).size();
    }
    assertEquals(100, reports);
  }

  /** Only so many fit a message, and those that are active again at once have lower ids. */
  @Test
  void noSessionWaitsBehindThoseThatAreActiveAgain() {
    for (int number = 5_000; number > 0; number--) {
      active.add(session(number));
    }
    List<SessionId> reported = new ArrayList<>();
    for (int tick = 0; tick < 5; tick++) {
      List<SessionId> some = active.take(SECOND + tick);
      assertEquals(1_000, some.size());
      some.forEach(active::add);
      reported.addAll(some);
    }
    assertEquals(5_000, reported.stream().distinct().count());
  }
}
