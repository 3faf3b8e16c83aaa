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

/**
 * The threads behind all outboxes, and the one timer. Some write envelopes, some judge filters; none waits for a consumer.
 *
 * <p>So many attempts are under way at a time, no more, for each costs a connection. One that takes long gives its place to
 * another, and the next one to its consumer starts in a lane of its own, among others like it: ten stalled consumers or ten
 * thousand, they delay the rest by fractions of a second once. Long is what is long compared with what the others take: when
 * this machine is slow, no consumer is treated as slow for it. Thread-safe.
 */
final class DeliveryScheduler implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DeliveryScheduler.class);

  /** An attempt is slow that takes so many times what is usual. */
  private static final int SLOW = 4;
  /** Among themselves, suspects are given so many times the patience. */
  private static final int SUSPECTS_PATIENCE = 4;
  private static final int SMOOTHING = 16;

  private final DeliverySettings settings;
  private final DeliveryCounters counters = new DeliveryCounters();
  private final ScheduledThreadPoolExecutor timer;
  private final ExecutorService writers;
  private final ExecutorService judges;
  private final SinkConnections connections;

  private final Bulkhead lane;
  private final Bulkhead suspects;
  /** Of the attempts that succeeded, moving; a lost update does no harm. */
  private volatile long usualNanos;

  DeliveryScheduler(DeliverySettings settings) {
    this.settings = settings;
    this.lane = new Bulkhead(settings.window(), 1);
    this.suspects = new Bulkhead(settings.window(), SUSPECTS_PATIENCE);
    this.timer = new ScheduledThreadPoolExecutor(1, new DaemonThreads("understudy-notify-timer-"));
    // Most deadlines are not reached: those must not pile up.
    timer.setRemoveOnCancelPolicy(true);
    timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    this.writers = Executors.newFixedThreadPool(settings.threads(), new DaemonThreads("understudy-notify-"));
    this.judges =
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

  /** Consumers on the other end of HTTP or HTTPS. */
  Sink http() {
    return connections;
  }

  /** Ends the threads and cuts the connections; what waits is lost. Waits for the threads, ten seconds at most. */
  @Override
  public void close() {
    timer.shutdownNow();
    judges.shutdownNow();
    writers.shutdownNow();
    connections.close();
    try {
      if (!writers.awaitTermination(5, TimeUnit.SECONDS) || !judges.awaitTermination(1, TimeUnit.SECONDS)) {
        LOG.warn("Threads that deliver notifications did not end in time.");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Queues the outbox for the evaluation of its first message's filters. */
  void judge(Outbox outbox) {
    execute(judges, outbox, () -> {
      try {
        outbox.judge();
      } catch (RuntimeException e) {
        LOG.error("A filter of subscription {} failed.", outbox.subscription().id(), e);
        outbox.failed(e.toString(), true, Duration.ZERO);
      }
    });
  }

  /** Starts an attempt, as soon as there is a place for it. */
  void launch(Outbox outbox) {
    (outbox.suspect() ? suspects : lane).enter(outbox);
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

  /** Attempts that compete for places. */
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

  /** One attempt, with its place among those under way. */
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
        outbox.suspected();
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
    public void failed(String why, boolean forGood, Duration retryAfter) {
      if (over.compareAndSet(false, true)) {
        leave();
        outbox.failed(why, forGood, retryAfter);
      }
    }
  }
}
