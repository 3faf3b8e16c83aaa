package org.understudy.notification.delivery;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import javax.xml.stream.XMLStreamException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.notification.addressing.EndpointReference;
import org.understudy.notification.message.NotifyWriter;
import org.understudy.notification.subscription.EndReason;

/**
 * Delivers messages over HTTP. The fixed number of threads write envelopes and never wait for a consumer; sockets are
 * non-blocking. A consumer that is slow or dead therefore delays nobody. Thread-safe.
 *
 * <p>A message arrives at least once: when the answer is lost it is sent again, with the same {@code wsa:MessageID}.
 */
public final class Deliveries implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Deliveries.class);

  private final DeliverySettings settings;
  private final DeliveryCounters counters = new DeliveryCounters();
  private final ScheduledExecutorService timer;
  private final ExecutorService writers;
  private final SinkConnections connections;

  /**
   * Starts the threads.
   *
   * @param timer for pauses and deadlines; stays the caller's
   * @param mostConnections at the same time, to all consumers; as many as there may be outboxes, or some would wait
   */
  public Deliveries(DeliverySettings settings, ScheduledExecutorService timer, int mostConnections) {
    this.settings = settings;
    this.timer = timer;
    this.writers = Executors.newFixedThreadPool(settings.threads(), daemons("understudy-notify-"));
    this.connections = new SinkConnections(settings, timer, mostConnections);
  }

  /** Daemon threads named with a prefix and a number. */
  public static ThreadFactory daemons(String prefix) {
    AtomicInteger number = new AtomicInteger();
    return task -> {
      Thread thread = new Thread(task, prefix + number.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    };
  }

  /**
   * Opens an outbox.
   *
   * @param failure told once, by the thread that finds out, when the outbox closed for want of room or of success; must not
   *     block
   */
  public Outbox open(EndpointReference consumer, NotifyWriter writer, Consumer<EndReason> failure) {
    return new Outbox(consumer, writer, this, failure);
  }

  /** What happened so far. */
  public DeliveryCounters counters() {
    return counters;
  }

  /** Closes connections that were not used for a minute. */
  public void closeIdleConnections() {
    connections.closeIdle();
  }

  /** Ends the threads and cuts the connections; what waits is lost. Waits for the threads, 5 s at most. */
  @Override
  public void close() {
    writers.shutdownNow();
    connections.close();
    try {
      if (!writers.awaitTermination(5, TimeUnit.SECONDS)) {
        LOG.warn("Threads that deliver notifications did not end within 5 s.");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  DeliverySettings settings() {
    return settings;
  }

  void start(Outbox outbox) {
    try {
      writers.execute(() -> send(outbox));
    } catch (RejectedExecutionException e) {
      // Closed: nothing more is sent.
      outbox.close();
    }
  }

  void startAfter(Outbox outbox, Duration pause) {
    try {
      timer.schedule(() -> start(outbox), pause.toNanos(), TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      outbox.close();
    }
  }

  private void send(Outbox outbox) {
    try {
      byte[] envelope = outbox.nextEnvelope();
      if (envelope != null) {
        connections.post(outbox.consumer().address(), envelope, new SinkConnections.Answer() {
          @Override
          public void status(int code) {
            answered(outbox, code);
          }

          @Override
          public void none(String why) {
            notAnswered(outbox, why);
          }
        });
      }
    } catch (XMLStreamException | RuntimeException e) {
      LOG.error("A notification to {} could not be written.", outbox.consumer().address(), e);
      outbox.failed(true);
    }
  }

  private void answered(Outbox outbox, int code) {
    if (code >= 200 && code < 300) {
      counters.countDelivered();
      outbox.delivered();
    } else {
      LOG.debug("{} answers a notification with HTTP status {}.", outbox.consumer().address(), code);
      counters.countFailedAttempt();
      // Gone is for good; anything else may be a restart.
      outbox.failed(code == 410);
    }
  }

  private void notAnswered(Outbox outbox, String why) {
    LOG.debug("{} could not be notified: {}.", outbox.consumer().address(), why);
    counters.countFailedAttempt();
    outbox.failed(false);
  }
}
