package org.understudy.wsrf.resource;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.understudy.thread.DaemonThreads;
import org.understudy.thread.Threads;

/**
 * Completes the futures of a service's own updates, on threads that do nothing else: what the service does when a future completes
 * delays no replica. Threads exist only while there is something to complete. Thread-safe.
 */
final class UpdateResults {
  /** Futures that are not completed, or whose dependents have not returned. */
  static final int MAX_OPEN = 10_000;

  private static final int THREADS = 4;
  private static final long IDLE_SECONDS = 10;
  private static final String NAME = "understudy-update-results-";

  private final ThreadPoolExecutor threads =
      new ThreadPoolExecutor(
          THREADS, THREADS, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), new DaemonThreads(NAME));
  private final AtomicInteger open = new AtomicInteger();

  UpdateResults() {
    threads.allowCoreThreadTimeOut(true);
  }

  /** Adds an open future; returns null when there are too many. */
  CompletableFuture<Void> open() {
    if (open.incrementAndGet() > MAX_OPEN) {
      open.decrementAndGet();
      return null;
    }
    return new CompletableFuture<>();
  }

  /**
   * Completes a future that was opened; once for each. Returns at once.
   *
   * @param failure null: it succeeded
   */
  void complete(CompletableFuture<Void> future, Throwable failure) {
    Runnable completion = () -> {
      try {
        if (failure == null) {
          future.complete(null);
        } else {
          future.completeExceptionally(failure);
        }
      } finally {
        open.decrementAndGet();
      }
    };
    try {
      threads.execute(completion);
    } catch (RejectedExecutionException e) {
      // Closed. The thread that reports a late result must not run the service's code all the same.
      DaemonThreads.daemon(NAME + "late", completion).start();
    }
  }

  /** Completes what was reported, and ends the threads. Waits for them, five seconds at most. */
  void close() {
    threads.shutdown();
    Threads.join("The threads that report results of updates", threads);
  }
}
