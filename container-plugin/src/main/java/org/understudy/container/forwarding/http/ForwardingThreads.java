package org.understudy.container.forwarding.http;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.understudy.thread.DaemonThreads;

/**
 * The threads on which requests wait for another replica's response, shared fairly among clients. One client uses at most half
 * of them. A client without a thread gets one even if all are in use, up to twice the number. Waiting tasks are taken from the
 * clients in turn. Thread-safe.
 */
final class ForwardingThreads implements AutoCloseable {
  private final int max;
  private final int maxWaiting;
  private final ThreadPoolExecutor threads;
  // Guarded by this. The maps contain no client without tasks.
  private final Map<String, Integer> running = new HashMap<>();
  private final LinkedHashMap<String, ArrayDeque<Runnable>> waiting = new LinkedHashMap<>();
  private int totalRunning;
  private int totalWaiting;

  /**
   * @param max threads for all clients
   * @param maxWaiting tasks that wait; a quarter of them for one client
   */
  ForwardingThreads(int max, int maxWaiting) {
    this.max = max;
    this.maxWaiting = maxWaiting;
    this.threads =
        new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE,
            10,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            new DaemonThreads("understudy-forward-"));
  }

  /**
   * Runs a task now, or as soon as a thread is free for its client.
   *
   * @return false when too many tasks wait, or this is closed
   */
  synchronized boolean execute(String owner, Runnable task) {
    if (threads.isShutdown()) {
      return false;
    }
    ArrayDeque<Runnable> before = waiting.get(owner);
    if (before == null && admits(owner)) {
      start(owner, task);
      return true;
    }
    if (totalWaiting >= maxWaiting || before != null && before.size() >= maxWaiting / 4) {
      return false;
    }
    waiting.computeIfAbsent(owner, key -> new ArrayDeque<>()).add(task);
    totalWaiting++;
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

  private boolean admits(String owner) {
    int own = running.getOrDefault(owner, 0);
    return totalRunning < max ? own < Math.max(1, max / 2) : own == 0 && totalRunning < 2 * max;
  }

  private void start(String owner, Runnable task) {
    running.merge(owner, 1, Integer::sum);
    totalRunning++;
    boolean started = false;
    try {
      threads.execute(() -> {
        try {
          task.run();
        } finally {
          ended(owner);
        }
      });
      started = true;
    } finally {
      if (!started) {
        uncount(owner);
      }
    }
  }

  private void uncount(String owner) {
    running.computeIfPresent(owner, (key, own) -> own == 1 ? null : own - 1);
    totalRunning--;
  }

  private synchronized void ended(String owner) {
    uncount(owner);
    Iterator<Map.Entry<String, ArrayDeque<Runnable>>> clients = waiting.entrySet().iterator();
    while (clients.hasNext() && !threads.isShutdown()) {
      Map.Entry<String, ArrayDeque<Runnable>> client = clients.next();
      if (admits(client.getKey())) {
        clients.remove();
        totalWaiting--;
        Runnable task = client.getValue().remove();
        if (!client.getValue().isEmpty()) {
          // Moves the client to the end of the queue.
          waiting.put(client.getKey(), client.getValue());
        }
        start(client.getKey(), task);
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
