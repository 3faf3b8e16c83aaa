package org.understudy.client.session;

import java.util.concurrent.TimeUnit;
import org.understudy.client.envelope.SessionAnswer;

/**
 * The lifecycle of one principal's session, as a step function without clock, thread or connection: every input carries the
 * time, in nanoseconds. A request takes a session by {@link #use} or has one opened, then a number by {@link
 * SequenceWindow#begin}; when it needs no further answer, {@link SequenceWindow#complete} lets the group drop its reply.
 * Thread-safe: one caller opens, the others wait for it.
 */
public final class SessionLifecycle {
  private static final long SHORTEST_INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private volatile Session session;
  private volatile long usedAt;
  /** Guarded by this. */
  private boolean opening;

  /** The open session, which counts as used now; null when there is none. */
  public Session use(long now) {
    Session open = session;
    if (open != null) {
      usedAt = now;
    }
    return open;
  }

  /**
   * Whether the caller is to open a session: there is none, and no other caller opens one. Then {@link #opened} or
   * {@link #notOpened} must follow.
   */
  public synchronized boolean beginsOpening() {
    if (session != null || opening) {
      return false;
    }
    opening = true;
    return true;
  }

  /**
   * The group opened a session.
   *
   * @return null when the answer has no session or no lease: then none is open, and {@link #notOpened} must follow
   */
  public synchronized Session opened(long now, SessionAnswer answer) {
    if (answer.session() == null || answer.leaseSeconds() < 1) {
      return null;
    }
    opening = false;
    usedAt = now;
    session = new Session(answer.session(), answer.leaseSeconds());
    return session;
  }

  /** The session was not opened: the next caller tries again. */
  public synchronized void notOpened() {
    opening = false;
  }

  /** How often to call {@link #isRenewalDue} while the session is open: a third of its lease. */
  public static long renewalInterval(Session session) {
    return Math.max(SHORTEST_INTERVAL_NANOS, TimeUnit.SECONDS.toNanos(session.leaseSeconds()) / 3);
  }

  /** Whether the session is still open and was not used for a third of its lease: requests renew it themselves. */
  public boolean isRenewalDue(Session open, long now) {
    return session == open && now - usedAt >= renewalInterval(open);
  }

  /**
   * The group refused a request of the session as expired; the next request opens another one.
   *
   * @return whether it was the open one
   */
  public synchronized boolean expired(Session gone) {
    if (session != gone) {
      return false;
    }
    session = null;
    return true;
  }

  /** Ends the open session, which is then to be closed at the group; null when there is none. */
  public synchronized Session end() {
    Session open = session;
    session = null;
    return open;
  }
}
