package org.understudy.notification.delivery;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.thread.DaemonThreads;
import org.understudy.thread.RepeatedTask;
import org.understudy.thread.Threads;

/**
 * The threads of all outboxes, and their one timer. Some write envelopes, some evaluate filters; none waits for a consumer.
 *
 * <p>The number of concurrent attempts is limited, because each needs a connection. A slow attempt frees its place, and the
 * next attempts for its consumer start in a bulkhead for slow consumers: any number of stalled consumers delays the others
 * once, by fractions of a second. An attempt is slow compared with the others', so no consumer counts as slow when this
 * machine is. Thread-safe.
 */
final class DeliveryScheduler implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DeliveryScheduler.class);

  /** An attempt is slow when it takes this multiple of the average. */
  private static final int SLOW = 4;
  /** Slow consumers have this multiple of the patience among themselves. */
  private static final int SLOW_CONSUMERS_PATIENCE = 4;
  private static final int SMOOTHING = 16;

  private final DeliverySettings settings;
  private final DeliveryCounters counters = new DeliveryCounters();
  private final ScheduledThreadPoolExecutor timer;
  private final ExecutorService writers;
  private final ExecutorService filterThreads;
  private final SinkConnections connections;

  private final Bulkhead normal;
  private final Bulkhead slowConsumers;
  /** Moving average of successful attempts; a lost update is harmless. */
  private volatile long usualNanos;

  DeliveryScheduler(DeliverySettings settings) {
    this.settings = settings;
    this.normal = new Bulkhead(settings.window(), 1);
    this.slowConsumers = new Bulkhead(settings.window(), SLOW_CONSUMERS_PATIENCE);
    this.timer = new ScheduledThreadPoolExecutor(1, new DaemonThreads("understudy-notify-timer-"));
    // Most deadlines are cancelled and must not pile up in the queue.
    timer.setRemoveOnCancelPolicy(true);
    timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    this.writers = Executors.newFixedThreadPool(settings.threads(), new DaemonThreads("understudy-notify-"));
    this.filterThreads =
        Executors.newFixedThreadPool(Math.max(1, settings.threads() / 2), new DaemonThreads("understudy-notify-filter-"));
    this.connections = new SinkConnections(settings, timer);
    timer.scheduleWithFixedDelay(
        new RepeatedTask("Closing idle connections to consumers", connections::closeIdle), 1, 1, TimeUnit.SECONDS);
  }

  DeliverySettings settings() {
    return settings;
  }

  DeliveryCounters counters() {
    return counters;
  }

  /** Delivers to consumers over HTTP or HTTPS. */
  Sink http() {
    return connections;
  }

  /** Ends the threads and closes the connections; queued messages are dropped. Waits for the threads, ten seconds at most. */
  @Override
  public void close() {
    timer.shutdownNow();
    filterThreads.shutdownNow();
    writers.shutdownNow();
    connections.close();
    Threads.join("The timer of notifications", timer);
    Threads.join("The threads that deliver notifications", writers);
    Threads.join("The threads that evaluate filters", filterThreads);
  }

  /** Queues the outbox for the evaluation of its first message's filters. */
  void evaluateFilters(Outbox outbox) {
    execute(filterThreads, outbox, () -> {
      try {
        outbox.evaluateFilters();
      } catch (RuntimeException e) {
        LOG.error("A filter of subscription {} failed.", outbox.subscription().id(), e);
        outbox.failed(e.toString(), true, Duration.ZERO);
      }
    });
  }

  /** Starts an attempt when a place is free. */
  void launch(Outbox outbox) {
    (outbox.isSlow() ? slowConsumers : normal).enter(outbox);
  }

  void launchAfter(Outbox outbox, Duration pause) {
    try {
      timer.schedule(() -> launch(outbox), pause.toNanos(), TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      outbox.close();
    }
  }

  private static void execute(ExecutorService threads, Outbox outbox, Runnable task) {
    try {
      threads.execute(task);
    } catch (RejectedExecutionException e) {
      // Closed: nothing more is sent.
      outbox.close();
    }
  }

  private long patienceNanos(int times) {
    long patience = times * Math.max(settings.patience().toNanos(), SLOW * usualNanos);
    return Math.min(patience, Math.max(1, settings.responseTimeout().toNanos() / 2));
  }

  /** The attempts that compete for a number of places. */
  private final class Bulkhead {
    private final int patienceTimes;
    /** Guarded by this. */
    private final ArrayDeque<Outbox> waiting = new ArrayDeque<>();
    private int free;

    Bulkhead(int places, int patienceTimes) {
      this.free = places;
      this.patienceTimes = patienceTimes;
    }

    void enter(Outbox outbox) {
      synchronized (this) {
        if (free == 0) {
          waiting.add(outbox);
          return;
        }
        free--;
      }
      run(outbox);
    }

    void leave() {
      Outbox next;
      synchronized (this) {
        next = waiting.poll();
        if (next == null) {
          free++;
        }
      }
      if (next != null) {
        run(next);
      }
    }

    private void run(Outbox outbox) {
      execute(writers, outbox, () -> new Attempt(outbox, this).start());
    }
  }

  /** One attempt, with its place. */
  private final class Attempt implements Sink.Outcome {
    private final Outbox outbox;
    private final Bulkhead place;
    private final AtomicBoolean holdsPlace = new AtomicBoolean(true);
    private final AtomicBoolean over = new AtomicBoolean();
    private final long started = System.nanoTime();
    private volatile Future<?> patience;

    Attempt(Outbox outbox, Bulkhead place) {
      this.outbox = outbox;
      this.place = place;
    }

    void start() {
      try {
        patience = timer.schedule(this::slow, patienceNanos(place.patienceTimes), TimeUnit.NANOSECONDS);
        if (!outbox.attempt(this)) {
          over.set(true);
          leave();
        }
      } catch (RejectedExecutionException e) {
        outbox.close();
      } catch (RuntimeException e) {
        LOG.error("A notification to {} could not be sent.", outbox.subscription().consumer().address(), e);
        failed(e.toString(), true);
      }
    }

    private void slow() {
      if (!over.get()) {
        outbox.markSlow();
        leavePlace();
      }
    }

    private void leavePlace() {
      if (holdsPlace.compareAndSet(true, false)) {
        place.leave();
      }
    }

    private void leave() {
      patience.cancel(false);
      leavePlace();
    }

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // An estimate: one of two at the same moment may be lost.
    public void delivered() {
      if (over.compareAndSet(false, true)) {
        long took = System.nanoTime() - started;
        usualNanos += (took - usualNanos) / SMOOTHING;
        leave();
        counters.countDelivered();
        outbox.delivered(took <= patienceNanos(1));
      }
    }

    @Override
    public void postponed() {
      if (over.compareAndSet(false, true)) {
        leave();
        launchAfter(outbox, settings.postponement());
      }
    }

    @Override
    public void failed(String why, boolean forGood, Duration retryAfter) {
      if (over.compareAndSet(false, true)) {
        leave();
        outbox.failed(why, forGood, retryAfter);
      }
    }
  }
}
