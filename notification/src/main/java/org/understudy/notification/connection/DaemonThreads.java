package org.understudy.notification.connection;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** Daemon threads named with a prefix and a number, from 1. Thread-safe. */
public final class DaemonThreads implements ThreadFactory {
  private final String prefix;
  private final AtomicInteger number = new AtomicInteger();

  public DaemonThreads(String prefix) {
    this.prefix = prefix;
  }

  @Override
  public Thread newThread(Runnable task) {
    Thread thread = new Thread(task, prefix + number.incrementAndGet());
    thread.setDaemon(true);
    return thread;
  }
}
