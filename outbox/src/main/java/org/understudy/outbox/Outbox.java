package org.understudy.outbox;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.notification.connection.ConnectionSettings;
import org.understudy.notification.connection.HttpConnections;
import org.understudy.replication.api.Duty;
import org.understudy.replication.core.limit.KeyKind;
import org.understudy.replication.core.update.StateChange;
import org.understudy.replication.runtime.routing.Duties;
import org.understudy.replication.runtime.routing.DutyListener;
import org.understudy.replication.runtime.state.StateListener;
import org.understudy.replication.runtime.state.WholeState;
import org.understudy.thread.DaemonThreads;
import org.understudy.thread.Threads;
import org.understudy.wsrf.resource.CallSender;
import org.understudy.wsrf.resource.InternalUpdates;

/**
 * Sends the calls of a service to other services. An operation adds a call to its update. The replica with the duty sends stable
 * calls, one after another for each destination. It stores each answer in an update and delivers it to the service in another
 * update. After a failover the next replica sends the unanswered calls: a destination may receive a call twice, under the same
 * {@code wsa:MessageID}.
 *
 * <p>Threads: callbacks of the replica only change the table. One thread of the outbox selects what is sent. The connections share
 * a fixed number of threads. The thread that executes updates delivers replies to the service.
 */
