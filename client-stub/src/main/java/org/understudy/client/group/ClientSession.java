package org.understudy.client.group;

import java.util.TreeSet;
import org.understudy.replication.api.SessionId;

/** One session: its sequence numbers, and which are not answered yet. Thread-safe. */
public final class ClientSession {
  private final SessionId id;
  private final long leaseNanos;
  private final TreeSet<Long> open = new TreeSet<>();
  private long next = 1;
  private volatile long usedAt = System.nanoTime();

  ClientSession(SessionId id, long leaseSeconds) {
    this.id = id;
    this.leaseNanos = leaseSeconds * 1_000_000_000L;
  }

  public SessionId id() {
    return id;
  }

  long leaseNanos() {
    return leaseNanos;
  }

  long idleNanos() {
    return System.nanoTime() - usedAt;
  }

  void used() {
    usedAt = System.nanoTime();
  }

  synchronized int openCount() {
    return open.size();
  }

  synchronized long begin() {
    long sequence = next++;
    open.add(sequence);
    return sequence;
  }

  synchronized void end(long sequence) {
    open.remove(sequence);
  }

  /** Every number below is answered. */
  synchronized long ackBelow() {
    return open.isEmpty() ? next : open.first();
  }
}
