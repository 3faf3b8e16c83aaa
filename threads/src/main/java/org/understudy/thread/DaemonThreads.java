package org.understudy.thread;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** Creates daemon threads named with a prefix and a number from 1. Thread-safe. */
public final class DaemonThreads implements ThreadFactory {
  private final String prefix;
  private final AtomicInteger number = new AtomicInteger();

  /** @param prefix the prefix of the names, including the separator before the number */
  public DaemonThreads(String prefix) {
    this.prefix = prefix;
  }

  @Override
  public Thread newThread(Runnable task) {
    return daemon(prefix + number.incrementAndGet(), task);
  }

  /** Returns a daemon thread with this name, not started. */
  public static Thread daemon(String name, Runnable task) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }
}