public final class Outbox implements StateListener, DutyListener, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Outbox.class);
  private static final int MAX_SENDING = 64;
  private static final int MAX_TAKING = 64;
  private static final long INTERVAL_MS = 50;
  private static final Duration CONNECT = Duration.ofSeconds(5);
  private static final Duration ANSWER = Duration.ofSeconds(60);
  private static final int CONNECTION_THREADS = 1;

  private final CallTable table = new CallTable();
  private final OutboxSettings settings;
  private final Duties duties;
  private final InternalUpdates updates;
  private final boolean takesReplies;
  private final OutboxThread thread = new OutboxThread();
  private final Outcomes outcomes;
  private final CallSending sending;
  private final ReplyGiving giving;
  private final AtomicBoolean wakeScheduled = new AtomicBoolean();
  /** Index of the last stable update; written under the replica's lock. */
  private volatile long stable;
  /** Whether only this replica can have sent the calls that are applied now; used under the replica's lock. */
  private boolean onlySender;
  /** Used by the outbox thread; null while this replica does not send. */
  private HttpConnections connections;
  /** Used by the outbox thread: closes the connections of the last duty; null: there were none. */
  private Thread closingThread;
  /** Used by the outbox thread: whether the next pass is scheduled. */
  private boolean tickScheduled;

  /**
   * Does nothing before {@link #begin}.
   *
   * @param updates for the updates of the outbox itself
   * @param replyUpdates for updates in which the service takes a reply; its code may run for a long time
   * @param taker null when the service takes no replies
   */
  public Outbox(OutboxSettings settings, Duties duties, InternalUpdates updates, InternalUpdates replyUpdates, ReplyTaker taker) {
    this.settings = settings;
    this.duties = duties;
    this.updates = updates;
    this.takesReplies = taker != null;
    this.outcomes = new Outcomes(updates, thread, takesReplies, this::runDueTasks);
    this.sending = new CallSending(settings, table, thread, outcomes);
    this.giving = new ReplyGiving(replyUpdates, thread, taker, outcomes, this::runDueTasks);
  }

  /**
   * Returns the kinds of keys under which calls are stored.
   *
   * @param calls the maximum number of stored calls, dead letters included
   * @param callsSetting the name of the setting of that maximum
   */
  public static List<KeyKind> kinds(int calls, String callsSetting) {
    return List.of(
        KeyKind.counted(Keys.CALLS, "outgoing calls", calls, callsSetting),
        KeyKind.parts(Keys.REPLIES, Keys.CALLS),
        KeyKind.parts(Keys.DEAD, Keys.CALLS),
        KeyKind.common(Keys.SESSIONS));
  }

  /** Starts to send while this replica has the duty. Call it after the outbox has begun to follow the replicated state. */
  public void begin() {
    duties.listen(Duty.SEND_CALLS, this);
  }

  /** Returns the meters of the outbox by name. */
  public Map<String, LongSupplier> meters() {
    return Map.of(
        "outgoingWaiting", table::waiting,
        "outgoingFailed", sending::failed,
        "outgoingReplies", table::answered,
        "outgoingDeadLetters", table::dead);
  }

  /** Returns the object through which the service adds calls. */
  public CallSender sender() {
    return new CallIntake(settings, table);
  }

  /** Returns the dead letters and the operations on them. */
  public DeadLetters deadLetters() {
    return new DeadLetters(table, updates, takesReplies);
  }

  // ---- listeners of the replica

  @Override
  public boolean follows(String key) {
    return Keys.isAny(key);
  }

  @Override
  public void onChange(String key, byte[] state) {
    if (Keys.isAny(key)) {
      try {
        table.apply(key, state, onlySender);
      } catch (IllegalArgumentException e) {
        LOG.error(
            "The outgoing call under {} cannot be read and is not sent. Check that all replicas have the same version.", key, e);
      }
    }
  }

  /** Applies the changes of one update atomically. */
  @Override
  public void applied(List<StateChange> changes) {
    synchronized (table) {
      // While this replica has the duty, no other replica sends new calls.
      onlySender = duties.has(Duty.SEND_CALLS);
      StateListener.super.applied(changes);
      onlySender = false;
    }
  }

  @Override
  public void replaced(WholeState state) {
    synchronized (table) {
      StateListener.super.replaced(state);
    }
  }

  @Override
  public void onReset() {
    stable = 0;
    table.clear();
  }

  @Override
  public void stable(long index) {
    stable = index;
    // On the request path: wakes the thread only when there is something to send.
    if (!table.isEmpty() && duties.has(Duty.SEND_CALLS)) {
      wake();
    }
  }

  @Override
  public void begins(long epoch) {
    if (!table.isEmpty()) {
      wake();
    }
  }

  @Override
  public void ends() {
    thread.execute(this::stop);
  }

  // ---- the outbox thread

  private void wake() {
    if (wakeScheduled.compareAndSet(false, true)) {
      thread.execute(() -> {
        wakeScheduled.set(false);
        runDueTasks();
      });
    }
  }

  private void runDueTasks() {
    if (!duties.has(Duty.SEND_CALLS) || connections == null && table.isEmpty()) {
      return;
    }
    if (!tickScheduled) {
      tickScheduled = true;
      thread.later(this::tick, INTERVAL_MS);
    }
    if (connections == null) {
      connections =
          new HttpConnections(
              new ConnectionSettings(CONNECTION_THREADS, CONNECT, ANSWER, true, settings.replyBytes(), true, settings.trust()),
              thread.timer());
    }
    connections.closeIdle();
    long now = System.nanoTime();
    table.toSend(now, stable, MAX_SENDING).forEach(task -> OutboxThread.attempt(task, () -> sending.send(task, connections)));
    table.closeUnusedSessions(now).forEach(key -> outcomes.removeSession(key, () -> table.keepSession(key)));
    table.toTake(now, MAX_TAKING).forEach(task -> OutboxThread.attempt(task, () -> giving.take(task)));
  }

  /** Runs the next pass, because pauses end without an event. */
  private void tick() {
    tickScheduled = false;
    runDueTasks();
  }

  /** Cancels all tasks, because this replica has lost the duty. */
  private void stop() {
    table.stop();
    HttpConnections unused = connections;
    connections = null;
    if (unused != null) {
      // Closing connections takes time, and this replica may soon have the duty again.
      closingThread = DaemonThreads.daemon("understudy-outbox-end", unused::close);
      closingThread.start();
    }
  }

  @Override
  public void close() {
    thread.close();
    if (connections != null) {
      connections.close();
    }
    if (closingThread != null) {
      Threads.join(closingThread);
    }
  }
}
