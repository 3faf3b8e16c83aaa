package org.understudy.replication.core.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.SessionId;

/** Leases of ten minutes, and of one minute for sessions that were only opened. */
class SessionLeasesTest {
  private static final long SECOND = 1_000_000_000L;
  private static final SessionId SESSION = SessionId.ofBytes(new byte[16]);

  private final SessionLeases leases = new SessionLeases(600 * SECOND, true);

  @Test
  void sessionSurvivesAnOutageThatIsLongerThanItsLease() {
    leases.begin(0, List.of(SESSION));
    long now = 5_000 * SECOND;
    while (leases.expire(now).isEmpty()) {
      now += 6 * SECOND;
    }
    assertTrue(now > 5_600 * SECOND && now < 5_640 * SECOND, "It expires ten minutes later, not at " + now);
  }

  /** The outage is over when a session is opened, also if no check has come since. */
  @Test
  void sessionThatIsOpenedAfterAnOutageHasTheShortLease() {
    leases.begin(0, List.of());
    long begin = 5_000 * SECOND;
    leases.open(begin, SESSION);
    assertEquals(List.of(), leases.expire(begin));
    long now = begin;
    while (leases.expire(now).isEmpty()) {
      now += 6 * SECOND;
      assertTrue(now < begin + 90 * SECOND, "It expires after a minute.");
    }
  }

  /** It was active at another replica in the last moment of its lease, and the first report of that is lost. */
  @Test
  void sessionWaitsForReportsAtTheEndOfItsLease() {
    for (long lease : new long[] {5, 60, 600, 86_400}) {
      SessionLeases some = new SessionLeases(lease * SECOND, true);
      some.begin(0, List.of());
      some.open(0, SESSION);
      long interval = SessionLeases.reportInterval(lease * SECOND);
      long first = Math.min(lease, Math.max(30, lease / 10)) * SECOND;
      for (long now = 0; now <= first + 2 * interval; now += interval / 2) {
        assertEquals(List.of(), some.expire(now), "lease " + lease);
      }
      some.renew(first + 2 * interval, SESSION);
      assertEquals(List.of(), some.expire(first + lease * SECOND), "lease " + lease);
    }
  }

  /** Otherwise a client that opens sessions and uses none would keep its places. */
  @Test
  void sessionEndsAlthoughEachCheckIsLate() {
    leases.begin(0, List.of(SESSION));
    long checks = 0;
    for (long now = 0; leases.expire(now).isEmpty(); now += 3_600 * SECOND) {
      checks++;
      assertTrue(checks <= 105, "It ends in some checks.");
    }
  }
}
