package org.understudy.wsrf.notification;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.notification.delivery.Checkpoint;
import org.understudy.notification.delivery.DeliveryCounters;
import org.understudy.notification.delivery.Dispatcher;
import org.understudy.notification.message.Notification;
import org.understudy.notification.subscription.EndReason;
import org.understudy.replication.api.Duty;
import org.understudy.replication.core.update.StateChange;
import org.understudy.replication.runtime.routing.Duties;
import org.understudy.replication.runtime.routing.DutyListener;
import org.understudy.replication.runtime.state.StateListener;
import org.understudy.thread.DaemonThreads;
import org.understudy.thread.Threads;
import org.understudy.wsrf.resource.InternalUpdates;

/**
 * The published messages that are not yet delivered to all consumers, as a log in the replicated state. Every replica follows
 * it. The replica with the duty delivers stable messages only, and periodically stores a checkpoint in an update of its own.
 * Its successor continues from the checkpoint: a message may then arrive twice, under the same id, but none is lost.
 *
 * <p>Threads: calls of the replica are queued at once; one thread of this log processes them.
 */
public final class NotificationLog implements StateListener, DutyListener, AutoCloseable {
  /** The prefix of the keys of messages, see {@link StateChange#NUMBERED}. */
  static final String MESSAGES = "message";

  private static final Logger LOG = LoggerFactory.getLogger(NotificationLog.class);
  private static final String MESSAGE = MESSAGES + "/";
  /** With a slash, as in all keys except those of the service's resources, so that no id can equal it. */
  static final String CHECKPOINT = "notifications/delivered";
  private static final long CHECKPOINT_MILLIS = 100;
  private static final int MAX_PER_CHECKPOINT = 5_000;
  private static final int MAX_LAGGARDS = 256;
  private static final int MANY = 50;
  private static final long HEAD_START_MILLIS = 5;
  private static final long TAKE_OVER_MILLIS = 200;
  /** A position is an update's index, followed by this many bits for the place of a message in the update. */
  private static final int PLACE_BITS = 16;

  private final Subscriptions subscriptions;
  private final Supplier<Dispatcher> dispatchers;
  private final InternalUpdates updates;
  private final int mostKept;
  private final long mostBytes;
  private final Duties duties;
  private final Ending ending;
  private final ConcurrentLinkedQueue<Runnable> news = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean working = new AtomicBoolean();
  private final ScheduledExecutorService worker;

  /** Written under the replica's lock. */
  private volatile long stable;

  private volatile long lastApplied;

  /** Written by the worker. */
  private volatile long published;

  /** Null unless this replica delivers; written by the worker. */
  private volatile Dispatcher dispatcher;

  private volatile long keptNow;

  /** The following fields belong to the worker. */
  private final KeptMessages kept = new KeptMessages();

  private final EndedProducers endedProducers;

  /** Every message up to this position has been passed to the dispatcher. */
  private long handedOver;

  private Checkpoint checkpoint = Checkpoint.NONE;
  private boolean checkpointing;
  /** Whether this replica has the duty to deliver. */
  private boolean delivers;

  /** Ends subscriptions. */
  @FunctionalInterface
  interface Ending {
    /**
     * Ends a subscription in an internal update.
     *
     * @param over called when that has succeeded or failed, by any thread
     */
    void end(String id, EndReason reason, Runnable over);
  }

  /**
   * Delivers nothing until {@link #begin}.
   *
   * @param dispatchers creates one when this replica is to deliver; closed when it no longer is
   * @param mostKept messages that are kept for lagging consumers
   * @param mostBytes of them
   * @param ending of a subscription that would need more, and of those whose producer has ended; must not block
   */
  NotificationLog(
      Subscriptions subscriptions,
      Supplier<Dispatcher> dispatchers,
      InternalUpdates updates,
      int mostKept,
      long mostBytes,
      Duties duties,
      Ending ending) {
    this.subscriptions = subscriptions;
    this.dispatchers = dispatchers;
    this.updates = updates;
    this.mostKept = mostKept;
    this.mostBytes = mostBytes;
    this.duties = duties;
    this.ending = ending;
    this.endedProducers = new EndedProducers(subscriptions, ending, updates, news::add);
    this.worker =
        Executors.newSingleThreadScheduledExecutor(new DaemonThreads("understudy-notifications-"));
  }

