package org.understudy.thread;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** Creates daemon threads named with a prefix, a number from 1 and the {@link ThreadLabel}. Thread-safe. */
public final class DaemonThreads implements ThreadFactory {
  private final String prefix;
  private final String suffix = ThreadLabel.suffix();
  private final AtomicInteger number = new AtomicInteger();

  /** @param prefix the prefix of the names, including the separator before the number */
  public DaemonThreads(String prefix) {
    this.prefix = prefix;
  }

  @Override
  public Thread newThread(Runnable task) {
    return make(prefix + number.incrementAndGet() + suffix, task);
  }

  /** Returns a daemon thread with this name and the {@link ThreadLabel} of this thread, not started. */
  public static Thread daemon(String name, Runnable task) {
    return make(name + ThreadLabel.suffix(), task);
  }

  private static Thread make(String name, Runnable task) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }
}
