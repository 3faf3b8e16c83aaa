package org.understudy.container.forwarding.http;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.thread.DaemonThreads;

/**
 * The threads on which requests wait for another replica's response, shared fairly among clients. One client uses at most half
 * of them. A client without a thread gets one even if all are in use, up to twice the number. Waiting tasks are taken from the
 * clients in turn. A task that waits for long is set aside: it keeps its thread, and other tasks get a thread in its place. Of the tasks
 * set aside, too, one client has at most half. Thread-safe.
 */
final class ForwardingThreads implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ForwardingThreads.class);

  private final int max;
  private final int maxWaiting;
  private final int maxAside;
  private final ThreadPoolExecutor threads;
  // Guarded by this. The maps contain no client without tasks.
  private final Tasks running = new Tasks();
  private final Tasks aside = new Tasks();
  private final LinkedHashMap<String, ArrayDeque<Runnable>> waiting = new LinkedHashMap<>();
  private int totalWaiting;

  /** Tasks with a thread, and how many each client has. */
  private static final class Tasks {
    private final Set<Runnable> all = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Map<String, Integer> counts = new HashMap<>();

    int total() {
      return all.size();
    }

    int of(String owner) {
      return counts.getOrDefault(owner, 0);
    }

    void add(String owner, Runnable task) {
      all.add(task);
      counts.merge(owner, 1, Integer::sum);
    }

    boolean remove(String owner, Runnable task) {
      boolean present = all.remove(task);
      if (present) {
        counts.computeIfPresent(owner, (key, own) -> own == 1 ? null : own - 1);
      }
      return present;
    }
  }

  /**
   * @param max threads for all clients, without those set aside
   * @param maxWaiting tasks that wait; a quarter of them for one client
   * @param maxAside tasks set aside
   */
  ForwardingThreads(int max, int maxWaiting, int maxAside) {
    this(max, maxWaiting, maxAside, new DaemonThreads("understudy-forward-"));
  }

  /** @param factory of the threads */
  ForwardingThreads(int max, int maxWaiting, int maxAside, ThreadFactory factory) {
    this.max = max;
    this.maxWaiting = maxWaiting;
    this.maxAside = maxAside;
    this.threads =
        new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE,
            10,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            factory);
  }

  /** The most threads at a time. */
  static int most(int max, int maxAside) {
    return 2 * max + maxAside;
  }

  /** Whether a task of a client without tasks would get a thread at once. */
  synchronized boolean hasRoom() {
    return running.total() + totalWaiting < max;
  }

  /**
   * Runs a task now, or as soon as a thread is free for its client.
   *
   * @return false when too many tasks wait, no thread can be created, or this is closed
   */
  synchronized boolean execute(String owner, Runnable task) {
    if (threads.isShutdown()) {
      return false;
    }
    ArrayDeque<Runnable> before = waiting.get(owner);
    if (before == null && admits(owner)) {
      return start(owner, task);
    }
    if (totalWaiting >= maxWaiting || before != null && before.size() >= maxWaiting / 4) {
      return false;
    }
    waiting.computeIfAbsent(owner, key -> new ArrayDeque<>()).add(task);
    totalWaiting++;
    // Has an effect only after a time in which no thread could be created.
    startNext();
    return true;
  }

  /** Removes a waiting task. */
  synchronized void remove(String owner, Runnable task) {
    ArrayDeque<Runnable> tasks = waiting.get(owner);
    if (tasks != null && tasks.remove(task)) {
      totalWaiting--;
      if (tasks.isEmpty()) {
        waiting.remove(owner);
      }
    }
  }

  /** Gives the place of a running task to another one. Has no effect when too many are set aside, and after the end of the task. */
  synchronized void setAside(String owner, Runnable task) {
    if (aside.total() < maxAside && aside.of(owner) < Math.max(1, maxAside / 2) && running.remove(owner, task)) {
      aside.add(owner, task);
      startNext();
    }
  }

  /** The number of tasks set aside. */
  synchronized int setAside() {
    return aside.total();
  }

  private boolean admits(String owner) {
    int own = running.of(owner);
    return running.total() < max ? own < Math.max(1, max / 2) : own == 0 && running.total() < 2 * max;
  }

  /** @return false when the system permits no further thread, or this has just been closed */
  private boolean start(String owner, Runnable task) {
    running.add(owner, task);
    boolean started = false;
    try {
      threads.execute(() -> {
        try {
          task.run();
        } finally {
          ended(owner, task);
        }
      });
      started = true;
    } catch (OutOfMemoryError | RejectedExecutionException e) {
      LOG.debug("A forwarded request gets no thread.", e);
    } finally {
      if (!started) {
        running.remove(owner, task);
      }
    }
    return started;
  }

  private synchronized void ended(String owner, Runnable task) {
    if (!aside.remove(owner, task)) {
      running.remove(owner, task);
      startNext();
    }
  }

  private void startNext() {
    Iterator<Map.Entry<String, ArrayDeque<Runnable>>> clients = waiting.entrySet().iterator();
    while (clients.hasNext() && !threads.isShutdown()) {
      Map.Entry<String, ArrayDeque<Runnable>> client = clients.next();
      if (admits(client.getKey())) {
        if (!start(client.getKey(), client.getValue().peek())) {
          return;
        }
        clients.remove();
        totalWaiting--;
        client.getValue().remove();
        if (!client.getValue().isEmpty()) {
          // Moves the client to the end of the queue.
          waiting.put(client.getKey(), client.getValue());
        }
        return;
      }
    }
  }

  /** Interrupts running tasks; waiting tasks do not begin. */
  @Override
  public void close() {
    threads.shutdownNow();
  }

  /** Waits for running tasks after {@link #close}. Returns false when one still runs after these seconds. */
  boolean awaitEnd(long seconds) throws InterruptedException {
    return threads.awaitTermination(seconds, TimeUnit.SECONDS);
  }
}
