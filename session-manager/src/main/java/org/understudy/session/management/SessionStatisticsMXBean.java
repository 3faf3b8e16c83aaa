package org.understudy.session.management;

/**
 * What this replica has done with requests of sessions since the web application started. The MBean is named
 * {@code org.understudy:type=HttpSessions,group=…,replica=…}.
 */
public interface SessionStatisticsMXBean {
  /** The sessions of the group. */
  int getSessions();

  /** The requests that hold or wait for the lock of a session. */
  int getLockedSessions();

  /** The requests whose update of a session is stable. */
  long getUpdates();

  /** The requests that used a session and changed nothing. */
  long getReads();

  /** The repeated requests that got a stored answer. */
  long getRepeatedRequests();

  /** The runs of the web application that were repeated, because another replica had changed the session. */
  long getRepeatedRuns();

  /** The answers that were sent before the session was stable. */
  long getUnprotectedAnswers();

  /** The requests of sessions that were refused or cut off. */
  long getFailures();

  /** The sessions that this replica has ended for inactivity. */
  long getExpired();
}
