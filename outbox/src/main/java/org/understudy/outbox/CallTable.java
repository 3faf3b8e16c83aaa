package org.understudy.outbox;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * Holds the stored calls by destination and in order, and the tasks of this replica for them. At most one call of a destination is
 * in flight, and at most one of its replies is being delivered. It has no clock and no thread: callers pass the time, in
 * nanoseconds. Thread-safe; no method blocks.
 */
final class CallTable {
  private static final long MIN_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
  private static final long MAX_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final Map<String, Entry> entries = new HashMap<>();
  private final Map<String, Destination> destinations = new LinkedHashMap<>();
  private final SessionTable sessions = new SessionTable();

  /** One call. Its parts may arrive in any order. */
  private static final class Entry {
    final String id;
    byte[] call;
    byte[] reply;
    DeadLetter dead;
    Destination destination;
    /** Whether certainly no attempt of the call, by any replica, has been executed. */
    boolean certain;

    Entry(String id) {
      this.id = id;
    }
  }

  /** A destination of calls, with its calls and its current tasks. */
  private static final class Destination {
    final String name;
    final TreeMap<String, Entry> waiting = new TreeMap<>();
    final TreeMap<String, Entry> answered = new TreeMap<>();
    long bytes;
    /** Selects the address of the next attempt. */
    int next;
    /** The task that sends the first waiting call; null: none yet. */
    Task sending;
    /** The task that delivers the first reply; null: none yet. */
    Task taking;

    Destination(String name) {
      this.name = name;
    }
  }

  /** Sends one call, or delivers its reply to the service. Created by the table. */
  final class Task {
    private final Destination destination;
    private final Entry entry;
    private final String id;
    private final byte[] call;
    private final byte[] reply;
    private boolean busy;
    private int failures;
    private int attempts;
    private long notBefore;

    private Task(Destination destination, Entry entry, long now) {
      this.destination = destination;
      this.entry = entry;
      this.id = entry.id;
      this.call = entry.call;
      this.reply = entry.reply;
      this.notBefore = now;
    }

    String id() {
      return id;
    }

    String destination() {
      return destination.name;
    }

    /** The encoded call; do not change the array. */
    byte[] call() {
      return call;
    }

    /** The encoded reply; null for a task that sends the call. */
    byte[] reply() {
      return reply;
    }

    /** Returns the index of the address to use, from 0 to count - 1. */
    int address(int count) {
      synchronized (CallTable.this) {
        return Math.floorMod(destination.next, count);
      }
    }

    /** Whether the task is neither finished, nor cancelled by {@link #stop}, nor pausing. */
    boolean isCurrent() {
      synchronized (CallTable.this) {
        return busy && (destination.sending == this || destination.taking == this);
      }
    }

    /**
     * Records a failure. The task is retried after a pause that grows with each failure.
     *
     * @param counted whether the failure counts as an attempt
     * @param atLeastNanos the minimum pause
     * @return the number of failures so far, counted or not
     */
    int failed(long now, boolean counted, long atLeastNanos) {
      synchronized (CallTable.this) {
        failures++;
        attempts += counted ? 1 : 0;
        destination.next++;
        long pause = Math.min(MIN_PAUSE_NANOS << Math.min(failures - 1, 20), MAX_PAUSE_NANOS);
        notBefore = now + Math.max(pause, Math.min(atLeastNanos, MAX_PAUSE_NANOS));
        busy = false;
        return failures;
      }
    }

    /** Failures so far, counted or not. */
    int failures() {
      synchronized (CallTable.this) {
        return failures;
      }
    }

    /** Counted failures so far. */
    int attempts() {
      synchronized (CallTable.this) {
        return attempts;
      }
    }

    /** Whether certainly no attempt of the call, by any replica, has been executed. */
    boolean isCertain() {
      synchronized (CallTable.this) {
        return entry.certain;
      }
    }

    /** Records that an attempt may have been executed. */
    void markUncertain() {
      synchronized (CallTable.this) {
        entry.certain = false;
      }
    }

    /** Makes the task due again without a pause. */
    void proceed() {
      synchronized (CallTable.this) {
        busy = false;
      }
    }

    /** Ends the task after its outcome is stored. The next task of the destination may begin. */
    void finished() {
      synchronized (CallTable.this) {
        destination.sending = destination.sending == this ? null : destination.sending;
        destination.taking = destination.taking == this ? null : destination.taking;
        removeIfUnused(destination);
      }
    }
  }

  // ---- replicated state

  /**
   * Applies the new value of one key; null: the key is removed.
   *
   * @param certain whether only this replica can have sent a new call
   */
  synchronized void apply(String key, byte[] state, boolean certain) {
    if (key.startsWith(Keys.SESSIONS)) {
      sessions.apply(key, state);
      return;
    }
    String id = Keys.id(key);
    Entry entry = entries.computeIfAbsent(id, Entry::new);
    detach(entry);
    if (key.startsWith(Keys.CALLS)) {
      entry.certain = certain && entry.call == null;
      entry.call = state;
    } else if (key.startsWith(Keys.REPLIES)) {
      entry.reply = state;
    } else {
      entry.dead = state == null ? null : DeadLetter.decode(state);
    }
    attach(entry);
  }

  private void detach(Entry entry) {
    Destination destination = entry.destination;
    if (destination == null) {
      return;
    }
    if (destination.waiting.remove(entry.id) != null) {
      destination.bytes -= entry.call.length;
    }
    destination.answered.remove(entry.id);
    destination.sending = isPausing(destination.sending, entry) ? null : destination.sending;
    destination.taking = isPausing(destination.taking, entry) ? null : destination.taking;
    removeIfUnused(destination);
    entry.destination = null;
  }

