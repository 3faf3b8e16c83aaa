package org.understudy.thread;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** Daemon threads with names that begin alike and end with a number, from 1. Thread-safe. */
public final class DaemonThreads implements ThreadFactory {
  private final String prefix;
  private final AtomicInteger number = new AtomicInteger();

  /** @param prefix of the names, with what separates it from the number */
  public DaemonThreads(String prefix) {
    this.prefix = prefix;
  }

  @Override
  public Thread newThread(Runnable task) {
    return daemon(prefix + number.incrementAndGet(), task);
  }

  /** One such thread, not started, with this name. */
  public static Thread daemon(String name, Runnable task) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }
}
