package org.understudy.session;

import java.util.List;
import org.understudy.thread.DaemonThreads;
import org.understudy.thread.RepeatedTask;
import org.understudy.thread.Threads;

/**
 * Ends expired sessions in a thread of its own, one round at a time. Tomcat's background thread, which finds them, serves all web
 * applications: it must wait neither for the group nor for listeners. Between two rounds there is no thread. Thread-safe.
 */
final class ExpiryRounds {
  private final ReplicatedSessionManager manager;
  private final ClassLoader loader;
  private final RepeatedTask round = new RepeatedTask("The end of expired sessions", this::end);
  /** Of the last round; null for none. Guarded by this. */
  private Thread running;
  private boolean closed;
  /** Of the running round; written before its thread starts. */
  private List<String> expired;

  /** @param loader of the web application, whose listeners run here */
  ExpiryRounds(ReplicatedSessionManager manager, ClassLoader loader) {
    this.manager = manager;
    this.loader = loader;
  }

  /** Begins a round, unless the last one is running. Does not wait. */
  synchronized void begin(List<String> sessions) {
    if (closed || sessions.isEmpty() || running != null && running.isAlive()) {
      return;
    }
    expired = sessions;
    running = DaemonThreads.daemon("understudy-session-expiry", round);
    running.setContextClassLoader(loader);
    running.start();
  }

  private void end() {
    try {
      new Expiry(manager).end(expired);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Interrupts the running round, and waits some seconds for its end: its thread must not outlive the web application. */
  void close() {
    Thread last;
    synchronized (this) {
      closed = true;
      last = running;
    }
    if (last != null) {
      last.interrupt();
      Threads.join(last);
    }
  }
}
