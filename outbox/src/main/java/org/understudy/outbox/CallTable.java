package org.understudy.outbox;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * The calls that are kept in the replicated state, by destination and in order, and what this replica does about them: at most one
 * call of a destination is on its way, and one reply of it with the service. It has no clock and no thread: every input brings the
 * time. Thread-safe; nothing here waits.
 */
final class CallTable {
  private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
  private static final long LONGEST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final Map<String, Entry> entries = new HashMap<>();
  private final Map<String, Destination> destinations = new LinkedHashMap<>();
  private final SessionTable sessions = new SessionTable();

  /** One call, as far as it is known: its parts may arrive in any order. */
  private static final class Entry {
    final String id;
    byte[] call;
    byte[] reply;
    DeadLetter dead;
    Destination destination;
    /** Nobody but this replica can have sent it, and what came of each of its attempts is known. */
    boolean certain;

    Entry(String id) {
      this.id = id;
    }
  }

  /** Where calls go, and what is under way there. */
  private static final class Destination {
    final String name;
    final TreeMap<String, Entry> waiting = new TreeMap<>();
    final TreeMap<String, Entry> answered = new TreeMap<>();
    long bytes;
    /** Which of its addresses is next. */
    int next;
    /** About the first call that waits; null: nothing yet. */
    Task sending;
    /** About the first reply; null: nothing yet. */
    Task taking;

    Destination(String name) {
      this.name = name;
    }
  }

  /** What is being done about one call: it is sent, or its reply given to the service. Made by the table. */
  final class Task {
    private final Destination destination;
    /** Null for what is not about one call. */
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

    /** Encoded; not to be changed. */
    byte[] call() {
      return call;
    }

    /** Encoded; null while the call is sent. */
    byte[] reply() {
      return reply;
    }

    /** Which address is to be used, of so many. */
    int address(int of) {
      synchronized (CallTable.this) {
        return Math.floorMod(destination.next, of);
      }
    }

    /** Whether it is still to be done: neither finished, nor called off by {@link #stop}. */
    boolean isCurrent() {
      synchronized (CallTable.this) {
        return busy && (destination.sending == this || destination.taking == this);
      }
    }

    /**
     * It failed, and is tried again after a pause that grows with each failure.
     *
     * @param counted whether the failure counts as an attempt
     * @param atLeastNanos the pause at least
     * @return how often it has failed, counted or not
     */
    int failed(long now, boolean counted, long atLeastNanos) {
      synchronized (CallTable.this) {
        failures++;
        attempts += counted ? 1 : 0;
        destination.next++;
        long pause = Math.min(FIRST_PAUSE_NANOS << Math.min(failures - 1, 20), LONGEST_PAUSE_NANOS);
        notBefore = now + Math.max(pause, Math.min(atLeastNanos, LONGEST_PAUSE_NANOS));
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

    /** Failures so far that count. */
    int attempts() {
      synchronized (CallTable.this) {
        return attempts;
      }
    }

    /** Whether no attempt of the call, by any replica, can have been executed. */
    boolean isCertain() {
      synchronized (CallTable.this) {
        return entry.certain;
      }
    }

    /** An attempt may have been executed. */
    void markUncertain() {
      synchronized (CallTable.this) {
        entry.certain = false;
      }
    }

    /** It goes on at the next look. */
    void proceed() {
      synchronized (CallTable.this) {
        busy = false;
      }
    }

    /** It is over, and the state shows it. The next one of the destination may begin. */
    void finished() {
      synchronized (CallTable.this) {
        destination.sending = destination.sending == this ? null : destination.sending;
        destination.taking = destination.taking == this ? null : destination.taking;
        removeIfUnused(destination);
      }
    }
  }

  // ---- what the replica says

  /**
   * What is kept under one key now; null: nothing.
   *
   * @param certain whether nobody but this replica can have sent a call that is new
   */
  synchronized void note(String key, byte[] state, boolean certain) {
    if (key.startsWith(Keys.SESSIONS)) {
      sessions.note(key, state);
      return;
    }
    String id = Keys.id(key);
    Entry entry = entries.computeIfAbsent(id, Entry::new);
    displace(entry);
    if (key.startsWith(Keys.CALLS)) {
      entry.certain = certain && entry.call == null;
      entry.call = state;
    } else if (key.startsWith(Keys.REPLIES)) {
      entry.reply = state;
    } else {
      entry.dead = state == null ? null : DeadLetter.decode(state);
    }
    place(entry);
  }

  private void displace(Entry entry) {
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

  /** While something is under way the next call must not begin, and so the destination is kept. */
  private void removeIfUnused(Destination destination) {
    if (destination.waiting.isEmpty() && destination.answered.isEmpty() && destination.sending == null
        && destination.taking == null) {
      destinations.remove(destination.name, destination);
    }
  }

  private void place(Entry entry) {
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

  /** Nothing that was noted holds any more. */
  synchronized void forget() {
    stop();
    sessions.forget();
    entries.clear();
    destinations.clear();
  }

  // ---- what is to be done

  /**
   * The calls that are to be sent now: the first of each destination, unless it is on its way or pauses.
   *
   * @param stable the index up to which updates are stable; calls of later ones wait
   * @param most at a time, with those that are on their way
   */
  synchronized List<Task> toSend(long now, long stable, int most) {
    List<Task> due = new ArrayList<>();
    long room = most - destinations.values().stream().filter(one -> one.sending != null && one.sending.busy).count();
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
   * The replies that are to be given to the service now: the first of each destination.
   *
   * @param most at a time, with those that the service has
   */
  synchronized List<Task> toTake(long now, int most) {
    List<Task> due = new ArrayList<>();
    long room = most - destinations.values().stream().filter(one -> one.taking != null && one.taking.busy).count();
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

  /** The session with a destination; null: there is none. */
  synchronized GroupSession session(String destination) {
    return sessions.find(destination);
  }

  /** Whether the session with a destination is about to be removed. */
  synchronized boolean isClosing(String destination) {
    return sessions.isClosing(destination);
  }

  /** A session that was to be removed is still there. */
  synchronized void keepSession(String key) {
    sessions.keep(key);
  }

  /**
   * The keys of sessions that are to be removed: no call was sent in them for a while, and none waits. No call is sent in them from
   * now on, until {@link #keepSession}.
   */
  synchronized List<String> closeUnusedSessions(long now) {
    return sessions.closeUnused(now, destinations.keySet());
  }

  /** This replica no longer does anything about the calls: what is under way is called off. */
  synchronized void stop() {
    for (Destination destination : destinations.values()) {
      destination.sending = null;
      destination.taking = null;
    }
    entries.values().forEach(entry -> entry.certain = false);
    destinations.values().removeIf(destination -> destination.waiting.isEmpty() && destination.answered.isEmpty());
  }

  // ---- what it shows

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

  /** Whether there is nothing that this replica would do if it had the duty. */
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

  /** How many dead letters there are. */
  synchronized long dead() {
    return entries.values().stream().filter(entry -> entry.dead != null && entry.call != null).count();
  }
}
