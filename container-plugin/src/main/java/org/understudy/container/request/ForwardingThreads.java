package org.understudy.container.request;

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
 * The threads on which requests wait for another replica's answer, shared among clients: one client has half of them at most, and
 * a client that has none gets one also when all are taken, up to twice as many. What waits for a thread is taken from the
 * clients in turn. Thread-safe.
 */
final class ForwardingThreads implements AutoCloseable {
  private final int most;
  private final int mostWaiting;
  private final ThreadPoolExecutor threads;
  /** These three are guarded by this. Clients with nothing are not in the maps. */
  private final Map<String, Integer> running = new HashMap<>();
  private final LinkedHashMap<String, ArrayDeque<Runnable>> waiting = new LinkedHashMap<>();
  private int runningInAll;
  private int waitingInAll;

  /**
   * @param most threads that are taken in turn
   * @param mostWaiting tasks that wait; a fourth of them for one client
   */
  ForwardingThreads(int most, int mostWaiting) {
    this.most = most;
    this.mostWaiting = mostWaiting;
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
   * Runs a task, now or when there is a thread for its client.
   *
   * @return false when too many wait, or at the end
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
    if (waitingInAll >= mostWaiting || before != null && before.size() >= mostWaiting / 4) {
      return false;
    }
    waiting.computeIfAbsent(owner, key -> new ArrayDeque<>()).add(task);
    waitingInAll++;
    return true;
  }

  /** Takes back a task that has not begun. */
  synchronized void remove(String owner, Runnable task) {
    ArrayDeque<Runnable> tasks = waiting.get(owner);
    if (tasks != null && tasks.remove(task)) {
      waitingInAll--;
      if (tasks.isEmpty()) {
        waiting.remove(owner);
      }
    }
  }

  private boolean admits(String owner) {
    int mine = running.getOrDefault(owner, 0);
    return runningInAll < most ? mine < Math.max(1, most / 2) : mine == 0 && runningInAll < 2 * most;
  }

  private void start(String owner, Runnable task) {
    running.merge(owner, 1, Integer::sum);
    runningInAll++;
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
        count(owner);
      }
    }
  }

  private void count(String owner) {
    running.computeIfPresent(owner, (key, mine) -> mine == 1 ? null : mine - 1);
    runningInAll--;
  }

  private synchronized void ended(String owner) {
    count(owner);
    Iterator<Map.Entry<String, ArrayDeque<Runnable>>> clients = waiting.entrySet().iterator();
    while (clients.hasNext() && !threads.isShutdown()) {
      Map.Entry<String, ArrayDeque<Runnable>> client = clients.next();
      if (admits(client.getKey())) {
        clients.remove();
        waitingInAll--;
        Runnable task = client.getValue().remove();
        if (!client.getValue().isEmpty()) {
          // Behind the others.
          waiting.put(client.getKey(), client.getValue());
        }
        start(client.getKey(), task);
        return;
      }
    }
  }

  /** Interrupts what runs; what waits is not begun. */
  @Override
  public void close() {
    threads.shutdownNow();
  }

  /** After {@link #close}: false when a task still runs after these seconds. */
  boolean awaitEnd(long seconds) throws InterruptedException {
    return threads.awaitTermination(seconds, TimeUnit.SECONDS);
  }
}
