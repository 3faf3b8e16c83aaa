package org.understudy.durability.database;

import java.util.ArrayList;
import java.util.List;
import org.understudy.thread.DaemonThreads;

/**
 * The threads of the connection pool. One of them opens connections, and pauses for up to five seconds after failures; the pool itself has
 * no way to shorten that. Thread-safe.
 */
final class PoolThreads {
  private final DaemonThreads threads;
  private final List<Thread> alive = new ArrayList<>();

  /** @param pool begins the names of the threads */
  PoolThreads(String pool) {
    threads = new DaemonThreads(pool + "-");
  }

  synchronized Thread make(Runnable task) {
    alive.removeIf(thread -> thread.getState() == Thread.State.TERMINATED);
    Thread thread = threads.newThread(task);
    alive.add(thread);
    return thread;
  }

  /** Ends pauses: the pool takes an interruption of its threads for that, and nothing else of theirs is interruptible. */
  synchronized void wake() {
    alive.forEach(Thread::interrupt);
  }
}
