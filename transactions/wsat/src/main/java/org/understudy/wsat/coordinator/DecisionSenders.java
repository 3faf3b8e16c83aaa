package org.understudy.wsat.coordinator;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.understudy.thread.DaemonThreads;
import org.understudy.thread.Threads;

/**
 * The threads that send to participants and wait for their answers, one for each message under way. Narayana is static, so there is one
 * object at a time for each class loader. Thread-safe.
 */
final class DecisionSenders implements Executor, AutoCloseable {
  private static final int MAX_THREADS = 256;
  private static final AtomicReference<DecisionSenders> CURRENT = new AtomicReference<>();

  private final ThreadPoolExecutor threads =
      new ThreadPoolExecutor(
          0, MAX_THREADS, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), new DaemonThreads("understudy-wsat-decision-"));

  /** Returns the object of the running coordinator; null before and after. */
  static DecisionSenders current() {
    return CURRENT.get();
  }

  void open() {
    CURRENT.set(this);
  }

  /** @throws RejectedExecutionException when all threads are in use, or the server ends */
  @Override
  public void execute(Runnable task) {
    threads.execute(task);
  }

  /** Ends its threads. Idempotent. */
  @Override
  public void close() {
    CURRENT.compareAndSet(this, null);
    threads.shutdownNow();
    Threads.join("The threads that tell participants of WS-AtomicTransaction", threads);
  }
}