  private static boolean isPausing(Task task, Entry entry) {
    return task != null && !task.busy && task.id.equals(entry.id);
  }

  /** Keeps the destination while it has a task, because the next call must not begin before that task ends. */
  private void removeIfUnused(Destination destination) {
    if (destination.waiting.isEmpty() && destination.answered.isEmpty() && destination.sending == null
        && destination.taking == null) {
      destinations.remove(destination.name, destination);
    }
  }

  private void attach(Entry entry) {
    if (entry.call == null) {
      if (entry.reply == null && entry.dead == null) {
        entries.remove(entry.id);
      }
    } else if (entry.dead == null) {
      Destination destination =
          destinations.computeIfAbsent(StoredCall.destinationIn(entry.call), Destination::new);
      entry.destination = destination;
      if (entry.reply == null) {
        destination.waiting.put(entry.id, entry);
        destination.bytes += entry.call.length;
      } else {
        destination.answered.put(entry.id, entry);
      }
    }
  }

  /** Removes all calls, tasks and sessions. */
  synchronized void clear() {
    stop();
    sessions.clear();
    entries.clear();
    destinations.clear();
  }

  // ---- tasks

  /**
   * Returns the calls to send now: the first of each destination, unless it is in flight or pauses.
   *
   * @param stable the index up to which updates are stable; calls of later ones wait
   * @param limit the maximum number of calls in flight, including these
   */
  synchronized List<Task> toSend(long now, long stable, int limit) {
    List<Task> due = new ArrayList<>();
    long room = limit - destinations.values().stream().filter(one -> one.sending != null && one.sending.busy).count();
    for (Destination destination : destinations.values()) {
      if (due.size() >= room) {
        break;
      }
      if (!destination.waiting.isEmpty() && Keys.indexOf(destination.waiting.firstKey()) <= stable) {
        Entry first = destination.waiting.firstEntry().getValue();
        Task task = destination.sending;
        if (task == null || !task.busy && !task.id.equals(first.id)) {
          task = new Task(destination, first, now);
          destination.sending = task;
        }
        addIfDue(task, now, due);
      }
    }
    return due;
  }

  /**
   * Returns the replies to deliver to the service now: the first of each destination.
   *
   * @param limit the maximum number of replies being delivered, including these
   */
  synchronized List<Task> toTake(long now, int limit) {
    List<Task> due = new ArrayList<>();
    long room = limit - destinations.values().stream().filter(one -> one.taking != null && one.taking.busy).count();
    for (Destination destination : destinations.values()) {
      if (due.size() >= room) {
        break;
      }
      if (!destination.answered.isEmpty()) {
        Entry first = destination.answered.firstEntry().getValue();
        Task task = destination.taking;
        if (task == null || !task.busy && !task.id.equals(first.id)) {
          task = new Task(destination, first, now);
          destination.taking = task;
        }
        addIfDue(task, now, due);
      }
    }
    return due;
  }

  private static void addIfDue(Task task, long now, List<Task> due) {
    if (!task.busy && now - task.notBefore >= 0) {
      task.busy = true;
      due.add(task);
    }
  }

  /** Returns the session with a destination, or null. */
  synchronized GroupSession session(String destination) {
    return sessions.find(destination);
  }

  /** Whether the session with a destination is about to be removed. */
  synchronized boolean isClosing(String destination) {
    return sessions.isClosing(destination);
  }

  /** Makes a session usable again when its removal has failed. */
  synchronized void keepSession(String key) {
    sessions.keep(key);
  }

  /**
   * Returns the keys of sessions to remove: no call was sent in them for 10 minutes, and none waits. No further call is sent in them until
   * {@link #keepSession}.
   */
  synchronized List<String> closeUnusedSessions(long now) {
    return sessions.closeUnused(now, destinations.keySet());
  }

  /** Cancels all tasks. The stored calls remain. */
  synchronized void stop() {
    for (Destination destination : destinations.values()) {
      destination.sending = null;
      destination.taking = null;
    }
    entries.values().forEach(entry -> entry.certain = false);
    destinations.values().removeIf(destination -> destination.waiting.isEmpty() && destination.answered.isEmpty());
  }

  // ---- metrics and dead letters

  /** Bytes of the calls that wait for a destination. */
  synchronized long waitingBytes(String destination) {
    Destination found = destinations.get(destination);
    return found == null ? 0 : found.bytes;
  }

  /** Calls that wait to be sent or for their answer. */
  synchronized long waiting() {
    return destinations.values().stream().mapToLong(destination -> destination.waiting.size()).sum();
  }

  /** Replies that the service has not taken yet. */
  synchronized long answered() {
    return destinations.values().stream().mapToLong(destination -> destination.answered.size()).sum();
  }

  /** Whether no call waits, no reply waits and no task is current. */
  synchronized boolean isEmpty() {
    return destinations.isEmpty();
  }

  /** The dead letters by the id of the call, in order. */
  synchronized Map<String, DeadCall> deadLetters() {
    Map<String, DeadCall> dead = new TreeMap<>();
    for (Entry entry : entries.values()) {
      if (entry.dead != null && entry.call != null) {
        StoredCall call = StoredCall.decode(entry.call);
        dead.put(
            entry.id,
            new DeadCall(
                call.messageId(), call.destination(), entry.reply != null, entry.dead.attempts(), entry.dead.reason()));
      }
    }
    return dead;
  }

  /** The number of dead letters. */
  synchronized long dead() {
    return entries.values().stream().filter(entry -> entry.dead != null && entry.call != null).count();
  }
}
