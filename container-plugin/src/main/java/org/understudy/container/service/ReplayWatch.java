package org.understudy.container.service;

import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.api.ReplayedState;
import org.understudy.replication.runtime.state.StateListener;
import org.understudy.thread.DaemonThreads;
import org.understudy.thread.Threads;
import org.understudy.wsrf.resource.ReplayCollector;

/**
 * Finds state objects whose repeated methods are not deterministic: a replica that does not execute the service's updates executes their
 * calls again in copies, and compares the result with the primary's next whole state. On a thread of its own, one comparison at a time; a
 * whole state that arrives meanwhile is not compared. Thread-safe.
 */
public final class ReplayWatch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ReplayWatch.class);
  private static final long REPORT_PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final long IDLE_SECONDS = 10;

  private final String service;
  private final ReplayedState state;
  private final BooleanSupplier compares;
  private final Executor thread;
  private final AtomicLong differences = new AtomicLong();
  private final AtomicLong compared = new AtomicLong();
  /** Used by the thread only. */
  private long nextReport = System.nanoTime();

  /**
   * @param service its name in messages
   * @param compares whether this replica compares now: others execute the updates
   */
  public ReplayWatch(String service, ReplayedState state, BooleanSupplier compares) {
    this(
        service, state, compares,
        new ThreadPoolExecutor(
            0, 1, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), new DaemonThreads("understudy-replay-"),
            new ThreadPoolExecutor.DiscardPolicy()));
  }

  ReplayWatch(String service, ReplayedState state, BooleanSupplier compares, Executor thread) {
    this.service = service;
    this.state = state;
    this.compares = compares;
    this.thread = thread;
  }

  /** Returns what collects the states to compare. */
  public StateListener listener() {
    return new ReplayCollector(
        (id, before, updates, after) -> {
          if (compares.getAsBoolean()) {
            thread.execute(() -> compare(before, updates, after));
          }
        });
  }

  /** The number of whole states that differed from the replay. */
  public long differences() {
    return differences.get();
  }

  /** The number of whole states that were compared. */
  public long compared() {
    return compared.get();
  }

  private void compare(byte[] before, List<byte[]> updates, byte[] after) {
    List<String> found;
    try {
      found = state.compareReplay(before, updates, after);
    } catch (RuntimeException | LinkageError | StackOverflowError e) {
      LOG.error("The replay of the service {} could not be compared with the primary's state.", service, e);
      return;
    }
    compared.incrementAndGet();
    if (!found.isEmpty()) {
      differences.incrementAndGet();
      long now = System.nanoTime();
      if (now - nextReport >= 0) {
        nextReport = now + REPORT_PAUSE_NANOS;
        LOG.error(
            "The service {} has methods that are not deterministic. {} Replicas that execute them again differ from the primary until its "
                + "next whole state. Use capture instead of repeat for these methods in the durability mapping.",
            service, String.join(" ", found));
      }
    }
  }

  @Override
  public void close() {
    if (thread instanceof ThreadPoolExecutor pool) {
      pool.shutdownNow();
      Threads.join("The thread that repeats methods", pool);
    }
  }
}
