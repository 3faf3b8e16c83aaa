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
    assertTrue(now > 5_580 * SECOND && now < 5_620 * SECOND, "It expires ten minutes later, not at " + now);
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
      assertTrue(now < begin + 70 * SECOND, "It expires after a minute.");
    }
  }

  /** Otherwise a client that opens sessions and uses none would keep its places. */
  @Test
  void sessionEndsAlthoughEachCheckIsLate() {
    leases.begin(0, List.of(SESSION));
    long checks = 0;
    for (long now = 0; leases.expire(now).isEmpty(); now += 3_600 * SECOND) {
      checks++;
      assertTrue(checks <= 102, "It ends in some checks.");
    }
  }
}
