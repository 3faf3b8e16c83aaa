package org.understudy.wsrf.lifetime;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.api.Duty;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.runtime.routing.Duties;
import org.understudy.replication.runtime.state.StateListener;
import org.understudy.replication.runtime.state.WholeState;
import org.understudy.thread.DaemonThreads;
import org.understudy.thread.PersistentLoop;
import org.understudy.thread.Threads;
import org.understudy.wsrf.resource.InternalUpdates;
import org.understudy.wsrf.resource.ResourceTransaction;
import org.understudy.wsrf.resource.Resources;
import org.understudy.wsrf.resource.TerminationTime;

/**
 * Ends resources at their termination times. The times are replicated state; the replica with the duty ends due resources
 * by an internal update, so that all replicas agree on what has ended. They are due by the counted clock of the group, so that
 * no replica's wall clock ends one. One thread for all.
 */
public final class Lifetimes implements StateListener, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Lifetimes.class);
  /** The maximum number of ends in progress; others are due a little later. */
  private static final int MAX_ENDING = 64;
  /** The interval at which the clock is read: one of a test's may be set. */
  private static final long LONGEST_WAIT_MS = 500;
  private static final long PAUSE_MS = 500;

  /** A time in the queue; it is checked again before a resource ends. */
  private record Due(Instant at, String key) {
    static final Comparator<Due> ORDER = Comparator.comparing(Due::at).thenComparing(Due::key);
  }

  private final Duties duties;
  private final InternalUpdates updates;
  private final Clock clock;
  private final Thread thread;
  private final Map<String, Destruction> destructions = new ConcurrentHashMap<>();
  /** All below is guarded by this object's monitor, which is never held for long. */
  private final Map<String, Instant> times = new HashMap<>();
  private final TreeSet<Due> queue = new TreeSet<>(Due.ORDER);
  private int ending;
  private boolean closed;

  /**
   * Starts to watch. Must be registered as a listener of the replicated state.
   *
   * @param duties decide whether this replica ends what is due
   * @param clock the counted clock of the group, by which the replica with the duty decides
   */
  public Lifetimes(Duties duties, InternalUpdates updates, Clock clock) {
    this.duties = duties;
    this.updates = updates;
    this.clock = clock;
    this.thread = DaemonThreads.daemon("understudy-lifetimes", new PersistentLoop("The watch of lifetimes", this::watch));
    duties.listen(Duty.EXPIRE_LEASES, epoch -> wake());
    thread.start();
  }

  /**
   * Sets how resources with this key prefix end, instead of {@link Destruction#OF_ITS_STATE}; during deployment.
   *
   * @param prefix with its slash, for example {@code subscription/}
   */
  public void end(String prefix, Destruction destruction) {
    destructions.put(prefix, destruction);
  }

  /** Whether the termination time of the transaction's resource has come. */
  public boolean isDue(ResourceTransaction transaction) {
    return TerminationTime.isDue(transaction, transaction.key(), clock.instant());
  }

  /** Sets the termination time of a resource, in an update; null: never. */
  public void set(ResourceTransaction transaction, String key, Instant time) {
    TerminationTime.set(transaction, key, time);
  }

  /** Whether the resource under this key can end: the single one of a service that keeps its state in itself cannot. */
  public static boolean canEnd(String key) {
    return key != null && !key.equals(Resources.SERVICE);
  }

  /** Ends the transaction's resource, in an update. */
  public void destroy(ResourceTransaction transaction) {
    String key = transaction.key();
    destructions.getOrDefault(key.substring(0, key.indexOf('/') + 1), Destruction.OF_ITS_STATE).destroy(transaction);
    if (!transaction.isDestroyed()) {
      // Otherwise it is removed when the transaction commits: the listener that notifies of the end must still see whether
      // it was due.
      set(transaction, key, null);
    }
  }

  // ---- what the replica says, in its exclusion

  @Override
  public boolean follows(String key) {
    return key.startsWith(TerminationTime.KEYS);
  }

  @Override
  public void onChange(String key, byte[] state) {
    if (key.startsWith(TerminationTime.KEYS)) {
      changed(key.substring(TerminationTime.KEYS.length()), TerminationTime.deadline(state));
    }
  }

  private synchronized void changed(String key, Instant time) {
    Instant before = time == null ? times.remove(key) : times.put(key, time);
    if (before != null) {
      queue.remove(new Due(before, key));
    }
    if (time != null) {
      Due due = new Due(time, key);
      queue.add(due);
      if (queue.first().equals(due)) {
        notifyAll();
      }
    }
  }

  @Override
  public synchronized void onReset() {
    times.clear();
    queue.clear();
  }

  @Override
  public synchronized void replaced(WholeState state) {
    StateListener.super.replaced(state);
    notifyAll();
  }

  // ---- the thread

  private synchronized void wake() {
    notifyAll();
  }

  private void watch() {
    try {
      while (true) {
        List<String> due = awaitDue();
        if (due == null) {
          return;
        }
        for (String key : due) {
          updates.run(key, this::endIfDue, () -> ended(key), failure -> failed(key, failure));
        }
      }
    } catch (InterruptedException e) {
      LOG.debug("Closing.", e);
    }
  }

  /** Removes due keys from the queue; null when closed. */
  private synchronized List<String> awaitDue() throws InterruptedException {
    while (!closed) {
      Instant now = clock.instant();
      List<String> due = new ArrayList<>();
      if (duties.has(Duty.EXPIRE_LEASES)) {
        while (!queue.isEmpty() && ending < MAX_ENDING && !queue.first().at().isAfter(now)) {
          String key = queue.pollFirst().key();
          if (times.containsKey(key)) {
            due.add(key);
            ending++;
          }
        }
      }
      if (!due.isEmpty()) {
        return due;
      }
      long wait = LONGEST_WAIT_MS;
      if (duties.has(Duty.EXPIRE_LEASES) && !queue.isEmpty() && queue.first().at().isBefore(now.plusMillis(wait))) {
        wait = ending == MAX_ENDING ? wait : Math.max(1, queue.first().at().toEpochMilli() - now.toEpochMilli());
      }
      wait(wait);
    }
    return null;
  }

  /** Checked in the update, because the time may have changed. */
  private boolean endIfDue(ResourceTransaction transaction) {
    if (!isDue(transaction)) {
      return false;
    }
    destroy(transaction);
    return true;
  }

  private synchronized void ended(String key) {
    ending--;
    requeue(key, null);
  }

  private synchronized void failed(String key, Failure failure) {
    LOG.debug("The resource {} has not ended yet: {}", key, failure.sentence());
    ending--;
    requeue(key, clock.instant().plusMillis(PAUSE_MS));
  }

  /** Checks the resource again if it still has a termination time. */
  private void requeue(String key, Instant earliest) {
    Instant time = times.get(key);
    if (time != null) {
      queue.add(new Due(earliest == null || time.isAfter(earliest) ? time : earliest, key));
    }
    notifyAll();
  }

  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      notifyAll();
    }
    Threads.join(thread);
  }
}
