package org.understudy.client.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.understudy.client.envelope.SessionAnswer;
import org.understudy.client.view.GroupView;
import org.understudy.replication.api.VersionHandles;

/** When a session is opened, renewed and void, and which numbers its requests get, on virtual time. */
class SessionLifecycleTest {
  private static final long SECOND = 1_000_000_000L;

  private final SessionLifecycle lifecycle = new SessionLifecycle();

  private static SessionAnswer answer(String session, int leaseSeconds) {
    return new SessionAnswer(session, leaseSeconds, VersionHandles.NONE, GroupView.NONE);
  }

  private Session open(long now) {
    assertTrue(lifecycle.beginsOpening());
    return lifecycle.opened(now, answer("a", 30));
  }

  @Test
  void oneCallerOpensForAll() {
    assertNull(lifecycle.use(0));
    assertTrue(lifecycle.beginsOpening());
    assertFalse(lifecycle.beginsOpening());
    Session opened = lifecycle.opened(0, answer("a", 30));
    assertSame(opened, lifecycle.use(1));
    assertFalse(lifecycle.beginsOpening());
  }

  @Test
  void nextCallerOpensAfterAFailure() {
    assertTrue(lifecycle.beginsOpening());
    lifecycle.notOpened();
    assertNull(lifecycle.use(0));
    assertTrue(lifecycle.beginsOpening());
  }

  @Test
  void anAnswerWithoutSessionOrLeaseOpensNothing() {
    assertTrue(lifecycle.beginsOpening());
    assertNull(lifecycle.opened(0, answer(null, 30)));
    assertNull(lifecycle.opened(0, answer("a", 0)));
    assertNull(lifecycle.use(0));
    assertFalse(lifecycle.beginsOpening(), "The caller has not said that it gave up.");
    lifecycle.notOpened();
    assertTrue(lifecycle.beginsOpening());
  }

  @Test
  void anIdleSessionIsRenewedAfterAThirdOfItsLease() {
    Session session = open(5);
    assertEquals(10 * SECOND, SessionLifecycle.renewalInterval(session));
    assertFalse(lifecycle.isRenewalDue(session, 5 + 10 * SECOND - 1));
    assertTrue(lifecycle.isRenewalDue(session, 5 + 10 * SECOND));
  }

  @Test
  void aSessionInUseIsNotRenewed() {
    Session session = open(0);
    lifecycle.use(4 * SECOND);
    assertFalse(lifecycle.isRenewalDue(session, 10 * SECOND));
    assertTrue(lifecycle.isRenewalDue(session, 14 * SECOND));
  }

  @Test
  void expiredSessionIsReplaced() {
    Session gone = open(0);
    assertTrue(lifecycle.expired(gone));
    assertNull(lifecycle.use(1));
    assertFalse(lifecycle.isRenewalDue(gone, 20 * SECOND));
    Session next = open(2);
    assertNotSame(gone, next);
    assertFalse(lifecycle.expired(gone), "Another caller's late news of the old one.");
    assertSame(next, lifecycle.use(3));
    assertEquals(1, next.window().begin(), "Numbers begin anew.");
  }

  @Test
  void closeEndsTheSessionOnce() {
    Session session = open(0);
    assertSame(session, lifecycle.end());
    assertNull(lifecycle.end());
    assertFalse(lifecycle.isRenewalDue(session, 20 * SECOND));
  }

  @Test
  void numbersAreGivenOutOnceAndAcknowledgedWithoutGaps() {
    SequenceWindow window = open(0).window();
    for (long number = 1; number <= 4; number++) {
      assertEquals(number, window.begin());
    }
    window.complete(2);
    assertEquals(1, window.ackBelow());
    window.complete(1);
    assertEquals(3, window.ackBelow());
    window.complete(4);
    assertEquals(3, window.ackBelow());
    window.complete(3);
    assertEquals(5, window.ackBelow());
  }

  @Test
  void windowDropsAcknowledgedNumbers() {
    SequenceWindow window = open(0).window();
    long first = window.begin();
    for (int i = 0; i < 10_000; i++) {
      window.complete(window.begin());
    }
    assertEquals(1, window.ackBelow());
    window.complete(first);
    assertEquals(10_002, window.ackBelow());
    long next = window.begin();
    assertEquals(10_002, next);
    window.complete(next);
    assertEquals(10_003, window.ackBelow());
  }
}
