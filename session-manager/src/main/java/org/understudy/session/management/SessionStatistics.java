package org.understudy.session.management;

import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntSupplier;
import javax.management.ObjectName;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.runtime.management.RegisteredBean;

/** Counts what happens to requests of sessions, and reports it through JMX until it is closed. Thread-safe. */
public final class SessionStatistics implements SessionStatisticsMXBean, AutoCloseable {
  private final IntSupplier sessions;
  private final IntSupplier lockedSessions;
  private final LongAdder updates = new LongAdder();
  private final LongAdder reads = new LongAdder();
  private final LongAdder repeatedRequests = new LongAdder();
  private final LongAdder repeatedRuns = new LongAdder();
  private final LongAdder unprotectedAnswers = new LongAdder();
  private final LongAdder failures = new LongAdder();
  private final LongAdder expired = new LongAdder();
  /** Null when the registration failed. */
  private final RegisteredBean registration;

  /**
   * Registers the counts of a replica. If that fails, it logs a warning and counts nevertheless.
   *
   * @param sessions of the group, now
   * @param lockedSessions that are used by requests, now
   */
  public SessionStatistics(String group, ReplicaId self, IntSupplier sessions, IntSupplier lockedSessions) {
    this.sessions = sessions;
    this.lockedSessions = lockedSessions;
    ObjectName name = RegisteredBean.name("type=HttpSessions,group=" + ObjectName.quote(group) + ",replica=" + self);
    this.registration = RegisteredBean.of(this, name, "The sessions of " + group);
  }

  public void update() {
    updates.increment();
  }

  public void read() {
    reads.increment();
  }

  public void repeatedRequest() {
    repeatedRequests.increment();
  }

  public void repeatedRun() {
    repeatedRuns.increment();
  }

  public void unprotectedAnswer() {
    unprotectedAnswers.increment();
  }

  public void failure() {
    failures.increment();
  }

  public void expired(int count) {
    expired.add(count);
  }

  @Override
  public int getSessions() {
    return sessions.getAsInt();
  }

  @Override
  public int getLockedSessions() {
    return lockedSessions.getAsInt();
  }

  @Override
  public long getUpdates() {
    return updates.sum();
  }

  @Override
  public long getReads() {
    return reads.sum();
  }

  @Override
  public long getRepeatedRequests() {
    return repeatedRequests.sum();
  }

  @Override
  public long getRepeatedRuns() {
    return repeatedRuns.sum();
  }

  @Override
  public long getUnprotectedAnswers() {
    return unprotectedAnswers.sum();
  }

  @Override
  public long getFailures() {
    return failures.sum();
  }

  @Override
  public long getExpired() {
    return expired.sum();
  }

  @Override
  public void close() {
    if (registration != null) {
      registration.close();
    }
  }
}
