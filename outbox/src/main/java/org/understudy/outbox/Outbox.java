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
import org.understudy.replication.core.KeyKind;
import org.understudy.replication.core.StateChange;
import org.understudy.replication.runtime.Duties;
import org.understudy.replication.runtime.DutyListener;
import org.understudy.replication.runtime.StateListener;
import org.understudy.replication.runtime.WholeState;
import org.understudy.thread.DaemonThreads;
import org.understudy.thread.Threads;
import org.understudy.wsrf.resource.CallSender;
import org.understudy.wsrf.resource.InternalUpdates;

/**
 * The calls of a service to other services. An operation adds a call to its update. The replica with the duty sends the calls that
 * are stable, one after another for each destination, stores each answer in an update, and gives it to the service in another
 * one. Its successor goes on with the calls that are not answered: a destination may get a call twice, under the same
 * {@code wsa:MessageID}.
 *
 * <p>Threads: calls of the replica only change the table; one thread of the outbox decides what is sent, and connections use
 * threads of their own, none for each call. Replies are given to the service by the thread of its updates.
 */
public final class Outbox implements StateListener, DutyListener, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Outbox.class);
  private static final int MAX_SENDING = 64;
  private static final int MAX_TAKING = 64;
  private static final long LOOK_MS = 50;
  private static final Duration CONNECT = Duration.ofSeconds(5);
  private static final Duration ANSWER = Duration.ofSeconds(60);
  private static final int CONNECTION_THREADS = 1;

  private final CallTable table = new CallTable();
  private final OutboxSettings settings;
  private final Duties duties;
  private final InternalUpdates updates;
  private final boolean taken;
  private final OutboxThread thread = new OutboxThread();
  private final Outcomes outcomes;
  private final CallSending sending;
  private final ReplyGiving giving;
  private final AtomicBoolean working = new AtomicBoolean();
  /** Written within the replica's exclusion. */
  private volatile long stable;
  /** Within the replica's exclusion: whether nobody but this replica can have sent what is noted now. */
  private boolean certain;
  /** Belongs to the worker; null while this replica does not send. */
  private HttpConnections connections;
  /** Belongs to the worker: ends the connections of the last duty; null: there were none. */
  private Thread ending;
  /** Belongs to the worker: whether a look is scheduled. */
  private boolean ticking;

  /**
   * Does nothing before {@link #begin}.
   *
   * @param updates for what the outbox itself stores
   * @param takes for updates in which the service takes a reply: its code may run for long
   * @param taker null when the service takes no replies
   */
  public Outbox(OutboxSettings settings, Duties duties, InternalUpdates updates, InternalUpdates takes, ReplyTaker taker) {
    this.settings = settings;
    this.duties = duties;
    this.updates = updates;
    this.taken = taker != null;
    this.outcomes = new Outcomes(updates, thread, taken, this::look);
    this.sending = new CallSending(settings, table, thread, outcomes);
    this.giving = new ReplyGiving(takes, thread, taker, outcomes, this::look);
  }

  /**
   * The kinds of keys under which calls are kept.
   *
   * @param calls at a time, dead letters included
   * @param callsSetting the name of the setting that this is
   */
  public static List<KeyKind> kinds(int calls, String callsSetting) {
    return List.of(
        KeyKind.counted(Keys.CALLS, "outgoing calls", calls, callsSetting),
        KeyKind.parts(Keys.REPLIES, Keys.CALLS),
        KeyKind.parts(Keys.DEAD, Keys.CALLS),
        KeyKind.common(Keys.SESSIONS));
  }

  /** Starts to send whenever that is the duty of this replica. It must follow the replicated state by then. */
  public void begin() {
    duties.listen(Duty.SEND_CALLS, this);
  }

  /** What is going on, by name. */
  public Map<String, LongSupplier> meters() {
    return Map.of(
        "outgoingWaiting", table::waiting,
        "outgoingFailed", sending::failed,
        "outgoingReplies", table::answered,
        "outgoingDeadLetters", table::dead);
  }

  /** Takes the calls of the service. */
  public CallSender sender() {
    return new CallIntake(settings, table);
  }

  /** Decides about dead letters. */
  public DeadLetters deadLetters() {
    return new DeadLetters(table, updates, taken);
  }

  // ---- the replica

  @Override
  public boolean follows(String key) {
    return Keys.isAny(key);
  }

  @Override
  public void onChange(String key, byte[] state) {
    if (Keys.isAny(key)) {
      try {
        table.note(key, state, certain);
      } catch (IllegalArgumentException e) {
        LOG.error(
            "The outgoing call under {} cannot be read and is not sent. Check that all replicas have the same version.", key, e);
      }
    }
  }

  /** What one update changes is seen at once, or not at all. */
  @Override
  public void applied(List<StateChange> changes) {
    synchronized (table) {
      // Until the duty is another's, nobody else sends what is new.
      certain = duties.has(Duty.SEND_CALLS);
      StateListener.super.applied(changes);
      certain = false;
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
    table.forget();
  }

  @Override
  public void stable(long index) {
    stable = index;
    // A thread is not woken in a request's way for nothing.
    if (!table.isEmpty() && duties.has(Duty.SEND_CALLS)) {
      work();
    }
  }

  @Override
  public void begins(long epoch) {
    if (!table.isEmpty()) {
      work();
    }
  }

  @Override
  public void ends() {
    thread.execute(this::stop);
  }

  // ---- the worker

  private void work() {
    if (working.compareAndSet(false, true)) {
      thread.execute(() -> {
        working.set(false);
        look();
      });
    }
  }

  private void look() {
    if (!duties.has(Duty.SEND_CALLS) || connections == null && table.isEmpty()) {
      return;
    }
    if (!ticking) {
      ticking = true;
      thread.later(this::tick, LOOK_MS);
    }
    if (connections == null) {
      connections =
          new HttpConnections(
              new ConnectionSettings(CONNECTION_THREADS, CONNECT, ANSWER, true, settings.replyBytes(), true, settings.trust()),
              thread.timer());
    }
    connections.closeIdle();
    long now = System.nanoTime();
    table.toSend(now, stable, MAX_SENDING).forEach(task -> attempt(task, () -> sending.send(task, connections)));
    table.closeUnusedSessions(now).forEach(key -> outcomes.removeSession(key, () -> table.keepSession(key)));
    table.toTake(now, MAX_TAKING).forEach(task -> attempt(task, () -> giving.take(task)));
  }

  /** A call that cannot be attempted keeps none of the others. */
  private static void attempt(CallTable.Task task, Runnable step) {
    try {
      step.run();
    } catch (RuntimeException e) {
      LOG.error("The call {} to {} could not be attempted and is retried.", task.id(), task.destination(), e);
      task.failed(System.nanoTime(), false, 0);
    }
  }

  /** Pauses end with time alone. There is no thread before the first call. */
  private void tick() {
    ticking = false;
    look();
  }

  /** The duty is another's: what is under way is broken off. */
  private void stop() {
    table.stop();
    HttpConnections over = connections;
    connections = null;
    if (over != null) {
      // Ending connections takes a while, and this replica may soon have to send again.
      ending = DaemonThreads.daemon("understudy-outbox-end", over::close);
      ending.start();
    }
  }

  @Override
  public void close() {
    thread.close();
    if (connections != null) {
      connections.close();
    }
    if (ending != null) {
      Threads.join(ending);
    }
  }
}