  /** Begins to deliver whenever that is the duty of this replica. The log must follow the replicated state by then. */
  void begin() {
    duties.listen(Duty.DELIVER_NOTIFICATIONS, this);
    worker.scheduleWithFixedDelay(() -> survive(this::look), CHECKPOINT_MILLIS, CHECKPOINT_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** The position of the last message, or one before the first: later messages have greater positions. */
  long position() {
    return lastApplied;
  }

  /** The number of kept messages, as of a moment ago. */
  long kept() {
    return keptNow;
  }

  /** The delivery counters since this replica began to deliver; 0 while it does not. */
  long counted(ToLongFunction<DeliveryCounters> which) {
    Dispatcher counting = dispatcher;
    return counting == null ? 0 : which.applyAsLong(counting.counters());
  }

  // ------------------------------------------------------------------------------------------------ news

  @Override
  public void onReset() {
    stable = 0;
    // This replica may have applied updates that never became stable: their positions will be assigned again.
    lastApplied = 0;
    news.add(
        () -> {
          kept.clear();
          endedProducers.clear();
          checkpoint = Checkpoint.NONE;
        });
  }

  @Override
  public void stable(long index) {
    stable = index;
    // Everything else waits for the next poll of the queue, to avoid waking a thread on a request's path.
    if (dispatcher != null && published < lastApplied) {
      // Thousands of deliveries need every processor at once, so the answer that this index releases is sent first.
      work(subscriptions.size() > MANY ? HEAD_START_MILLIS : 0);
    }
  }

  @Override
  public void begins(long epoch) {
    news.add(() -> deliver(true));
    work(0);
  }

  @Override
  public void ends() {
    news.add(() -> deliver(false));
    work(0);
  }

  @Override
  public boolean follows(String key) {
    return key.startsWith(MESSAGE) || key.startsWith(EndedProducers.END) || key.equals(CHECKPOINT);
  }

  @Override
  public void onChange(String key, byte[] state) {
    if (key.startsWith(MESSAGE)) {
      long position = position(key);
      lastApplied = Math.max(lastApplied, position);
      news.add(() -> kept.change(position, key, state));
    } else if (key.startsWith(EndedProducers.END)) {
      news.add(() -> endedProducers.onChange(key, state));
    } else if (key.equals(CHECKPOINT)) {
      news.add(() -> checkpoint = state == null ? Checkpoint.NONE : Checkpoint.decode(state));
    }
  }

  static long position(String key) {
    return StateChange.indexOf(key) << PLACE_BITS | StateChange.placeOf(key);
  }

  // ------------------------------------------------------------------------------------------------ the worker

  private void work(long afterMillis) {
    if (working.compareAndSet(false, true)) {
      later(this::drain, afterMillis);
    }
  }

  private void later(Runnable task, long afterMillis) {
    try {
      worker.schedule(() -> survive(task), afterMillis, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      LOG.debug("Closed: notifications are no longer processed.", e);
    }
  }

  /** An executor would drop the exception of a task, and never run a repeated one again. */
  private static void survive(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | OutOfMemoryError e) {
      LOG.error("A notification task failed. A message or a delivery checkpoint may be late.", e);
    }
  }

  private void drain() {
    working.set(false);
    // Updates that are stable by now are in the queue.
    long known = stable;
    for (Runnable one = news.poll(); one != null; one = news.poll()) {
      try {
        one.run();
      } catch (RuntimeException e) {
        LOG.error("A notification event could not be processed. Consumers may miss a message.", e);
      }
    }
    publish();
    handedOver = dispatcher == null ? 0 : lastOf(Math.min(known, stable));
    keptNow = kept.size();
  }

  private void deliver(boolean begins) {
    delivers = begins;
    if (begins && dispatcher == null) {
      // Starting threads and thousands of subscriptions takes processor time, which the clients that have just lost their
      // primary need more. With a few subscribers there is no need to wait.
      int waiting = subscriptions.size();
      later(this::takeOver, waiting == 0 || waiting > MANY ? TAKE_OVER_MILLIS : 0);
    } else if (!begins && dispatcher != null) {
      subscriptions.abandon();
      end(dispatcher);
      dispatcher = null;
    }
  }

  /** Closing connections takes a while, and this replica may soon have to deliver again. */
  private static void end(Dispatcher over) {
    DaemonThreads.daemon("understudy-notifications-end", over::close).start();
  }

  private void takeOver() {
    if (!delivers || dispatcher != null) {
      return;
    }
    Dispatcher fresh = null;
    try {
      fresh = dispatchers.get();
      fresh.resume(checkpoint);
      subscriptions.fill(fresh);
    } catch (RuntimeException | OutOfMemoryError e) {
      // For example when no more threads can be created.
      LOG.error("Delivery of notifications could not start. Retrying.", e);
      subscriptions.abandon();
      if (fresh != null) {
        end(fresh);
      }
      later(this::takeOver, TAKE_OVER_MILLIS);
      return;
    }
    published = checkpoint.floor();
    handedOver = 0;
    dispatcher = fresh;
    publish();
  }

  /** Passes stable messages to the dispatcher that it does not have yet. */
  private void publish() {
    if (dispatcher == null) {
      return;
    }
    kept.read(published, lastOf(stable), (position, entry) -> {
      dispatcher.publish(
          new Notification(entry.producer(), entry.topic(), entry.message(), position, entry.properties(), entry.origin()));
      published = position;
    });
  }

  /** The last position in an update. */
  static long lastOf(long index) {
    return (index + 1 << PLACE_BITS) - 1;
  }

  private void look() {
    drain();
    checkpoint();
    if (dispatcher != null) {
      endedProducers.endSubscriptions(dispatcher, handedOver);
    }
  }

  /** Stores a delivery checkpoint in an update, and removes the messages that every consumer has. */
  private void checkpoint() {
    if (dispatcher == null || checkpointing) {
      return;
    }
    Checkpoint next = dispatcher.progress();
    tellOverdue(next);
    next = next.atMost(MAX_LAGGARDS);
    if (next.equals(checkpoint)) {
      return;
    }
    List<String> done = kept.keysUpTo(next.floor(), MAX_PER_CHECKPOINT);
    checkpointing = true;
    byte[] state = next.encode();
    updates.run(
        null,
        transaction -> {
          done.forEach(transaction::remove);
          transaction.put(CHECKPOINT, state);
          return true;
        },
        () -> news.add(() -> checkpointing = false),
        failure -> {
          // The replica that delivers then stores the next one.
          LOG.debug("A checkpoint was not kept: {}", failure.sentence());
          news.add(() -> checkpointing = false);
        });
  }

  /** The consumer that lags most: all messages since its position would have to be kept for it. */
  private void tellOverdue(Checkpoint progress) {
    long limit = kept.excessUpTo(mostKept, mostBytes);
    for (Map.Entry<String, Long> laggard : progress.laggards().entrySet()) {
      if (laggard.getValue() < limit) {
        ending.end(laggard.getKey(), EndReason.OVERFLOW, () -> {});
      }
    }
  }

  @Override
  public void close() {
    worker.shutdownNow();
    Threads.join("The thread that dispatches notifications", worker);
    subscriptions.abandon();
    if (dispatcher != null) {
      dispatcher.close();
    }
  }
}
